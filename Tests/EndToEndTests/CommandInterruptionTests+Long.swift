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
        process.signal(SIGKILL)
        process.wait()
        // Any run in the folder completes or cleans up the interrupted change. This run then fails because its own file
        // is missing.
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

  /// Another process locks the folder, and each of these commands would wait ten seconds for it.
  @Test func aSignalEndsWhoeverWaits() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      _ = try Command.run("rotate", "--degrees", "90", "IMG_0001.JPG", in: folder)
      let first = try Command.start(
        "rotate", "--degrees", "90", "--speed", "slow", "IMG_0001.JPG", in: folder)
      try Event.wait(for: "a render") { isRendering(folder) }
      first.signal(SIGSTOP)
      let spoken = try TemporaryFolder()
      let waiting = try [
        ["rotate", "--degrees", "90", "IMG_0001.JPG"], ["revert", "IMG_0001.JPG"], ["redo", "IMG_0001.JPG"],
        ["mark", "--hidden", "IMG_0001.JPG"], ["album", "create", "A"], ["forget", "IMG_0001.JPG"],
      ].map { words in
        let said = spoken.file(words[0])
        return (try Child([Command.path] + words, in: folder, errors: .file(said)), said)
      }
      var quiet = waiting
      try Event.wait(for: "everybody to wait") {
        try quiet.removeAll { process, said in
          guard try String(contentsOf: said, encoding: .utf8).hasSuffix("\n") else { return false }
          process.signal(SIGTERM)
          return true
        }
        return quiet.isEmpty
      }
      for (process, said) in waiting {
        #expect(process.wait() == .signalled(SIGTERM))
        // After ten seconds it would have reported that the folder is being edited.
        let lines = try String(contentsOf: said, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 1 && lines[0].hasPrefix("liveedit: waiting for process"), "\(lines)")
      }
      first.signal(SIGKILL)
      first.wait()
    }
  }
}
