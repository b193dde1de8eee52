import Basics
import EditLibrary
import EditModel
import FileSystem

/// Commits the results of a plan. Each commit contains many assets from a single folder.
package struct PlanCommit: Sendable {
  /// An event in the processing of a job, with the job's index in the plan. Events can be reported from any thread.
  package enum Event: Sendable {
    /// The job's result is current.
    case done(Int, EditOutcome)
    /// The job was committed earlier.
    case doneBefore(Int)
    /// The job failed. Its asset is unchanged, unless the error's code is ``EditError/Code/unfinished``.
    case failed(Int, EditError)
  }

  private let plan: WorkPlan
  private let root: String
  private let layout: LibraryLayout
  private let results: PlanResults
  private let isCancelled: @Sendable () -> Bool
  private let report: @Sendable (Message) -> Void

  /// The number of assets in a commit.
  private static let portion = 64
  /// The number of files up to which a folder is listed for each commit. In a larger folder, it is faster to check the
  /// assets' files individually.
  private static let mostListed = 64 * portion

  /// - Parameters:
  ///   - plan: The plan.
  ///   - root: The path of the folder that contains the plan's inputs on this computer.
  ///   - layout: The layout of the library, which determines where the renders are stored.
  ///   - results: The folder of the results.
  ///   - isCancelled: Called repeatedly, from any thread. If the function returns true, the work stops.
  ///   - report: Receives messages about waiting and about commits that were completed or rolled back, one sentence
  ///     each.
  package init(
    _ plan: WorkPlan, root: String, layout: LibraryLayout, results: PlanResults,
    isCancelled: @escaping @Sendable () -> Bool, report: @escaping @Sendable (Message) -> Void
  ) {
    (self.plan, self.root, self.layout, self.results) = (plan, root, layout, results)
    (self.isCancelled, self.report) = (isCancelled, report)
  }

  /// Renders a fraction of the jobs again and compares the results.
  ///
  /// - Parameters:
  ///   - share: The fraction of the jobs, from 0 to 1. The jobs are selected by their results' hashes, so the same jobs
  ///     are selected each time.
  ///   - worker: The worker that renders the jobs.
  ///   - jobs: The number of jobs that are rendered in parallel.
  ///   - tell: Receives an event for each job whose result differs. The results that differ are removed.
  /// - Returns: The number of jobs that were rendered.
  package func recheck(
    _ share: Double, by worker: PlanWorker, jobs: Int, _ tell: @escaping @Sendable (Event) -> Void
  ) -> Int {
    let least = UInt64(share * Double(UInt32.max))
    let chosen = plan.jobs.indices.filter {
      UInt64(plan.jobs[$0].key.prefix(8), radix: 16).map { $0 <= least && share > 0 } ?? false
    }
    WorkerThread.share(chosen.count, among: jobs) { next in
      while let index = next(), !isCancelled() {
        do throws(EditError) {
          try worker.recheck(plan.jobs[chosen[index]])
        } catch {
          results.reopen(plan.jobs[chosen[index]].task)
          tell(.failed(chosen[index], error))
        }
      }
    }
    return chosen.count
  }

  /// Writes the list from which `revert --batch` undoes the commit.
  ///
  /// - Throws: ``EditError`` if the list cannot be written.
  package func record() throws(EditError) {
    var batch = Batch(identifier: plan.head.plan, isEach: true, items: [])
    for job in plan.jobs {
      let folder = folder(of: job)
      var place = batch.items.last.flatMap { $0.asset.folder == folder ? $0.asset.place : nil }
      if place == nil { place = try whileReading(folder) { try FileStatus.ifAny(folder)?.place } }
      // A folder that does not exist contains nothing to undo.
      guard let place else { continue }
      let asset = OriginalFiles(job, in: folder, at: place)
      batch.items.append(
        Batch.Item(
          asset: asset, file: asset.path(job.name), position: job.position,
          target: .edit(plan.edits[job.edit])))
    }
    try BatchRecord(beginning: plan.head.words, &batch).end()
  }

  /// Commits the results, processing several folders in parallel.
  ///
  /// - Parameters:
  ///   - jobs: The number of folders that are processed in parallel.
  ///   - skipped: The jobs to skip.
  ///   - tell: Receives the events.
  package func run(jobs: Int, skipping skipped: Set<Int>, _ tell: @escaping @Sendable (Event) -> Void) {
    var folders: [ExactName: Int] = [:]
    var members: [[Int]] = []
    for (index, job) in plan.jobs.enumerated() where !skipped.contains(index) {
      let place = ExactName(job.folder)
      if folders[place] == nil {
        folders[place] = members.count
        members.append([])
      }
      if let folder = folders[place] { members[folder].append(index) }
    }
    WorkerThread.share(members.count, among: jobs) { [members] next in
      while let folder = next(), !isCancelled() { commit(members[folder], tell) }
    }
  }

  /// Returns the path of the folder that contains a job's asset.
  private func folder(of job: WorkPlan.Job) -> String {
    job.folder.isEmpty ? root : FilePath.joined(root, job.folder)
  }

  /// Commits the jobs of one folder.
  private func commit(_ indices: [Int], _ tell: (Event) -> Void) {
    let folder = folder(of: plan.jobs[indices[0]])
    do throws(EditError) {
      let library = try Library.forWriting(
        folder, layout: layout, isCancelled: isCancelled, report: report)
      defer { library.close() }
      let place = try whileReading(folder) { try FileStatus(path: folder).place }
      var at = 0
      var isListed = true
      while at < indices.count, !isCancelled() {
        let part = indices[at..<min(at + Self.portion, indices.count)]
        at += Self.portion
        // The folder is listed again for each commit. If it cannot be listed, files are checked by name.
        let present = isListed ? try? library.presentNames : nil
        isListed = present.map { $0.count <= Self.mostListed } ?? false
        commit(part, in: library, folder, place, present, tell)
      }
    } catch {
      for index in indices { tell(.failed(index, error)) }
    }
  }

  private func commit(
    _ indices: ArraySlice<Int>, in library: Library, _ folder: String, _ place: FileStatus.Place,
    _ present: Set<String>?, _ tell: (Event) -> Void
  ) {
    var ready: [(index: Int, outcome: EditOutcome, commit: AssetCommit)] = []
    for index in indices {
      do throws(EditError) {
        guard let (outcome, commit) = try prepare(index, in: library, folder, place, present) else {
          tell(.doneBefore(index))
          continue
        }
        ready.append((index, outcome, commit))
      } catch {
        tell(.failed(index, error))
      }
    }
    guard !ready.isEmpty else { return }
    do throws(EditError) {
      try library.commit(ready.map(\.commit))
      for one in ready { tell(.done(one.index, one.outcome)) }
    } catch {
      // If the commit is already recorded, it will be completed when the library is next opened. The error explains
      // this.
      for one in ready { tell(.failed(one.index, error)) }
    }
  }

  /// Prepares the commit of a job. Returns nil if the job was committed earlier.
  private func prepare(
    _ index: Int, in library: Library, _ folder: String, _ place: FileStatus.Place, _ present: Set<String>?
  ) throws(EditError) -> (EditOutcome, AssetCommit)? {
    let job = plan.jobs[index]
    let asset = OriginalFiles(job, in: folder, at: place)
    let file = asset.path(job.name)
    let item = Batch.Item(
      asset: asset, file: file, position: job.position, target: .edit(plan.edits[job.edit]))
    let batch = Batch(identifier: plan.head.plan, isEach: true, items: [])
    guard let made = results.made(job) else {
      // A job that was already committed does not need its result.
      if let record = try library.record(of: asset.stem), try item.isDone(in: record, of: batch) {
        return nil
      }
      results.reopen(job.task)
      throw EditError(.notFound, file: file, "has no result yet", remedy: "run liveedit work on the plan")
    }
    let conflict = EditError(
      .conflict, file: file, "has been changed since its edit was planned", remedy: "plan the edit again")
    guard case .edit(let change)? = try item.change(in: batch) else { throw item.unknownChange }
    let transaction = EditTransaction(
      asset: asset, change: change, batch: plan.head.plan,
      // The files are taken from the results.
      render: { _ throws(EditError) in })
    let done = try transaction.run(
      in: library, isCommitted: false,
      state: { library throws(EditError) in
        let state = try library.state(of: asset, present: present)
        if try item.isDone(in: state.record, of: batch) { return nil }
        guard try state.record.position == job.position else { throw conflict }
        let hashes = Set(job.inputs.map(\.sha256))
        guard state.record.originals.allSatisfy({ hashes.contains($0.fingerprint.sha256) }) else {
          throw WorkPlan.changed(input: file)
        }
        return state
      },
      takeRendered: { edit, library throws(EditError) in
        let next = edit.plan
        guard edit.outcome.action == .rendered, next.base == job.base,
          next.adjustment == plan.edits[job.edit], next.identifier == job.render.identifier
        else { throw conflict }
        try edit.makeOutputs(in: library)
        guard try results.copy(job, made, to: edit.outputs) else {
          results.remove(job)
          results.reopen(job.task)
          throw EditError(
            .invalidFile, file: file, "has a result that differs from what was rendered",
            remedy: "run liveedit work again")
        }
        try HalfIdentifier.check(edit.outputs, carry: next.identifier)
        edit.take(edit.outputs, made.result)
      })
    return done.flatMap { done in done.commit.map { (done.outcome, $0) } }
  }
}

extension OriginalFiles {
  /// Creates the originals of a job.
  fileprivate init(_ job: WorkPlan.Job, in folder: String, at place: FileStatus.Place) {
    self.init(folder: folder, place: place, photo: job.photo, movie: job.movie, wholeName: job.wholeName)
  }
}
