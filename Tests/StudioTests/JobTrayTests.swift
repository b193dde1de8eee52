import Basics
import Foundation
import Synchronization
import Testing

@testable import Studio

@Suite struct JobTrayTests {
  /// The jobs that were told.
  private final class Told: Sendable {
    let jobs = Mutex<[JobObject]>([])
  }

  /// Thousands of failures stand in the job itself; lists and events have the first ones and their number.
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
}
