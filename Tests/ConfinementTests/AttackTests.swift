import EditModel
import Foundation
import TestSupport
import Testing

@testable import FileSystem

/// Tests that a helper taken over by a malicious file achieves nothing. `attacked-helper` is the helper with one
/// addition: on the confined thread that does the job, it makes the attempt named by a mark in one of the job's files.
/// The attempts are system calls written in C (Tests/Attempts).
@Suite(.serialized) struct AttackTests {
  let scene: AttackScene
  /// Whether the kernel supports Landlock and system call filters, according to the kernel rather than the helper.
  private let (hasLandlock, hasCallFilters): (Bool, Bool)

  init() throws {
    scene = try AttackScene()
    (hasLandlock, hasCallFilters) = (try Kernel.hasLandlock(), try Kernel.hasCallFilters())
    #expect(AttackScene.attempts.count >= 40)
  }

  /// Checks that the attempt was made, and was refused if the kernel can refuse it.
  func expectRefusal(_ attempt: String, _ outcome: String, _ place: String) {
    let isRefused = AttackScene.needsLandlock.contains(attempt) ? hasLandlock : hasCallFilters
    let isMade = outcome == "killed" || outcome.hasPrefix("refused ")
    #expect(isMade || !isRefused && outcome == "done", "\(attempt), \(place): \(outcome)")
    // From version 3 on, Landlock refuses this attempt too, with another error number.
    if attempt == "empty_job_file", hasCallFilters {
      #expect(outcome.hasPrefix("refused \(ENOSYS)"), "\(place): \(outcome)")
    }
  }

  /// A command edits a folder of photos. All except the first and the last attack its helpers. Those two are edited,
  /// each of the others gets one error message, and no other file changes.
  @Test(.enabled(if: Tools.canCopyHelper)) func aCommandGoesOn() throws {
    let programs = scene.folder.file("programs")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: false)
    try MadePrograms.copy(TestFiles.programs.appendingPathComponent("liveedit"), to: programs)
    try MadePrograms.copy(
      URL(fileURLWithPath: AttackScene.helper), to: programs.appendingPathComponent("liveedit-render"))
    let photos = scene.folder.file("photos")
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: false)
    // The first and the last photo.
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
      let isKilled = sentence.contains("was stopped because it made a forbidden system call")
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
