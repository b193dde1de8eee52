import EditModel
import Foundation
import TestSupport
import Testing

@testable import FileSystem
@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// Tests that the helper follows no link put in place after the check: it opens files by path, later than the
/// requesting process.
@Suite struct GuardedJobTests {
  @Test func theHelperFollowsNoLinkThatWasPutThere() throws {
    let folder = try TemporaryFolder()
    for name in ["top/sub", "victim"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: TestFiles.fixture("IMG_0001.JPG"), to: folder.file(name + "/IMG_0001.JPG"))
    }
    let top = folder.file("top").path
    for (name, target) in [("out", "../../victim/IMG_0001.JPG"), ("in", "IMG_0001.JPG")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(top)/sub/\(name).JPG", withDestinationPath: target)
    }
    let renderer = HelperRenderer(path: TestFiles.programs.appendingPathComponent("liveedit-render").path)
    func check(_ name: String) throws(EditError) {
      _ = try renderer.check(PictureCheckJob(photo: "\(top)/sub/\(name)"), isCancelled: { false })
    }
    func problem(_ name: String) -> EditError.Code? {
      do throws(EditError) { try check(name) } catch { return error.code }
      return nil
    }
    for name in ["IMG_0001.JPG", "in.JPG", "out.JPG"] { #expect(problem(name) == nil) }
    let guarded = try GuardedFolders.add(top + "/sub", in: HeldFolder(path: top))
    #expect(problem("IMG_0001.JPG") == nil && problem("in.JPG") == nil && problem("out.JPG") == .unsupported)
    try FileManager.default.moveItem(atPath: top + "/sub", toPath: top + "/.gone")
    try FileManager.default.createSymbolicLink(atPath: top + "/sub", withDestinationPath: "../victim")
    #expect(problem("IMG_0001.JPG") == .inTheWay)
    // Only the guarded folders of the job prevent that.
    GuardedFolders.remove([guarded])
    #expect(problem("IMG_0001.JPG") == nil)
  }
}
