import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

extension CommandMissingTests {
  @Test(
    .enabled(
      if: CommandFailureTests.unprivileged != nil,
      "the tests run as root, and setpriv cannot run the program as nobody"))
  func whatMayNotBeRead() throws {
    let prefix = try #require(CommandFailureTests.unprivileged)
    try withTemporaryFolder { folder in
      func setMode(_ mode: Int, _ name: String) throws {
        try FileManager.default.setAttributes(
          [.posixPermissions: mode], ofItemAtPath: folder.appendingPathComponent(name).path)
      }
      let closed = folder.appendingPathComponent("closed")
      for place in [closed, folder.appendingPathComponent("out")] {
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      }
      _ = try Fixture.landscape.copy(to: closed)
      _ = try Fixture.portrait.copy(to: folder)
      for (mode, name) in [(0o777, "."), (0o777, "out"), (0, "IMG_0001.JPG")] { try setMode(mode, name) }
      defer { try? setMode(0o755, "closed") }
      // Marks and albums do not require reading the file.
      let readers = Self.fileCommands.filter { !["mark", "album", "forget"].contains($0[0]) }
      for command in readers {
        try expectFailure(
          command + ["IMG_0001.JPG"], "IMG_0001.JPG: cannot be read: permission denied", in: folder,
          prefix: prefix)
      }
      // First without any permission, then with permission to look up names but not to list them.
      for mode in [0o000, 0o111] {
        try setMode(mode, "closed")
        for command in Self.folderCommands {
          try expectFailure(
            command + ["closed"], "closed: cannot be read: permission denied", in: folder, prefix: prefix)
        }
        for command in Self.fileCommands {
          try expectFailure(
            command + ["closed/IMG_0003.JPG"], "cannot be read: permission denied", in: folder, prefix: prefix
          )
        }
      }
    }
  }

  /// A check that could not read every folder does not report that everything is fine.
  @Test(
    .enabled(
      if: CommandFailureTests.unprivileged != nil,
      "the tests run as root, and setpriv cannot run the program as nobody"))
  func aCheckThatMayNotLook() throws {
    let prefix = try #require(CommandFailureTests.unprivileged)
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      #expect(
        try Command.run("rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG", in: folder).status == 0)
      for (mode, name) in [(0o111, ".liveedit/versions"), (0, ".liveedit/versions"), (0, ".liveedit")] {
        let path = folder.appendingPathComponent(name).path
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let output = try Tools.run(prefix + [Command.path, "check"], in: folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        #expect(output.status == 1, "\(mode) \(name): \(output.text)")
      }
    }
  }
}
