import Basics
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Studio

@Suite struct PreviewTests {
  /// The cache never exceeds its limit, and keeps the most recently used files.
  @Test func theCacheIsBounded() throws {
    let folder = try TemporaryFolder()
    let cache = ScreenMediaCache(path: folder.file("cache").path, limit: 100_000)
    for number in 0..<60 {
      try cache.make("file\(number)") { path throws(EditError) in
        do { try Data(count: 5000).write(to: URL(fileURLWithPath: path)) } catch {
          throw EditError(.fileSystem, "\(error)")
        }
      }
      // This file is used all the time.
      #expect(cache.source("file0") != nil, "\(number)")
      // The cache compares timestamps, which some file systems store in milliseconds.
      usleep(2000)
    }
    #expect(cache.size <= 105_000)
    #expect(cache.source("file59") != nil && cache.source("file1") == nil)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("cache").path)
    #expect(names.allSatisfy { $0.hasPrefix("file") })
    cache.prune()
    #expect(cache.size <= 100_000)
  }

  @Test func whatFailsLeavesNothing() throws {
    let folder = try TemporaryFolder()
    let cache = ScreenMediaCache(path: folder.file("cache").path, limit: 100_000)
    #expect(throws: EditError.self) {
      try cache.make("broken") { path throws(EditError) in
        try? Data(count: 10).write(to: URL(fileURLWithPath: path))
        throw EditError(.invalidFile, "is broken")
      }
    }
    #expect(cache.source("broken") == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("cache").path) == [])
  }

  /// Work that waits until a gate is open, and a log of the order of the work.
  private final class Log: Sendable {
    let done = Mutex<[String]>([])
    /// The names of the work that has started.
    let begun = Mutex<[String]>([])
    let isOpen = Atomic<Bool>(false)

    func order(
      _ name: String, asset: String? = nil, gated: Bool = false,
      isClosed: @escaping @Sendable () -> Bool = { false }
    ) -> ScreenMediaQueue.Order {
      ScreenMediaQueue.Order(name: name, asset: asset ?? name, lane: .movies, isClosed: isClosed) {
        isCancelled throws(EditError) in
        self.begun.withLock { $0.append(name) }
        while gated, !self.isOpen.load(ordering: .relaxed) {
          if isCancelled() { throw EditError(.cancelled, "stopped") }
          usleep(2000)
        }
        self.done.withLock { $0.append(name) }
      }
    }
  }

  /// Waits until work has started. Before that, other work could be chosen first, or the work could be cancelled
  /// because it is no longer wanted.
  private func waitForBeginning(of name: String, _ log: Log) async throws {
    try await wait { log.begun.withLock { $0.contains(name) } }
  }

  private func waitFor(_ count: Int, in queue: ScreenMediaQueue) async throws {
    try await wait { queue.count == count }
  }

  /// Waits until a condition holds. Other tests may occupy all threads of the pool for a while.
  private func wait(until holds: () -> Bool) async throws {
    for _ in 0..<150_000 where !holds() { try await Task.sleep(for: .milliseconds(2)) }
    #expect(holds())
  }

  /// Without a view, the last request is handled first. With a view, its order applies, and requests outside it are
  /// cancelled.
  @Test func theViewDecidesWhatComesFirst() async throws {
    let (queue, log) = (ScreenMediaQueue(), Log())
    func ask(_ name: String, gated: Bool = false) -> Task<Bool, Never> {
      Task { (try? await queue.make(log.order(name, gated: gated))) != nil }
    }
    var asked = [ask("first", gated: true)]
    try await waitForBeginning(of: "first", log)
    for (index, name) in ["a", "b", "c", "d"].enumerated() {
      asked.append(ask(name))
      try await waitFor(index + 2, in: queue)
    }
    #expect(queue.look(at: ["first", "b", "a", "d"]) == 1)
    log.isOpen.store(true, ordering: .relaxed)
    var results: [Bool] = []
    for task in asked { results.append(await task.value) }
    #expect(results == [true, true, true, false, true])
    #expect(log.done.withLock { $0 } == ["first", "b", "a", "d"])
  }

  /// Pictures in one window's view are not cancelled because of another window's view.
  @Test func twoWindowsKeepEachOthersPreviews() async throws {
    let (queue, log) = (ScreenMediaQueue(), Log())
    func ask(_ name: String, gated: Bool = false) -> Task<Bool, Never> {
      Task { (try? await queue.make(log.order(name, gated: gated))) != nil }
    }
    #expect(queue.look(at: ["first", "a", "b"], by: "one") == 0)
    #expect(queue.look(at: ["c"], by: "two") == 0)
    var asked = [ask("first", gated: true)]
    try await waitForBeginning(of: "first", log)
    for (index, name) in ["a", "b", "c", "d"].enumerated() {
      asked.append(ask(name))
      try await waitFor(index + 2, in: queue)
    }
    // No window shows d any more; then the first window shows other pictures.
    #expect(queue.look(at: ["c"], by: "two") == 1)
    #expect(queue.look(at: ["first", "b"], by: "one") == 1)
    log.isOpen.store(true, ordering: .relaxed)
    var results: [Bool] = []
    for task in asked { results.append(await task.value) }
    #expect(results == [true, false, true, true, false])
    #expect(log.done.withLock { $0 } == ["first", "c", "b"])
  }

  @Test func withoutAViewTheLatestComesFirst() async throws {
    let (queue, log) = (ScreenMediaQueue(), Log())
    let first = Task { try await queue.make(log.order("first", gated: true)) }
    try await waitForBeginning(of: "first", log)
    var asked: [Task<Void, any Error>] = []
    for (index, name) in ["a", "b", "c"].enumerated() {
      asked.append(Task { try await queue.make(log.order(name)) })
      try await waitFor(index + 2, in: queue)
    }
    log.isOpen.store(true, ordering: .relaxed)
    try await first.value
    for task in asked { try await task.value }
    #expect(log.done.withLock { $0 } == ["first", "c", "b", "a"])
  }

  /// Pictures that no client waits for are not made, and work for them is stopped. Two clients that request the same
  /// picture share one run.
  @Test func whoGoesAwayWantsNothing() async throws {
    let (queue, log) = (ScreenMediaQueue(), Log())
    let isGone = Flagged()
    let running = Task { try await queue.make(log.order("running", gated: true, isClosed: { isGone.value })) }
    try await waitForBeginning(of: "running", log)
    let waiting = Task { try await queue.make(log.order("waiting", isClosed: { isGone.value })) }
    try await waitFor(2, in: queue)
    let twice = (0..<2).map { _ in Task { try await queue.make(log.order("twice")) } }
    try await waitFor(3, in: queue)
    isGone.set()
    for task in twice { try await task.value }
    await #expect(throws: RouteError.self) { try await running.value }
    await #expect(throws: RouteError.self) { try await waiting.value }
    #expect(log.done.withLock { $0 } == ["twice"])
    queue.end()
    await #expect(throws: RouteError.self) { try await queue.make(log.order("late")) }
  }

  /// A client that requests a picture while its work is being cancelled still gets the picture.
  @Test func whatIsGivenUpIsBegunAnew() async throws {
    let (queue, log) = (ScreenMediaQueue(), Log())
    let (isGone, wasTold) = (Flagged(), Flagged())
    var order = log.order("one", isClosed: { isGone.value })
    order.make = { isCancelled throws(EditError) in
      log.begun.withLock { $0.append("one") }
      while !isCancelled() { usleep(2000) }
      wasTold.set()
      while !log.isOpen.load(ordering: .relaxed) { usleep(2000) }
      throw EditError(.cancelled, "stopped")
    }
    let running = Task { [order] in try await queue.make(order) }
    try await waitForBeginning(of: "one", log)
    isGone.set()
    try await wait { wasTold.value }
    let late = Task { try await queue.make(log.order("one")) }
    try await Task.sleep(for: .milliseconds(100))
    log.isOpen.store(true, ordering: .relaxed)
    await #expect(throws: RouteError.self) { try await running.value }
    try await late.value
    #expect(log.done.withLock { $0 } == ["one"])
  }

  /// Two processes that make the same preview at once do not use each other's files.
  @Test func oneNameIsMadeTwiceAtOnce() throws {
    let folder = try TemporaryFolder()
    let cache = ScreenMediaCache(path: folder.file("cache").path, limit: 100_000)
    try cache.make("twice") { first throws(EditError) in
      try? Data(count: 10).write(to: URL(fileURLWithPath: first))
      #expect(throws: EditError.self) {
        try cache.make("twice") { second throws(EditError) in
          #expect(second != first)
          throw EditError(.cancelled, "stopped")
        }
      }
    }
    #expect(cache.source("twice")?.count == 10)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("cache").path) == ["twice"])
  }
}

/// A flag that can be set once.
private final class Flagged: Sendable {
  private let flag = Atomic<Bool>(false)
  var value: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}
