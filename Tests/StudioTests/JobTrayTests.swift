import Basics
import Foundation
import Synchronization
import Testing

@testable import Studio

@Suite struct JobTrayTests {
  /// The jobs that were reported.
  private final class Told: Sendable {
    let jobs = Mutex<[JobObject]>([])
  }

  /// Thousands of failures are stored in the job itself. Lists and events contain the first failures and their number.
  @Test func failuresOfManyAssetsAreToldInPart() throws {
    let told = Told()
    let tray = JobTray { job in told.jobs.withLock { $0.append(job) } }
    let failure = RawJSON(
      ["status": "failed", "message": String(repeating: "x", count: 500)], relativeTo: [])
    let begun = try tray.add("Turn", total: 5001) { _, reporter in
      for index in 0..<5000 { reporter.finish(index, failure) }
      reporter.finish(5000, RawJSON(["status": "edited"], relativeTo: []))
    }
    for _ in 0..<3000 where !(try tray.job(begun.job).isOver) { usleep(10_000) }
    let whole = try tray.job(begun.job)
    #expect(whole.state == .failed && whole.failed == 5000 && whole.done == 1)
    #expect(whole.results.count == 5001)
    let last = try #require(told.jobs.withLock { $0.last })
    #expect(last.failed == 5000 && last.isOver)
    for job in told.jobs.withLock({ $0 }) + tray.all {
      #expect(job.results.count <= 20)
      #expect(try JSONEncoder().encode(job).count < 1 << 16)
    }
    #expect(last.results.count == 20)
    #expect(try tray.dismiss(begun.job).results.count == 20)
    #expect(throws: RouteError.self) { try tray.job(begun.job) }
  }

  /// Objects that only a job's work refers to, such as assets and their folders, are released when the job ends or is
  /// cancelled.
  @Test func whatAJobNeededGoesWhenItIsOver() throws {
    final class Needed: Sendable {}
    let tray = JobTray { _ in }
    let gate = DispatchSemaphore(value: 0)
    weak var done: Needed?
    weak var cancelled: Needed?
    do {
      let (first, second) = (Needed(), Needed())
      (done, cancelled) = (first, second)
      _ = try tray.add("Turn", total: 1) { [first] _, reporter in
        gate.wait()
        withExtendedLifetime(first) { reporter.finish(0, RawJSON(["status": "edited"], relativeTo: [])) }
      }
      let waiting = try tray.add("Turn", total: 1) { [second] _, _ in withExtendedLifetime(second) {} }
      #expect(try tray.cancel(waiting.job).state == .cancelled)
    }
    #expect(cancelled == nil && done != nil)
    gate.signal()
    for _ in 0..<3000 where done != nil || !tray.all.allSatisfy(\.isOver) { usleep(10_000) }
    #expect(done == nil)
    #expect(tray.all.map(\.state) == [.cancelled, .done])
  }

  /// A server that runs thousands of jobs an hour remembers the latest jobs, with no more results in total than one
  /// large job has.
  @Test(arguments: [(jobs: 1100, results: 1, left: 1000), (4, 40_000, 2), (2, 120_000, 1)])
  func theEarliestOfManyAreForgotten(jobs: Int, results: Int, left: Int) throws {
    let isOver = DispatchSemaphore(value: 0)
    let tray = JobTray { if $0.isOver { isOver.signal() } }
    let result = RawJSON(["status": "edited"], relativeTo: [])
    var last = ""
    for _ in 0..<jobs {
      last = try tray.add("Turn", total: results) { _, reporter in
        for index in 0..<results { reporter.finish(index, result) }
      }.job
      isOver.wait()
    }
    let all = tray.all
    #expect(all.count == left && all.allSatisfy { $0.state == .done })
    #expect(all.first?.job == last)
    #expect(try tray.job(last).results.count == results)
  }
}
