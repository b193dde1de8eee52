import Foundation
import TestSupport
import Testing

/// Runs Tests/Long/crash/crash-test in short; by hand it tries every point.
@Suite struct CrashTests {
  static let script = TestFiles.project.appendingPathComponent("Tests/Long/crash/crash-test").path

  /// A quick run takes a scenario of each kind, since preparing and recording all of them takes far longer than the points: an
  /// edit without a library, one of two assets, what makes new files, and one whose helper encodes, which the short run of the script leaves out. With all cases it is the whole short run, and then that one.
  @Test(.enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace))
  func noPointOfACommitLosesAnything() throws {
    let quick = ["first", "block", "export", "baked"]
    let runs: [[String]] = Cases.areAllRun ? [[], ["baked"]] : [quick]
    for names in runs {
      let output = try Tools.run(
        [
          Self.script, "--programs", Command.programs.path, "--points", "16", "--rounds", "4",
        ] + names.flatMap { ["--scenario", $0] })
      print(output.text)
      #expect(output.status == 0, "\(output.text)\(output.standardError)")
      let tried = try #require(output.text.firstMatch(of: /(\d+) points tried/))
      #expect(try #require(Int(tried.1)) > 0)
      // The stand-in for the helper might let it go undisturbed.
      #expect(output.text.contains(/[1-9]\d* of the helper/))
      #expect(output.text.contains("order as power loss needs it"))
    }
  }

  /// The server and its helpers, killed at any rename, and failed at it. Tests/Long/services/serve-test takes all calls.
  @Test(.enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace))
  func noPointOfAServedEditLosesAnything() throws {
    try Self.disturbRenames("serve-test")
  }

  /// Runs a script that disturbs a command at every rename, and expects that nothing is lost. A quick run leaves out what is much
  /// the same: a kill behind a rename and one before the next, a full disk and a broken one.
  static func disturbRenames(_ script: String, _ options: String...) throws {
    let path = TestFiles.project.appendingPathComponent("Tests/Long/services/" + script).path
    let output = try Tools.run(
      [path, "--programs", Command.programs.path, "--calls", "renameat2"] + options
        + (Cases.areAllRun ? [] : ["--kinds", "before", "EIO"]))
    print(output.text)
    #expect(output.status == 0, "\(output.text)\(output.standardError)")
    let tried = try #require(output.text.firstMatch(of: /(\d+) points/))
    #expect(try #require(Int(tried.1)) >= 8)
  }

  /// The commands that give originals other names, each killed and failed at a few of their calls.
  @Test(.enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace))
  func noPointOfAMoveLosesAnything() throws {
    let scenarios = Cases.chosen(["move", "follow", "accept", "rename", "plain", "chase"]) { index, _ in
      index < 2
    }.flatMap { ["--scenario", $0] }
    let output = try Tools.run(
      [
        Self.script, "--programs", Command.programs.path, "--points", Cases.areAllRun ? "30" : "10",
        "--rounds", "0",
      ] + scenarios)
    print(output.text)
    #expect(output.status == 0, "\(output.text)\(output.standardError)")
    let tried = try #require(output.text.firstMatch(of: /(\d+) points tried/))
    #expect(try #require(Int(tried.1)) > 0)
    #expect(output.text.contains("order as power loss needs it"))
  }

  /// Some edits, and a dozen of them killed; by hand twenty thousand.
  @Test func soakedFoldersLoseNothing() throws {
    let script = TestFiles.project.appendingPathComponent("Tests/Long/load/soak-test").path
    let output = try Tools.run([
      script, "--programs", Command.programs.path, "--edits", "40", "--kills", "6", "--assets", "8",
      "--workers", "2", "--crowd", "12", "--parts", "4",
    ])
    #expect(output.status == 0, "\(output.text)\(output.standardError)")
    #expect(output.text.contains("nothing lost"))
    let done = try #require(output.text.firstMatch(of: /4 of 4: {'edits': (\d+), .*'killed': (\d+)/))
    #expect(try #require(Int(done.1)) >= 40 && #require(Int(done.2)) >= 6)
  }

  /// A few rounds; by hand ten minutes of them.
  @Test func damagedFilesAndLibrariesHarmNothing() throws {
    let script = TestFiles.project.appendingPathComponent("Tests/Long/damage/damage-test").path
    let output = try Tools.run([script, "--programs", Command.programs.path, "--rounds", "24"])
    #expect(output.status == 0, "\(output.text)\(output.standardError)")
    let rounds = try #require(output.text.firstMatch(of: /(\d+) rounds, .* 0 wrong/))
    #expect(rounds.1 == "24")
  }
}
