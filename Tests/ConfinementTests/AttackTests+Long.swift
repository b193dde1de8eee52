import EditModel
import Foundation
import TestSupport
import Testing

@testable import FileSystem

extension AttackTests {
  /// Checks that most attempts succeed in a helper without confinement. If they did not, a test of the confinement
  /// could not fail.
  private func expectMostToSucceed(_ outcomes: [String]) {
    let failed = zip(AttackScene.attempts, outcomes).filter { $0.1 != "done" }
    #expect(outcomes.count - failed.count >= 40, "without walls these fail: \(failed)")
    // The other attempts need an administrator with all capabilities, which few test machines provide.
    guard Cases.areAllRun, getuid() == 0 else { return }
    let never: Set = ["read_memory", "enter_namespace", "raise_limit", "control_terminal"]
    #expect(never.isSuperset(of: failed.map(\.0)), "without walls these fail: \(failed)")
  }

  /// Tests the first job of a command.
  @Test func aHelperThatWasStartedIsHeld() throws {
    for attempt in AttackScene.attempts {
      let helper = try ChildProcess(executable: AttackScene.helper, environment: ["LD_LIBRARY_PATH"])
      expectRefusal(attempt, try scene.outcome(of: helper, isCopy: false, attempt, .render), "started")
    }
    expectMostToSucceed(
      try AttackScene.attempts.map { attempt in
        let helper = try ChildProcess(executable: AttackScene.helper, arguments: ["--without-walls"])
        return try scene.outcome(of: helper, isCopy: false, attempt, .render)
      })
  }

  /// Tests the later jobs of a command, of every kind. Landlock's refusals depend on the kind of job; a quick run tries
  /// the other attempts only with renders.
  @Test(
    .enabled(if: Tools.canCopyHelper),
    arguments: Cases.chosen([.render] + JobKind.others) { index, _ in index % 6 == 0 })
  func aCopyIsHeld(for kind: JobKind) throws {
    let server = try ForkServer(
      executable: AttackScene.helper, arguments: [], environment: ["LD_LIBRARY_PATH"])
    let attempts = Cases.chosen(AttackScene.attempts) { _, attempt in
      kind.testDescription == JobKind.render.testDescription || AttackScene.needsLandlock.contains(attempt)
    }
    for attempt in attempts {
      let outcome = try scene.outcome(of: server.copy(), isCopy: true, attempt, kind)
      expectRefusal(attempt, outcome, kind.testDescription)
    }
  }

  @Test(.enabled(if: Tools.canCopyHelper)) func aCopyWithoutWallsIsNotHeld() throws {
    let server = try ForkServer(
      executable: AttackScene.helper, arguments: ["--without-walls"], environment: ["LD_LIBRARY_PATH"])
    expectMostToSucceed(
      try AttackScene.attempts.map {
        try scene.outcome(of: server.copy(), isCopy: true, $0, .render)
      })
  }
}
