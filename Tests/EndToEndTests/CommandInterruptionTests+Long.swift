import Foundation
import TestSupport
import Testing

extension CommandInterruptionTests {
  @Test func aKillLeavesTheOldStateOrTheNewOne() throws {
    try withTemporaryFolder { folder in
      let (before, after) = try states(folder)
      #expect(before != after)
      var start = Date()
      _ = try Command.run("rotate", "--degrees", "180", "IMG_0001.JPG", in: folder)
      _ = try Command.run("rotate", "--degrees", "180", "IMG_0001.JPG", in: folder)
      let whole = Date().timeIntervalSince(start) / 2
      var seen: Set<Bool> = []
      for step in 0..<16 {
        let process = try Command.start("rotate", "--degrees", "90", "IMG_0001.JPG", in: folder)
        start = Date()
        usleep(UInt32(whole * 1_000_000 * Double(step) / 14))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        // Any run on anything in the folder completes or clears; this one then fails at its own file.
        _ = try Command.run("rotate", "--degrees", "90", "none.JPG", in: folder)
        try wait(for: folder) { found in
          _ = try? Command.run("rotate", "--degrees", "90", "IMG_0001.AAE", "-o", ".", in: folder)
          return found == before || found == after
        }
        let found = try content(of: folder)
        #expect(found == before || found == after, "step \(step): \(found.keys.sorted())")
        seen.insert(found == after)
        if found == after {
          let back = try Command.run("rotate", "--degrees", "-90", "IMG_0001.JPG", in: folder)
          #expect(back.status == 0, "\(back.standardError)")
        }
        #expect(try content(of: folder) == before)
      }
      #expect(seen.contains(false))
    }
  }

  /// Another process keeps the folder, for which all of these wait ten seconds.
  @Test func aSignalEndsWhoeverWaits() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      _ = try Command.run("rotate", "--degrees", "90", "IMG_0001.JPG", in: folder)
      let first = try Command.start(
        "rotate", "--degrees", "90", "--speed", "slow", "IMG_0001.JPG", in: folder)
      try wait(for: folder) { _ in isRendering(folder) }
      kill(first.processIdentifier, SIGSTOP)
      let waiting = try [
        ["rotate", "--degrees", "90", "IMG_0001.JPG"], ["revert", "IMG_0001.JPG"], ["redo", "IMG_0001.JPG"],
        ["mark", "--hidden", "IMG_0001.JPG"], ["album", "create", "A"], ["forget", "IMG_0001.JPG"],
      ].map { words in
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Command.path)
        process.arguments = words
        process.currentDirectoryURL = folder
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
      }
      usleep(1_500_000)
      let start = Date()
      for process in waiting { kill(process.processIdentifier, SIGTERM) }
      for process in waiting {
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM)
      }
      // A second, and what a busy machine adds; they would wait for ten.
      #expect(Date().timeIntervalSince(start) < 5)
      kill(first.processIdentifier, SIGKILL)
      kill(first.processIdentifier, SIGCONT)
      first.waitUntilExit()
    }
  }
}
