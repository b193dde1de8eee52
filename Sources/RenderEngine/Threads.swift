import EditModel
import Foundation
import Synchronization

/// Runs pieces of work side by side, each on a thread of its own, and waits for all of them.
///
/// Codecs block; blocking in Swift's cooperative pool, which has one or two threads on a small machine,
/// could leave none to go on with.
func onOwnThreads(
  _ work: [@Sendable () -> Result<RenderResult, EditError>]
) -> [Result<RenderResult, EditError>] {
  let results = Mutex<[Int: Result<RenderResult, EditError>]>([:])
  let done = DispatchSemaphore(value: 0)
  for (index, piece) in work.enumerated() {
    let thread = Thread {
      let result = piece()
      results.withLock { $0[index] = result }
      done.signal()
    }
    // libx265 and recursive descent want more than the default of a secondary thread.
    thread.stackSize = 8 << 20
    thread.start()
  }
  for _ in work { done.wait() }
  return results.withLock { results in
    work.indices.map { results[$0] ?? .failure(EditError(.renderer, "a part of the render was lost")) }
  }
}
