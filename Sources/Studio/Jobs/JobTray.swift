internal import Basics
internal import FileSystem
internal import Synchronization

/// A job as included in responses.
struct JobObject: Encodable, Sendable {
  /// The state of a job.
  enum State: String, Encodable, Sendable {
    case waiting, running, done, failed, cancelled
  }

  var job: String
  var title: Spoken
  var state = State.waiting
  var done = 0
  var failed = 0
  var total: Int
  var fraction = 0.0
  var seconds = 0.0
  var results: [RawJSON] = []

  /// Whether the job has ended.
  var isOver: Bool { state != .waiting && state != .running }
}

struct JobAnswer: Encodable {
  var schema = 1
  var job: JobObject
}

struct JobsAnswer: Encodable {
  var schema = 1
  var jobs: [JobObject]
}

/// The jobs that pages and programs have started. The jobs run one after another.
final class JobTray: Sendable {
  /// The functions that report the progress of a running job.
  struct Reporter: Sendable {
    /// Returns whether the job should stop.
    let isCancelled: @Sendable () -> Bool
    /// Reports the completed fraction of an asset, from 0 to 1.
    let progress: @Sendable (_ index: Int, _ fraction: Double) -> Void
    /// Reports the result for an asset.
    let finish: @Sendable (_ index: Int, _ result: RawJSON) -> Void
  }

  private struct Entry: Sendable {
    var object: JobObject
    /// The closure that runs the job. The closure is set to nil when the job starts, so that its resources are released
    /// when the job ends.
    var work: (@Sendable (Reporter) -> Void)?
    var isCancelled = false
    var begun: ContinuousClock.Instant?
    var ended: ContinuousClock.Instant?
    var told: ContinuousClock.Instant?
    var fractions: [Int: Double] = [:]
    /// The first failed results.
    var failures: [RawJSON] = []
  }

  private struct State {
    var entries: [Entry] = []
    var next = 1
    var isWorking = false
    var isEnded = false
  }

  /// The length of time for which an ended job is kept.
  private static let memory = Duration.seconds(3600)
  /// The maximum number of ended jobs that are kept. A server may run ten thousand jobs per hour.
  private static let mostEnded = 1000
  /// The maximum total number of results of ended jobs. The last job always keeps all of its results.
  private static let mostResults = 100_000
  /// The minimum interval between two reports about a job.
  private static let pause = Duration.milliseconds(200)
  /// The maximum number of waiting jobs.
  private static let limit = 100
  /// The maximum number of failures per job in lists and events.
  private static let told = 20

  /// The prefix of all job names. With this prefix, a page that stays open after a server restart does not confuse the
  /// jobs of the two servers.
  private let prefix = Secret().text.filter(\.isLetter).prefix(4)
  private let tell: @Sendable (JobObject) -> Void
  private let state = Mutex(State())

  /// - Parameter tell: A closure that receives a job after each change to the job.
  init(tell: @escaping @Sendable (JobObject) -> Void) { self.tell = tell }

  /// Starts a job, or queues it behind earlier jobs.
  ///
  /// - Parameters:
  ///   - title: A description of the job for the user.
  ///   - total: The number of assets.
  ///   - work: A closure that receives the job's name and runs the job. The closure is called on a thread that may
  ///     block.
  /// - Throws: ``RouteError/busy`` if too many jobs are waiting.
  func add(
    _ title: Message, total: Int, work: @escaping @Sendable (String, Reporter) -> Void
  ) throws(RouteError) -> JobObject {
    let (job, mustStart) = state.withLock { state -> (JobObject?, Bool) in
      guard !state.isEnded, state.entries.count(where: { !$0.object.isOver }) < Self.limit else {
        return (nil, false)
      }
      let job = JobObject(job: "\(prefix)\(state.next)", title: Spoken(title), total: total)
      state.next += 1
      state.entries.append(Entry(object: job, work: { work(job.job, $0) }))
      defer { state.isWorking = true }
      return (job, !state.isWorking)
    }
    guard let job else { throw .busy }
    tell(job)
    if mustStart {
      do { _ = try WorkerThread { self.drain() } } catch { drain() }
    }
    return job
  }

  /// All jobs, latest first. Each job includes its first failures.
  var all: [JobObject] {
    state.withLock { state in
      Self.forget(&state)
      return state.entries.reversed().map(Self.short)
    }
  }

  /// Returns a job with all of its results.
  func job(_ name: String) throws(RouteError) -> JobObject {
    guard let job = state.withLock({ $0.entries.first { $0.object.job == name }.map(Self.object) }) else {
      throw Self.missing
    }
    return job
  }

  /// Cancels a job. Finished work is kept.
  func cancel(_ name: String) throws(RouteError) -> JobObject {
    let job: JobObject? = state.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.object.job == name }) else { return nil }
      state.entries[index].isCancelled = true
      if state.entries[index].object.state == .waiting {
        state.entries[index].object.state = .cancelled
        state.entries[index].ended = .now
        state.entries[index].work = nil
      }
      return Self.short(state.entries[index])
    }
    guard let job else { throw Self.missing }
    tell(job)
    return job
  }

  /// Removes an ended job.
  func dismiss(_ name: String) throws(RouteError) -> JobObject {
    let job: JobObject? = state.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.object.job == name }) else { return nil }
      let job = Self.short(state.entries[index])
      if job.isOver { state.entries.remove(at: index) }
      return job
    }
    guard let job else { throw Self.missing }
    guard job.isOver else { throw .outdated("the job has not ended; cancel it first") }
    return job
  }

  /// Cancels all jobs permanently, and waits a limited time for running work to stop.
  func end() {
    state.withLock { state in
      state.isEnded = true
      for index in state.entries.indices {
        state.entries[index].isCancelled = true
        if state.entries[index].object.state == .waiting { state.entries[index].object.state = .cancelled }
      }
    }
    for _ in 0..<100 where state.withLock({ $0.isWorking }) { HostSystem.sleep(milliseconds: 10) }
  }

  private static let missing = RouteError.notFound("this job does not exist")

  /// Removes ended jobs that are too old. If too many ended jobs remain, the oldest of them are removed too.
  private static func forget(_ state: inout State) {
    let now = ContinuousClock.now
    var (jobs, results) = (0, 0)
    let kept = state.entries.reversed().filter { entry in
      guard let ended = entry.ended else { return true }
      jobs += 1
      results += entry.object.results.count
      return now - ended <= memory && (jobs == 1 || jobs <= mostEnded && results <= mostResults)
    }
    state.entries = kept.reversed()
  }

  private static func object(_ entry: Entry) -> JobObject {
    var object = entry.object
    let partial = entry.fractions.values.reduce(0, +)
    object.fraction =
      object.isOver
      ? 1 : min(1, (Double(object.done + object.failed) + partial) / Double(max(1, object.total)))
    if let begun = entry.begun {
      let time = (entry.ended ?? .now) - begun
      object.seconds = (time / .milliseconds(1)).rounded() / 1000
    }
    return object
  }

  /// Returns a job for lists and events, without its many results.
  private static func short(_ entry: Entry) -> JobObject {
    var job = object(entry)
    job.results = entry.failures
    return job
  }

  private func drain() {
    while let entry = next() {
      let name = entry.object.job
      entry.work?(
        Reporter(
          isCancelled: {
            self.state.withLock { $0.entries.first { $0.object.job == name }?.isCancelled ?? true }
          },
          progress: { index, fraction in self.change(name, isUrgent: false) { $0.fractions[index] = fraction }
          },
          finish: { index, result in
            self.change(name, isUrgent: false) { entry in
              entry.fractions[index] = nil
              if result.text("status") == "failed" {
                entry.object.failed += 1
                if entry.failures.count < Self.told { entry.failures.append(result) }
              } else {
                entry.object.done += 1
              }
              entry.object.results.append(result)
            }
          }))
      change(name, isUrgent: true) { entry in
        entry.ended = .now
        entry.fractions = [:]
        let isWhole = entry.object.done + entry.object.failed >= entry.object.total
        entry.object.state =
          entry.isCancelled && !isWhole ? .cancelled : entry.object.failed > 0 ? .failed : .done
      }
    }
  }

  private func next() -> Entry? {
    let entry: Entry? = state.withLock { state in
      Self.forget(&state)
      guard let index = state.entries.firstIndex(where: { $0.object.state == .waiting }) else {
        state.isWorking = false
        return nil
      }
      state.entries[index].object.state = .running
      state.entries[index].begun = .now
      defer { state.entries[index].work = nil }
      return state.entries[index]
    }
    if let entry { tell(Self.short(entry)) }
    return entry
  }

  /// Changes a job, and reports the change unless another change was reported very recently.
  private func change(_ name: String, isUrgent: Bool, _ body: @Sendable (inout Entry) -> Void) {
    let job: JobObject? = state.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.object.job == name }) else { return nil }
      body(&state.entries[index])
      let now = ContinuousClock.now
      if !isUrgent, let told = state.entries[index].told, now - told < Self.pause { return nil }
      state.entries[index].told = now
      return Self.short(state.entries[index])
    }
    if let job { tell(job) }
  }
}
