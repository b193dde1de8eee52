import Foundation
import TestSupport
import Testing

/// Tests of processes that are stopped or killed at any moment.
@Suite(.serialized) struct CommandInterruptionTests {
  /// Waits until the folder satisfies a condition; the caller must check it again afterwards.
  func wait(for folder: URL, until condition: ([String: Data]) -> Bool) throws {
    for _ in 0..<100 {
      if condition(try content(of: folder)) { return }
      usleep(50_000)
    }
  }

  /// Whether a render is in progress.
  func isRendering(_ folder: URL) -> Bool {
    let work = folder.appendingPathComponent(".liveedit/work").path
    return (try? FileManager.default.contentsOfDirectory(atPath: work))?.isEmpty == false
  }

  /// Returns the contents of a folder before and after a second rotation, and leaves the folder as it was before that
  /// rotation.
  func states(_ folder: URL) throws -> (before: [String: Data], after: [String: Data]) {
    _ = try Fixture.portrait.copy(to: folder)
    func turn(_ degrees: String) throws -> [String: Data] {
      let output = try Command.run("rotate", "--degrees", degrees, "IMG_0001.JPG", in: folder)
      guard output.status == 0 else { throw ToolFailure(output.standardError) }
      return try content(of: folder)
    }
    _ = try turn("90")
    let after = try turn("90")
    let before = try turn("-90")
    return (before, after)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalStopsAndCleansUp(_ signal: Int32) throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      let before = try content(of: folder)
      let process = try Command.start(
        "rotate", "--degrees", "90", "--speed", "slow", "IMG_0001.JPG", in: folder)
      try Event.wait(for: "a render") { isRendering(folder) }
      process.signal(signal)
      #expect(process.wait() == .signalled(signal))
      #expect(try content(of: folder) == before)
    }
  }

  @Test func aSignalThatIsToBeIgnoredIsIgnored() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      let process = try Child(
        [
          "sh", "-c", "trap '' HUP INT; exec \"$0\" rotate --degrees 90 --speed slow IMG_0001.JPG",
          Command.path,
        ],
        in: folder)
      try Event.wait(for: "a render") { isRendering(folder) }
      process.signal(SIGHUP)
      process.signal(SIGINT)
      #expect(process.wait() == .exited(0))
      #expect(try content(of: folder).count == 5)
    }
  }

  @Test func aHelperThatIsKilledIsASentence() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      let before = try content(of: folder)
      // A copy of the program beside a helper that exits at once.
      let programs = folder.appendingPathComponent("programs")
      try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: false)
      try MadePrograms.copy(Command.programs.appendingPathComponent("liveedit"), to: programs)
      let helper = programs.appendingPathComponent("liveedit-render")
      func attempt(_ script: String) throws -> ToolOutput {
        try MadePrograms.write(script, to: helper)
        return try Tools.run(
          [programs.appendingPathComponent("liveedit").path, "rotate", "--degrees", "90", "IMG_0001.JPG"],
          in: folder)
      }
      let missing = try Tools.run(
        [programs.appendingPathComponent("liveedit").path, "rotate", "--degrees", "90", "IMG_0001.JPG"],
        in: folder)
      #expect(
        missing.status == 1
          && missing.standardError.contains("liveedit-render is not in the same folder as liveedit"))
      for (script, word) in [
        ("kill -SEGV $$", "signal 11"), ("exit 0", "without a result"), ("echo nonsense", "unreadable reply"),
        ("head -c 9000000 /dev/zero | tr '\\0' x", "unreadable reply"),
      ] {
        let output = try attempt(script)
        #expect(output.status == 1)
        #expect(output.standardError.contains(word), "\(output.standardError)")
        #expect(output.sentences.count == 1)
      }
      try FileManager.default.removeItem(at: programs)
      #expect(try content(of: folder) == before)
    }
  }

  @Test func twoAtOnceAreKeptApart() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      let first = try Command.start(
        "rotate", "--degrees", "90", "--speed", "slow", "IMG_0001.JPG", in: folder)
      try Event.wait(for: "a render") { isRendering(folder) }
      first.signal(SIGSTOP)
      let second = try Command.run("rotate", "--degrees", "90", "IMG_0001.MOV", in: folder)
      first.signal(SIGCONT)
      #expect(second.status == 1)
      #expect(second.standardError.contains("being edited by another liveedit"))
      #expect(first.wait() == .exited(0))
      #expect(try content(of: folder).count == 5)
    }
  }
}
