import Foundation
import TestSupport
import Testing

/// Runs a short version of Tests/Long/fault/fault-test; run by hand, that script tries every command that writes, and
/// more moments.
@Suite struct FaultTests {
  static let script = TestFiles.project.appendingPathComponent("Tests/Long/fault/fault-test").path

  /// Whether a kind of fault can be tried here. If not, as in a container without mounts, prints the reason.
  static func canRun(_ kind: String) throws -> Bool {
    let answer = try Tools.run([script, "--kind", kind, "--can-run"])
    if answer.status == 77 { print(answer.text) }
    return answer.status != 77
  }

  /// Tries a kind of fault, and expects that something was tried and nothing was lost.
  ///
  /// - Returns: The output of the script.
  @discardableResult
  private func run(_ kind: String, _ options: [String]) throws -> String {
    let output = try Tools.run([Self.script, "--programs", Command.programs.path, "--kind", kind] + options)
    print(output.text)
    #expect(output.status == 0, "\(output.text)\(output.standardError)")
    let tried = try #require(output.text.firstMatch(of: /(\d+) points tried, 0 lost/))
    #expect(try #require(Int(tried.1)) > 0)
    return output.text
  }

  /// Fills the disk in steps of 100 KiB. A quick run tries two edits of a photo without versions.
  @Test(.enabled("see Tests/Long/fault/fault-test --kind full --can-run", { try FaultTests.canRun("full") }))
  func aFullDiskLosesNothing() throws {
    let scenarios = Cases.chosen([
      "first", "baked", "elsewhere", "redo", "revert", "second", "fourth", "forget",
    ]) {
      index, _ in index < 2
    }
    let told = try run("full", ["--step", "100"] + scenarios.flatMap { ["--scenario", $0] })
    // Each scenario fails without enough space and succeeds twice with enough space.
    func count(_ state: Regex<(Substring, Substring)>) -> Int {
      told.matches(of: state).compactMap { Int($0.1) }.reduce(0, +)
    }
    #expect(count(/(\d+) old/) >= scenarios.count && count(/(\d+) new/) >= 2 * scenarios.count, "\(told)")
  }

  @Test(
    .enabled(
      "see Tests/Long/fault/fault-test --kind read-only --can-run", { try FaultTests.canRun("read-only") }))
  func aReadOnlyFolderIsRefusedAndCanBeEditedElsewhere() throws {
    try run("read-only", ["--scenario", "first"])
  }

  @Test(
    .enabled("see Tests/Long/fault/fault-test --kind remote --can-run", { try FaultTests.canRun("remote") }))
  func aFileSystemThatFailsHalfWayLosesNothing() throws {
    try run("remote", ["--scenario", "first", "--moments", "1"])
  }

  @Test(
    .enabled(
      "see Tests/Long/fault/fault-test --kind no-locks --can-run", { try FaultTests.canRun("no-locks") }))
  func aFileSystemWithoutLocksIsRefused() throws {
    try run("no-locks", ["--scenario", "first", "--scenario", "elsewhere"])
  }

  @Test(
    .enabled(
      "see Tests/Long/fault/fault-test --kind permission --can-run", { try FaultTests.canRun("permission") }))
  func permissionLostHalfWayLosesNothing() throws {
    try run("permission", ["--scenario", "first", "--moments", "1"])
  }

  @Test(
    .enabled("see Tests/Long/fault/fault-test --kind clock --can-run", { try FaultTests.canRun("clock") }))
  func aClockThatGoesBackChangesNothing() throws {
    try run("clock", ["--scenario", "revert"])
  }

  @Test func anOriginalThatIsReplacedIsNoticed() throws {
    try run("replaced", ["--scenario", "rotate", "--moments", "2"])
  }

  @Test(
    .enabled("see Tests/Long/fault/fault-test --kind opened --can-run", { try FaultTests.canRun("opened") }))
  func anOriginalThatIsReplacedAtItsOpeningIsNoticed() throws {
    try run("opened", ["--scenario", Cases.areAllRun ? "rotate" : "still"])
  }
}
