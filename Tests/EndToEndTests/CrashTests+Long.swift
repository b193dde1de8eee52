import Foundation
import TestSupport
import Testing

/// Runs a short version of Tests/Long/crash/crash-test; run by hand, that script tries every point.
@Suite struct CrashTests {
  static let script = TestFiles.project.appendingPathComponent("Tests/Long/crash/crash-test").path

  /// Killing a commit at any point loses nothing. A quick run uses one scenario of each kind, because preparing and
  /// recording all of them takes far longer than trying the points: an edit without a library, an edit of two assets, a
  /// command that creates new files, and an edit whose helper encodes. The script's own short run leaves out the last
  /// one. With all cases, the test does the whole short run and then that scenario.
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
      // Without this check, the stand-in for the helper might leave it undisturbed.
      #expect(output.text.contains(/[1-9]\d* of the helper/))
      #expect(output.text.contains("order as power loss needs it"))
    }
  }

  /// Killing the server or its helpers at any rename, or failing that rename, loses nothing.
  /// Tests/Long/services/serve-test tries all system calls.
  @Test(.enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace))
  func noPointOfAServedEditLosesAnything() throws {
    try Self.disturbRenames("serve-test")
  }

  /// Runs a script that disturbs a command at every rename, and expects that nothing is lost. A quick run omits
  /// near-duplicates: a kill after a rename equals one before the next rename, and a full disk equals a broken one.
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

  /// Commands that rename originals lose nothing if they are killed or fail at some of their system calls.
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

  /// Makes some edits and kills a dozen of them; run by hand, the script makes twenty thousand edits.
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

  /// Runs a few rounds; run by hand, the script takes ten minutes.
  @Test func damagedFilesAndLibrariesHarmNothing() throws {
    let script = TestFiles.project.appendingPathComponent("Tests/Long/damage/damage-test").path
    let output = try Tools.run([script, "--programs", Command.programs.path, "--rounds", "24"])
    #expect(output.status == 0, "\(output.text)\(output.standardError)")
    let rounds = try #require(output.text.firstMatch(of: /(\d+) rounds, .* 0 wrong/))
    #expect(rounds.1 == "24")
  }
}
