import Basics
import EditModel
import FileSystem
import Synchronization

/// Runs pieces of work side by side, each on a thread of its own, and waits for all of them.
///
/// Codecs block; blocking in Swift's cooperative pool, which has one or two threads on a small machine,
/// could leave none to go on with.
func onOwnThreads(
  _ work: [@Sendable () -> Result<RenderResult, EditError>]
) -> [Result<RenderResult, EditError>] {
  let results = SharedResults()
  WorkerThread.runSideBySide(work.count) { index in
    let result = work[index]()
    results.byIndex.withLock { $0[index] = result }
  }
  return results.byIndex.withLock { found in
    work.indices.map { found[$0] ?? .failure(EditError(.renderer, "a part of the render was lost")) }
  }
}

/// The results of the pieces of work.
private final class SharedResults: Sendable {
  let byIndex = Mutex<[Int: Result<RenderResult, EditError>]>([:])
}
