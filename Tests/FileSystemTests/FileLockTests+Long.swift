import Foundation
import TestSupport
import Testing

@testable import FileSystem

extension FileLockTests {
  @Test(
    .enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace),
    arguments: ["EOPNOTSUPP", "ENOLCK", "ENOSYS", "EINVAL"])
  func aFileSystemWithoutLocksIsToldApartWhereItMatters(_ error: String) throws {
    for (operation, said) in [("lock", ""), ("strictLock", "unsupported\n")] {
      let folder = try FailingCallTests.folder()
      let run = try Tools.run([
        "strace", "-o", "/dev/null", "-e", "trace=flock", "-e", "inject=flock:error=\(error)",
        Programs.failingCalls, operation, folder.url.path,
      ])
      #expect(run.status == 0 && run.text == said, "\(operation): \(run.standardError)")
    }
  }
}
