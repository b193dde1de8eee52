import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests of HDR movies. ffprobe reads the bit depth and transfer function of the results.
@Suite struct HDRMovieTests {
  /// Returns an HLG movie with 10 bits per sample and a Dolby Vision configuration (`dvvC`) beside `hvcC`.
  private func dolbyVision(_ folder: TemporaryFolder) throws -> URL {
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=30", "-t", "0.2", "-pix_fmt", "yuv420p10le",
        "-c:v", "libx265", "-tag:v", "hvc1", "-preset", "ultrafast", "-x265-params", "log-level=none",
        "-color_primaries", "bt2020", "-color_trc", "arib-std-b67", "-colorspace", "bt2020nc", "plain.mov",
      ])
    var bytes = try folder.read("plain.mov")
    func place(_ kind: String, after start: Int = 0) throws -> Int {
      let range = try #require(Data(bytes[start...]).firstRange(of: Data(kind.utf8)))
      return start + range.lowerBound - 4
    }
    func size(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    let movie = try place("moov")
    let end = try place("hvcC", after: movie)
    let box: [UInt8] = [0, 0, 0, 32] + Array("dvvC".utf8) + [1, 0, 16, 5] + [UInt8](repeating: 0, count: 20)
    bytes.insert(contentsOf: box, at: end + size(end))
    for kind in ["moov", "trak", "mdia", "minf", "stbl", "stsd", "hvc1"] {
      let at = try place(kind, after: movie)
      let grown = size(at) + 32
      for (index, shift) in [24, 16, 8, 0].enumerated() { bytes[at + index] = UInt8(grown >> shift & 255) }
    }
    return try folder.write(bytes, to: "vision.mov")
  }

  @Test func depthAndTransferStayAndDolbyVisionIsNamed() throws {
    let folder = try TemporaryFolder()
    let source = try dolbyVision(folder)
    var edit = Edit(orientation: .right)
    edit[.exposure] = 0.4
    let output = folder.file("out.mov")
    let job = RenderJob(
      photo: nil, movie: .init(source: source.path, output: output.path), edit: edit, settings: .standard,
      identifier: nil)
    let result = try render(job, progress: { _ in }, isCancelled: { false })
    #expect(result.removals.map(\.name).contains("dvvC"))
    let entries = "stream=pix_fmt,color_space,color_transfer,color_primaries"
    #expect(
      try Tools.ffprobe(output, "-show_entries", entries).first?.split(separator: ",").map(String.init)
        == ["yuv420p10le", "bt2020nc", "arib-std-b67", "bt2020"])
    #expect(try Data(contentsOf: output).range(of: Data("dvvC".utf8)) == nil)
  }
}
