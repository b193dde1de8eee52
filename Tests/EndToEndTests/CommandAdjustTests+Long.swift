import EditModel
import Foundation
import LiveEdit
import RenderClient
import TestSupport
import Testing
import Workflows

@testable import CommandLineTool

extension CommandAdjustTests {
  /// A colour adjustment does not move any pixel. The checker that `LIVEEDIT_CHECKER` names requires every timed
  /// metadata sample, every tag and every aperture to be unchanged.
  @Test(
    arguments: Cases.chosen([
      TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0002.JPG"),
      TestFiles.fixture("IMG_0004.HEIC"),
      TestFiles.sample("iphone-6s-jpeg/IMG_0728.JPG"), TestFiles.sample("iphone-7plus-jpeg/IMG_2016.JPG"),
    ]) { index, _ in index % 2 == 0 })
  func theCheckerAgrees(_ photo: URL?) throws {
    guard let photo, Checker.isThere else { return }
    let folder = try TemporaryFolder()
    let stem = photo.deletingPathExtension()
    let files = try folder.copy(photo, stem.appendingPathExtension("MOV"))
    let answer = try Tools.output(Command.path, "adjust", "--exposure", "0.5", files[0].path)
    try answer.standardOutput.write(to: folder.file("report.txt"))
    let name = stem.lastPathComponent.replacingOccurrences(of: "IMG_", with: "IMG_E")
    let verdict = try #require(
      try Checker.ask(
        files[0].path, files[1].path, folder.file(name + "." + photo.pathExtension).path,
        folder.file(name + ".MOV").path, "--changed", "--report", folder.file("report.txt").path))
    #expect(verdict.status == 0, "\(verdict.lines.filter { $0.hasPrefix("FAIL") })")
    #expect(!answer.text.contains("removed from the movie"), "\(answer.text)")
  }
}
