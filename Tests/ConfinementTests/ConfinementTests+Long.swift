import EditModel
import Foundation
import TestSupport
import Testing

@testable import FileSystem

extension ConfinementTests {
  /// If the kernel lacks one part of the confinement, the other parts still apply, the job can still be done, and the
  /// state reports the parts that apply.
  @Test(.enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace))
  func whatTheKernelLacksIsSaid() throws {
    let whole = try render().state
    for (call, error) in [
      ("landlock_create_ruleset", "EOPNOTSUPP"), ("seccomp", "EINVAL"), ("prctl", "EINVAL"),
      ("capset", "EPERM"),
    ] {
      let (state, isDone) = try render(by: [
        "strace", "-f", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):error=\(error)",
      ])
      #expect(isDone, "\(call)")
      #expect(state.limits == whole.limits)
      // Landlock and the call filter work independently of each other, but both require that no new privileges can be
      // gained.
      #expect(state.landlock == (["seccomp", "capset"].contains(call) ? whole.landlock : 0))
      #expect(
        state.allowedCalls == (["landlock_create_ruleset", "capset"].contains(call) ? whole.allowedCalls : 0))
      #expect(state.isWithoutNewPrivileges == (call != "prctl"))
      #expect(state.isWithoutCapabilities == (call != "capset"))
    }
  }

  /// If the kernel supports a part of the confinement but its call fails, the job ends with one error message.
  @Test(
    .enabled("this kernel has no Landlock", Kernel.hasLandlock),
    .enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace))
  func aKernelThatFailsEndsTheJob() throws {
    let log = folder.file("log").path
    _ = try render(by: ["strace", "-f", "-o", log, "-e", "trace=seccomp"])
    // The library queries the kernel's features before it loads the filter.
    let filter = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count {
      $0.contains("seccomp(")
    }
    for (call, error, number) in [
      ("landlock_create_ruleset", "EMFILE", 2), ("landlock_restrict_self", "ENOMEM", 1),
      ("seccomp", "ENOMEM", filter), ("capset", "ENOMEM", 1), ("prctl", "ENOMEM", nil),
      ("prlimit64", "ENOMEM", nil),
    ] {
      let told = try answers(by: [
        "strace", "-f", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
        "inject=\(call):error=\(error)" + (number.map { ":when=\($0)" } ?? ""),
      ]).told
      guard told.count == 1, case .error(let failure) = told[0] else {
        throw ToolFailure("\(call): no error alone: \(told)")
      }
      #expect(failure.problem.description.hasPrefix("liveedit-render cannot confine itself ("), "\(call)")
      #expect(!FileManager.default.fileExists(atPath: output.path), "\(call)")
    }
  }

  @Test(.enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace))
  func whatIsInheritedIsClosedOneByOne() throws {
    try expectInheritedIsClosed(by: [
      "strace", "-f", "-o", "/dev/null", "-e", "inject=close_range:error=ENOSYS",
    ])
  }

  /// The confinement is complete before a second thread starts and before any file of the job is opened.
  @Test(
    .enabled("this kernel has no Landlock", Kernel.hasLandlock),
    .enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace))
  func theWallsStandBeforeAFileIsOpened() throws {
    let (photo, log) = (folder.file("photo.jpg").path, folder.file("log").path)
    let script = """
      printf '%s\\n' '{"preview":{"_0":{"photo":"\(photo)"}}}' | strace -f -y -o '\(log)' \
        -e trace=seccomp,landlock_restrict_self,prlimit64,clone,openat '\(Self.helper)'
      """
    _ = try Tools.run(["sh", "-c", script])
    let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    func places(_ part: String) -> [Int] { calls.indices.filter { calls[$0].contains(part) } }
    let isWhole = try #require(places("landlock_restrict_self(").first { calls[$0].hasSuffix("= 0") })
    let filtered = try #require(places("seccomp(SECCOMP_SET_MODE_FILTER").last { calls[$0].hasSuffix("= 0") })
    let thread = try #require(places("clone(").first { calls[$0].contains("CLONE_THREAD") })
    #expect(filtered < isWhole && isWhole < thread)
    let opened = places("<\(photo)>").filter { calls[$0].contains("= ") && !calls[$0].contains("O_PATH") }
    #expect(!opened.isEmpty && opened.allSatisfy { $0 > isWhole })
    // The memory limit for reading the job's headers is also set before a file is opened. The limit for the job itself
    // follows and cannot be raised.
    let limits = places("prlimit64(0, RLIMIT_DATA, {").map { calls[$0] }
    let first = try #require(places("prlimit64(0, RLIMIT_DATA, {").first)
    #expect(opened.allSatisfy { $0 > first } && limits.count == 3)
  }
}
