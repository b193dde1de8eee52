import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Gains over places through the whole of a render: where they land is worked out here, and ffmpeg looks.
@Suite struct LocalGainsRenderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func rendered(_ edit: Edit, photo: URL? = nil, movie: URL? = nil, _ name: String) throws -> URL {
    let output = folder.file(name)
    func half(_ source: URL?) -> RenderJob.Half? {
      source.map { .init(source: $0.path, output: output.path) }
    }
    var settings = RenderSettings.standard
    settings.quality = .high
    let job = RenderJob(
      photo: half(photo), movie: half(movie), edit: edit, settings: settings, identifier: nil)
    _ = try render(job, progress: { _ in }, isCancelled: { false })
    return output
  }

  /// Luma of every picture of a file, row after row, in a format of ffmpeg.
  private func luma(_ file: URL, _ format: String, _ width: Int, _ height: Int) throws -> [[Double]] {
    let bytes = [UInt8](
      try folder.run(
        "ffmpeg", ["-v", "error", "-i", file.path, "-f", "rawvideo", "-pix_fmt", format, "-"]))
    let size = format == "gray" ? width * height : width * height * 3 / 2
    try #require(!bytes.isEmpty && bytes.count % size == 0)
    return stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<$0 + width * height].map(Double.init) }
  }

  /// Half as light at the top, as light as before at the bottom: after a turn to the right the top is at the right, and what
  /// is cut off at the left was at the bottom.
  @Test func gainsTurnAndAreCutWithThePhoto() throws {
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "color=0x808080:s=320x240", "-frames:v", "1", "-pix_fmt",
        "yuvj420p", "grey.jpg",
      ])
    var edit = Edit(orientation: .right)
    edit.local = LocalGains(
      columns: 2, rows: 2, levels: 2, samples: [-64, 0, -64, 0, -64, 0, -64, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    edit.geometry = Geometry(
      crop: .rectangle(try Crop.Rectangle(left: 500_000, top: 0, width: 500_000, height: 1_000_000)))
    let output = try rendered(edit, photo: folder.file("grey.jpg"), "out.jpg")
    let picture = try #require(try luma(output, "gray", 120, 320).first)
    for x in stride(from: 4, to: 120, by: 13) {
      let wanted = 128 * pow(2, -(0.5 + (Double(x) + 0.5) / 240))
      for y in [3, 160, 310] { #expect(abs(picture[y * 120 + x] - wanted) <= 2) }
    }
  }

  /// Gains that fall from left to right, over a camera that moves to the right by two pixels a frame.
  @Test func gainsFollowTheCamera() throws {
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-loop", "1", "-i", TestFiles.fixture("IMG_0003.JPG").path, "-vf",
        "scale=480:-2,crop=320:240:2*n:n,format=yuv420p", "-frames:v", "14", "-r", "30", "-c:v", "libx264",
        "-preset", "ultrafast", "-crf", "4", "pan.mov",
      ])
    var edit = Edit.identity
    edit.local = LocalGains(
      columns: 2, rows: 2, levels: 2, samples: [0, 0, 0, 0, -127, 0, -127, 0, 0, 0, 0, 0, -127, 0, -127, 0])
    let output = try rendered(edit, movie: folder.file("pan.mov"), "out.mov")
    let (before, after) = (
      try luma(folder.file("pan.mov"), "yuv420p", 320, 240), try luma(output, "yuv420p", 320, 240)
    )
    #expect(before.count == 14 && after.count == 14)
    for (number, (old, new)) in zip(before, after).enumerated() {
      for column in [60, 160, 260] {
        var (first, second) = (0.0, 0.0)
        for y in 20..<220 {
          for x in column - 8..<column + 8 {
            first += old[y * 320 + x] - 16
            second += new[y * 320 + x] - 16
          }
        }
        // The frame in the middle, the eighth, is where gains lie as they are.
        let place = (Double(column) + 2 * Double(number - 7)) / 320
        #expect(abs(log2(second / first) + 127.0 / 64 * place) < 0.03, "frame \(number), column \(column)")
      }
    }
  }
}
