import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

extension HelpTextTests {
  /// If the kernel lacks a feature that confines the helper, `version --verbose` says so, and edits still work.
  @Test(
    .enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace),
    arguments: [
      ("landlock_create_ruleset", "EOPNOTSUPP", "not confined, because Landlock is missing or disabled"),
      ("seccomp", "EINVAL", "not confined, because seccomp filters are missing or forbidden"),
    ])
  func whatTheKernelLacksIsSaid(_ call: String, _ error: String, _ words: String) throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      let trace = [
        "strace", "-f", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):error=\(error)",
      ]
      let told = try Tools.run(trace + [Command.path, "version", "--verbose"], in: folder)
      #expect(told.status == 0 && told.text.contains(words), "\(told.text)\(told.standardError)")
      let edited = try Tools.run(
        trace + [Command.path, "rotate", "--degrees", "90", "IMG_0001.JPG"], in: folder)
      #expect(edited.status == 0, "\(edited.standardError)")
      #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("IMG_E0001.JPG").path))
    }
  }
}
