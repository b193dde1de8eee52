import Basics
import EditLibrary
import EditModel
import FileSystem

/// Carries out a batch: several jobs render side by side, and one at a time looks at and changes the library of a
/// folder. What was done before an interruption is not done again.
package struct BatchRunner: Sendable {
  /// An event in the work on an asset, by its place in the batch. Told from any thread.
  package enum Event: Sendable {
    /// It is its turn.
    case begun(Int)
    /// So much of it is rendered.
    case progress(Int, RenderProgress)
    /// It is done.
    case done(Int, Batch.Outcome)
    /// It failed.
    case failed(Int, EditError)
    /// It was left as it was, because another one of its folder failed.
    case withdrawn(Int)
    /// It was left as it was, because the batch was stopped.
    case stopped(Int)
  }

  private let editor: AssetEditor
  private let jobs: Int

  /// The number of jobs with which the machine does most: a render of a Live Photo uses about two processors, that of a
  /// photo one, and between its steps neither is busy.
  package static var bestJobs: Int {
    let byMemory = HostSystem.availableMemory / memoryOfJob
    return max(1, min(HostSystem.processors / 2 + 1, byMemory))
  }

  /// The memory that a render may take, in bytes; most take less.
  private static let memoryOfJob = 400 << 20

  /// - Parameters:
  ///   - editor: renders, asks for cancellation, and reports.
  ///   - jobs: how many assets are worked on at a time.
  package init(_ editor: AssetEditor, jobs: Int) {
    (self.editor, self.jobs) = (editor, max(1, jobs))
  }

  /// Carries out a batch, and returns when nothing of it is being worked on any more.
  ///
  /// - Parameters:
  ///   - batch: the batch; the assets of a folder follow each other.
  ///   - tell: told what happens.
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
        // An asset that was moved since has no change on record; it needs none if the batch has edited it.
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

    /// The asset as it stands; nil when the batch has edited it already.
    private func state(in library: Library) throws(EditError) -> AssetState? {
      let state = try library.state(of: item.asset)
      if try item.isDone(in: state.record, of: batch) { return nil }
      try item.checkPosition(state.record, in: library, of: batch)
      return state
    }

    /// Ends the work on the asset, and after the last one of its folder that on the folder.
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

    /// Records what was rendered in a folder, all or none.
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
          // What is recorded is brought to its end by the next one who looks.
          tell(error.code == .unfinished ? .done(one.index, one.outcome) : .withdrawn(one.index))
        }
      }
    }

    /// The number of the batch's assets in the folder.
    private var waitedFor: Int { batch.items.count { $0.asset.place == item.asset.place } }

    /// Keeps what was rendered, for the batch to go on with. What cannot be kept is rendered again then.
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
