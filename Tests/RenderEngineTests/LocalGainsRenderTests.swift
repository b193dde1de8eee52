import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests of complete renders with local gains. Their expected positions are calculated here and compared with ffmpeg's
/// output.
@Suite struct LocalGainsRenderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Renders an edit.
  ///
  /// - Parameter still: The photo's time on the movie's timeline in seconds, or nil if unknown.
  private func rendered(
    _ edit: Edit, photo: URL? = nil, movie: URL? = nil, at still: Double? = nil, _ name: String
  ) throws -> URL {
    let output = folder.file(name)
    func half(_ source: URL?) -> RenderJob.Half? {
      source.map { .init(source: $0.path, output: output.path) }
    }
    var settings = RenderSettings.standard
    settings.quality = .high
    var job = RenderJob(
      photo: half(photo), movie: half(movie), edit: edit, settings: settings, identifier: nil)
    job.stillPlace = still.map { StillPlace(seconds: $0) }
    _ = try render(job, progress: { _ in }, isCancelled: { false })
    return output
  }

  /// Returns the luma of every picture of a file, row after row, in an ffmpeg format. For a movie, the edit list is
  /// ignored.
  private func luma(_ file: URL, _ format: String, _ width: Int, _ height: Int) throws -> [[Double]] {
    let options = file.pathExtension == "mov" ? ["-ignore_editlist", "1"] : []
    let bytes = [UInt8](
      try folder.run(
        "ffmpeg",
        ["-v", "error"] + options + ["-i", file.path, "-fps_mode", "passthrough", "-f", "rawvideo"]
          + ["-pix_fmt", format, "-"]))
    let size = format == "gray" ? width * height : width * height * 3 / 2
    try #require(!bytes.isEmpty && bytes.count % size == 0)
    return stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<$0 + width * height].map(Double.init) }
  }

  /// Half as bright at the top, unchanged at the bottom. After a clockwise rotation by 90° the top is at the right, and
  /// the part cropped at the left was at the bottom.
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

  /// Returns a movie in which the camera moves to the right by two pixels per frame.
  private func pan() throws -> URL {
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-loop", "1", "-framerate", "30", "-i", TestFiles.fixture("IMG_0003.JPG").path, "-vf",
        "scale=480:-2,crop=320:240:2*n:n,format=yuv420p", "-frames:v", "14", "-r", "30", "-c:v", "libx264",
        "-preset", "ultrafast", "-crf", "4", "pan.mov",
      ])
    return folder.file("pan.mov")
  }

  /// Renders gains that decrease from left to right.
  ///
  /// - Parameter key: The frame in which the gains have their original position.
  private func expectGains(over movie: URL, at still: Double? = nil, asTheyAreIn key: Int) throws {
    var edit = Edit.identity
    edit.local = LocalGains(
      columns: 2, rows: 2, levels: 2, samples: [0, 0, 0, 0, -127, 0, -127, 0, 0, 0, 0, 0, -127, 0, -127, 0])
    let output = try rendered(edit, movie: movie, at: still, "out.mov")
    let (before, after) = (try luma(movie, "yuv420p", 320, 240), try luma(output, "yuv420p", 320, 240))
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
        let place = (Double(column) + 2 * Double(number - key)) / 320
        #expect(abs(log2(second / first) + 127.0 / 64 * place) < 0.03, "frame \(number), column \(column)")
      }
    }
  }

  /// If the movie does not mark the photo's time, the middle frame is used, which is the eighth.
  @Test func gainsFollowTheCamera() throws { try expectGains(over: pan(), asTheyAreIn: 7) }

  /// Frames 9 to 13 are shown first, then 0 to 3. By the first part alone, frame 1 would be shown at the time of frame
  /// 15.
  @Test func gainsLieAsTheyAreInTheFrameThatIsShown() throws {
    let movie = try pan()
    var file = try MovieFile(movie)
    let words: [UInt32] = [0, 2, 167, 9 * 512, 1 << 16, 133, 0, 1 << 16]
    file.track(0, "edts", "elst") { $0.bytes = words.flatMap { AtomTree.big($0) } }
    try file.write(movie)
    try expectGains(over: movie, at: 0.21, asTheyAreIn: 1)
  }
}
