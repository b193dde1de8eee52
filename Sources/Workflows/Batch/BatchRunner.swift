import Basics
import EditLibrary
import EditModel
import FileSystem

/// Runs a batch. Several jobs render in parallel, but only one job at a time reads and changes a folder's library. Work
/// that was finished before an interruption is not repeated.
package struct BatchRunner: Sendable {
  /// An event in the processing of an asset, with the asset's index in the batch. Events can be reported from any
  /// thread.
  package enum Event: Sendable {
    /// Processing of the asset has begun.
    case begun(Int)
    /// Rendering of the asset has reached this progress.
    case progress(Int, RenderProgress)
    /// The asset is finished.
    case done(Int, Batch.Outcome)
    /// The asset failed.
    case failed(Int, EditError)
    /// The asset was left unchanged, because another asset in its folder failed.
    case withdrawn(Int)
    /// The asset was left unchanged, because the batch was stopped.
    case stopped(Int)
  }

  private let editor: AssetEditor
  private let jobs: Int

  /// The number of jobs that gives the highest throughput. Rendering a Live Photo uses about two processors and
  /// rendering a photo uses one, with idle time between the steps.
  package static var bestJobs: Int {
    let byMemory = HostSystem.availableMemory / memoryOfJob
    return max(1, min(HostSystem.processors / 2 + 1, byMemory))
  }

  /// The memory in bytes that a render may need. Most renders need less.
  private static let memoryOfJob = 400 << 20

  /// - Parameters:
  ///   - editor: The editor, which renders assets, reports cancellation and receives messages.
  ///   - jobs: The number of assets that are processed in parallel.
  package init(_ editor: AssetEditor, jobs: Int) {
    (self.editor, self.jobs) = (editor, max(1, jobs))
  }

  /// Runs a batch and returns when all work on it has ended.
  ///
  /// - Parameters:
  ///   - batch: The batch, with its assets grouped by folder.
  ///   - tell: The function that receives the events.
  package func run(_ batch: Batch, _ tell: @escaping @Sendable (Event) -> Void) {
    var sessions: [FolderSession] = []
    var session: [Int] = []
    var counts: [(place: FileStatus.Place, folder: String, count: Int)] = []
    for item in batch.items {
      if counts.last?.place != item.asset.place { counts.append((item.asset.place, item.asset.folder, 0)) }
      counts[counts.count - 1].count += 1
      session.append(counts.count - 1)
    }
    sessions = counts.map { FolderSession($0.folder, count: $0.count, editor) }
    WorkerThread.share(batch.items.count, among: jobs) { [session, sessions] next in
      while let index = next() {
        Work(runner: self, batch: batch, index: index, session: sessions[session[index]], tell: tell).run()
      }
    }
  }

  /// The work on one asset.
  private struct Work {
    let runner: BatchRunner
    let batch: Batch
    let index: Int
    let session: FolderSession
    let tell: @Sendable (Event) -> Void

    private var item: Batch.Item { batch.items[index] }
    private var editor: AssetEditor { runner.editor }

    func run() {
      guard !editor.isCancelled() else { return leave(.stopped(index)) }
      guard batch.isEach || !session.hasFailed else { return leave(.withdrawn(index)) }
      tell(.begun(index))
      do throws(EditError) {
        if let folder = batch.destination {
          let editor = editor.telling { [tell, index] in tell(.progress(index, $0)) }
          guard case .edit(let change)? = try item.change(in: batch) else { throw item.unknownChange }
          tell(.done(index, .edited(try editor.edit(item.asset, into: folder, change))))
          return leave(nil)
        }
        let (outcome, commit) = try change(committing: batch.isEach)
        if batch.isEach {
          tell(.done(index, outcome))
          leave(nil)
        } else {
          leave(nil, FolderSession.Finished(index: index, outcome: outcome, commit: commit))
        }
      } catch {
        let isStopped = error.code == .cancelled && editor.isCancelled()
        leave(isStopped ? .stopped(index) : .failed(index, error.offering("-o")))
      }
    }

    private func change(committing: Bool) throws(EditError) -> (Batch.Outcome, AssetCommit?) {
      let change = try item.change(in: batch)
      if case .version(let choice)? = change { return try switchVersion(to: choice, committing) }
      guard case .edit(let change)? = change else {
        // An asset that was moved since the interruption has no recorded change. This does not matter if the batch has
        // already edited the asset.
        let isDone = try session.use { library throws(EditError) in try state(in: library) == nil }
        if isDone { return (.doneBefore, nil) }
        throw item.unknownChange
      }
      let transaction = EditTransaction(
        asset: item.asset, change: change, batch: batch.identifier, notes: item.notes,
        render: editor.telling { [tell, index] in tell(.progress(index, $0)) }.render)
      let done = try transaction.run(
        in: session, isCommitted: committing,
        state: { library throws(EditError) in try state(in: library) },
        takeRendered: { edit, library throws(EditError) in
          guard edit.outcome.action == .rendered, let batch = batch.identifier,
            let kept = try library.takeKept(
              of: edit.state, base: edit.plan.base, adjustment: edit.plan.adjustment,
              build: LiveEditVersion.buildPrefix, batch: batch)
          else { return }
          edit.take(kept.outputs, kept.result)
        })
      guard let done else { return (.doneBefore, nil) }
      return (.edited(done.outcome), done.commit)
    }

    private func switchVersion(
      to choice: VersionChoice, _ committing: Bool
    ) throws(EditError) -> (Batch.Outcome, AssetCommit?) {
      try session.use { library throws(EditError) in
        let state = try library.state(of: item.asset, isLeaving: true)
        let plan = try VersionSwitch(of: state, in: library.folder, to: choice)
        if plan.from == plan.to {
          let position = try state.record.position
          return (item.position == nil || item.position == position ? .switched(plan) : .doneBefore, nil)
        }
        try item.checkPosition(state.record, in: library, of: batch)
        let (one, commit) = try editor.prepare(state, in: library, choice)
        if committing, let commit { try library.commit([commit]) }
        return (.switched(one), commit)
      }
    }

    /// Returns the asset's current state, or nil if the batch has already edited the asset.
    private func state(in library: Library) throws(EditError) -> AssetState? {
      let state = try library.state(of: item.asset)
      if try item.isDone(in: state.record, of: batch) { return nil }
      try item.checkPosition(state.record, in: library, of: batch)
      return state
    }

    /// Ends the work on the asset. After the last asset in a folder, the work on the folder also ends.
    private func leave(_ event: Event?, _ finished: FolderSession.Finished? = nil) {
      var hasFailed = false
      if let event {
        if case .failed = event { hasFailed = true }
        tell(event)
      }
      let (waiting, isLast) = session.end(finished, hasFailed: hasFailed)
      guard isLast else { return }
      if !waiting.isEmpty { settle(waiting) }
      session.close()
    }

    /// Records all renders in a folder, or none of them.
    private func settle(_ waiting: [FolderSession.Finished]) {
      let isWhole = !session.hasFailed && waiting.count == waitedFor
      if !isWhole {
        if !session.hasFailed, let batch = batch.identifier { keep(waiting, batch) }
        for one in waiting { tell(session.hasFailed ? .withdrawn(one.index) : .stopped(one.index)) }
        return
      }
      do throws(EditError) {
        try session.use { library throws(EditError) in try library.commit(waiting.compactMap(\.commit)) }
        for one in waiting { tell(.done(one.index, one.outcome)) }
      } catch {
        tell(.failed(waiting[0].index, error.offering("-o")))
        for one in waiting.dropFirst() {
          // The commit is recorded and will be completed when the library is next opened.
          tell(error.code == .unfinished ? .done(one.index, one.outcome) : .withdrawn(one.index))
        }
      }
    }

    /// The number of the batch's assets in the folder.
    private var waitedFor: Int { batch.items.count { $0.asset.place == item.asset.place } }

    /// Keeps the finished renders so that a resumed batch can use them. A render that cannot be kept is repeated later.
    private func keep(_ waiting: [FolderSession.Finished], _ batch: String) {
      _ = try? session.use { library throws(EditError) in
        for one in waiting {
          if case .edited(let outcome) = one.outcome, let result = outcome.result, let commit = one.commit {
            try library.keep(commit, result, batch: batch)
          }
        }
      }
    }
  }
}
