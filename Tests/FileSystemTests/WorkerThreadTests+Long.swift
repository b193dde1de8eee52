import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FileSystem

extension WorkerThreadTests {
  @Test(
    .enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace),
    arguments: 1...3)
  func withoutAThreadTheCallerDoesThatPart(_ number: Int) throws {
    let folder = try TemporaryFolder()
    let run = try Tools.run([
      "strace", "-f", "-o", "/dev/null", "-e", "trace=clone,clone3", "-e",
      "inject=clone,clone3:error=EAGAIN:when=\(number)+", Programs.failingCalls, "threads", folder.url.path,
    ])
    #expect(run.text == "[0, 1, 2, 3]\n", "\(run.standardError)")
  }
}
