import EditModel
import Foundation
import TestSupport
import Testing

@testable import FileSystem

extension AttackTests {
  /// The attempts that succeed where a helper has no walls: without that, a test of them could not fail.
  private func expectMostToSucceed(_ outcomes: [String]) {
    let failed = zip(AttackScene.attempts, outcomes).filter { $0.1 != "done" }
    #expect(outcomes.count - failed.count >= 40, "without walls these fail: \(failed)")
    // More of them need an administrator with all rights, as few test machines give.
    guard Cases.areAllRun, getuid() == 0 else { return }
    let never: Set = ["read_memory", "enter_namespace", "raise_limit", "control_terminal"]
    #expect(never.isSuperset(of: failed.map(\.0)), "without walls these fail: \(failed)")
  }

  /// The first job of a command.
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

  /// All later ones, of every kind. What Landlock refuses depends on the kind: of the rest a quick run tries renders alone.
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
