import FileSystem
import Foundation
import TestSupport
import Testing

/// The folders of the XDG Base Directory Specification.
@Suite struct UserFolderTests {
  @Test func theEnvironmentTells() {
    func paths(_ environment: [String: String]) -> [String?] {
      [UserFolder.configuration, .state].map { $0.path { environment[$0] } }
    }
    #expect(paths(["HOME": "/me"]) == ["/me/.config/liveedit", "/me/.local/state/liveedit"])
    #expect(paths(["HOME": "/me", "XDG_STATE_HOME": "/s"]) == ["/me/.config/liveedit", "/s/liveedit"])
    #expect(paths(["XDG_CONFIG_HOME": "/c"]) == ["/c/liveedit", nil])
    // Relative paths are ignored.
    #expect(paths(["HOME": "me", "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "s"]) == [nil, nil])
  }

  @Test func foldersAreMadeWithThoseAbove() throws {
    let folder = try TemporaryFolder()
    try Folder.createAll(folder.file("a/b/c").path)
    try Folder.createAll(folder.file("a/b/c").path)
    #expect(try Folder.names(in: folder.file("a/b/c").path) == [])
  }
}
