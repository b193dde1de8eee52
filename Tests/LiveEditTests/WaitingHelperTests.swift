import Basics
import Foundation
import TestSupport
import Testing

@testable import FileSystem
@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

@Suite(.enabled(if: Tools.canCopyHelper)) struct WaitingHelperTests {
  private static let helper = TestFiles.programs.appendingPathComponent("liveedit-render").path

  /// Returns the position of the program in a helper's memory.
  private static func place(of helper: ChildProcess) throws -> String {
    let process = try #require(RunningProcess(helper.identifier))
    return String(try process.file("maps").prefix { $0 != "-" })
  }

  @Test func copiesAreMadeFromTheSecondJobOn() throws {
    let waiting = WaitingHelper()
    let helpers = try (0..<4).map { _ in try waiting.take(Self.helper) }
    let parents = try helpers.map { try #require(RunningProcess($0.identifier)).parent }
    #expect(parents[0] == getpid() && RunningProcess(parents[1])?.parent == getpid())
    #expect(Set(parents[1...]).count == 1)
    #expect(Set(helpers.map(\.identifier)).count == 4)
  }

  /// A helper that ended while it waited is not used any more.
  @Test func aHelperThatEndedIsNotTaken() throws {
    let waiting = WaitingHelper()
    for _ in 0..<2 { _ = try waiting.take(Self.helper) }
    let ended = try #require(waiting.helper?.identifier)
    kill(ended, SIGKILL)
    for _ in 0..<1000 where RunningProcess(ended) != nil { usleep(10_000) }
    usleep(100_000)
    let taken = try waiting.take(Self.helper)
    #expect(taken.identifier != ended && taken.wait(milliseconds: 100) == nil)
  }

  @Test func whatStandsInForTheHelperIsStartedForEachJob() throws {
    let waiting = WaitingHelper()
    for _ in 0..<4 {
      let helper = try waiting.take("/bin/cat")
      #expect(RunningProcess(helper.identifier)?.parent == getpid())
      helper.end()
    }
  }

  /// If the server is killed, its copies end too, and another server handles the next jobs.
  @Test func anotherServerFollowsOneThatWasKilled() throws {
    let waiting = WaitingHelper()
    for _ in 0..<2 { _ = try waiting.take(Self.helper) }
    let copy = try #require(waiting.helper)
    let server = try #require(RunningProcess(copy.identifier)).parent
    kill(server, SIGKILL)
    for _ in 0..<1000 where RunningProcess(copy.identifier) != nil { usleep(10_000) }
    // This request notices that the server has ended.
    _ = try waiting.take(Self.helper)
    let taken = try waiting.take(Self.helper)
    let parent = try #require(RunningProcess(taken.identifier)).parent
    #expect(parent != server && RunningProcess(parent)?.parent == getpid())
    taken.end()
  }

  /// All copies of a helper have the same memory layout. After a crash the layout changes, so a malicious file cannot
  /// use what it learned from the crashed helper.
  @Test func afterACrashHelpersLieElsewhereInMemory() throws {
    let renderer = HelperRenderer(path: Self.helper)
    func place() throws -> String {
      let helper = try renderer.waiting.take(Self.helper)
      defer { helper.end() }
      return try Self.place(of: helper)
    }
    _ = try place()
    let before = try place()
    #expect(try place() == before)
    let next = try #require(renderer.waiting.helper?.identifier)
    kill(next, SIGSTOP)
    let killer = Thread {
      // Once another helper waits, this helper has its job.
      while renderer.waiting.helper?.identifier == next { usleep(1000) }
      kill(next, SIGKILL)
    }
    killer.start()
    #expect(throws: EditError.self) { try renderer.description() }
    let after = try place()
    #expect(try place() == after)
    // If the system loads every program at the same address, the layout cannot change.
    let chance = try String(contentsOfFile: "/proc/sys/kernel/randomize_va_space", encoding: .utf8)
    #expect(after != before || chance.hasPrefix("0"))
  }
}
