import EditModel
import Foundation
import TestSupport
import Testing

@testable import FileSystem

/// A helper that a file has taken over gets nowhere. `attacked-helper` is the helper with one thing added: on the thread that
/// does the job, behind the walls, it tries what a mark in one of the job's files asks for. The attempts are system calls written
/// in C (Tests/Attempts).
@Suite(.serialized) struct AttackTests {
  private let scene: AttackScene
  /// What the kernel can refuse, by itself and not by what the helper says of it.
  private let (hasLandlock, hasCallFilters): (Bool, Bool)

  init() throws {
    scene = try AttackScene()
    (hasLandlock, hasCallFilters) = (try Kernel.hasLandlock(), try Kernel.hasCallFilters())
    #expect(AttackScene.attempts.count >= 40)
  }

  /// An attempt that the kernel can refuse was made, and refused.
  private func expectRefusal(_ attempt: String, _ outcome: String, _ place: String) {
    let isRefused = AttackScene.needsLandlock.contains(attempt) ? hasLandlock : hasCallFilters
    let isMade = outcome == "killed" || outcome.hasPrefix("refused ")
    #expect(isMade || !isRefused && outcome == "done", "\(attempt), \(place): \(outcome)")
    // From its version 3 on Landlock refuses this, too, with another number.
    if attempt == "empty_job_file", hasCallFilters {
      #expect(outcome.hasPrefix("refused \(ENOSYS)"), "\(place): \(outcome)")
    }
  }

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

  /// A command edits a folder of photos, all but the first and the last of which attack its helpers: those two are edited, of each
  /// other one a sentence says what happened, and nothing else is touched.
  @Test(.enabled(if: Tools.canCopyHelper)) func aCommandGoesOn() throws {
    let programs = scene.folder.file("programs")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: false)
    try MadePrograms.copy(TestFiles.programs.appendingPathComponent("liveedit"), to: programs)
    try MadePrograms.copy(
      URL(fileURLWithPath: AttackScene.helper), to: programs.appendingPathComponent("liveedit-render"))
    let photos = scene.folder.file("photos")
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: false)
    // The first and the last one.
    let harmless = ["0", "z"]
    for name in harmless { try scene.folder.write(scene.photo(), to: "photos/\(name).jpg") }
    for attempt in AttackScene.attempts {
      try scene.folder.write(scene.photo(attempt), to: "photos/\(attempt).jpg")
    }
    let answer = try Tools.run(
      [
        programs.appendingPathComponent("liveedit").path, "rotate", "--degrees", "90", "--jobs", "1",
        photos.path,
      ])
    #expect(answer.status != 0)
    let sentences = answer.standardError.split(separator: "\n")
    for attempt in AttackScene.attempts {
      let sentence = sentences.first { $0.contains("/\(attempt).jpg") } ?? ""
      let isKilled = sentence.contains("was stopped when it tried what decoding never does")
      let told = sentence.range(of: "by a copy: ").map { String(sentence[$0.upperBound...]) }
      expectRefusal(attempt, isKilled ? "killed" : told ?? String(sentence), "by a command")
      #expect(try scene.folder.read("photos/\(attempt).jpg") == scene.photo(attempt))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: photos.path).filter { !$0.hasPrefix(".") }
    let made = Set(names).subtracting((harmless + AttackScene.attempts).map { $0 + ".jpg" })
    #expect(made == Set(harmless.flatMap { [$0 + "_edited.jpg", $0 + ".AAE"] }))
    for name in harmless { #expect(try scene.folder.read("photos/\(name).jpg") == scene.photo()) }
    #expect(try scene.folder.read("o/secret") == Array("secret".utf8))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scene.other.path).sorted() == [
        "door", "port", "secret",
      ])
  }
}
