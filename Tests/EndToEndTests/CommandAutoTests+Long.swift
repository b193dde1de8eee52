import EditModel
import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

extension CommandAutoTests {
  @Test(
    arguments: [TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0003.JPG")]
      + [TestFiles.sample("iphone-6s-jpeg/IMG_0728.JPG")].compactMap { $0 })
  func hardlyAnyPixelIsClipped(photo: URL) throws {
    let folder = try TemporaryFolder()
    try folder.copy(photo)
    let name = photo.lastPathComponent
    _ = try Command.run("auto", "--only", "light,color", name, in: folder.url)
    let render = folder.file(name.replacingOccurrences(of: "IMG_", with: "IMG_E"))
    guard FileManager.default.fileExists(atPath: render.path) else { return }
    // Reads the upright pixels of either file as RGB.
    func pixels(_ file: URL) throws -> [UInt8] {
      try Tools.output(
        "ffmpeg", "-v", "error", "-i", file.path, "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"
      ).bytes
    }
    let turned = folder.file("upright.jpg")
    let orientation = Int(try Tools.exiftool(photo)["IFD0:Orientation"] ?? "1") ?? 1
    let turns = [
      1: [], 2: ["-flip", "horizontal"], 3: ["-rotate", "180"], 4: ["-flip", "vertical"], 5: ["-transpose"],
      6: ["-rotate", "90"], 7: ["-transverse"], 8: ["-rotate", "270"],
    ]
    _ = try Tools.run(["jpegtran"] + (turns[orientation] ?? []) + ["-outfile", turned.path, photo.path])
    let (before, after) = (try pixels(turned), try pixels(render))
    try #require(before.count == after.count)
    func isClipped(_ bytes: [UInt8], _ at: Int) -> Bool {
      bytes[at..<at + 3].contains { $0 < 2 || $0 > 252 }
    }
    let unclipped = stride(from: 0, to: before.count, by: 33).filter { !isClipped(before, $0) }
    let newly = unclipped.count { isClipped(after, $0) }
    #expect(Double(newly) < 0.01 * Double(unclipped.count))
  }
}
