import Basics
import EditModel
import FileSystem
import Synchronization

/// Asks a renderer for the grids of many pictures, some at a time.
struct GridReader {
  /// Whoever decodes pictures.
  let converter: any MediaConverter
  /// The number of files that are worked on at a time.
  let jobs: Int
  /// Told of every file before it is decoded.
  let progress: @Sendable (_ index: Int, _ path: String) -> Void
  /// Asked now and then, from any thread; true stops the work.
  let isCancelled: @Sendable () -> Bool

  /// The grids of pictures, and why some have none, by their places in the list.
  struct Answer: Sendable {
    var grids: [Int: [PictureGrid]] = [:]
    var failures: [Int: EditError] = [:]
  }

  /// Reads the grids, each in a process of its own: a file that breaks it falsifies and takes along no other.
  func read(_ sources: [PictureGrid.Source]) -> Answer {
    let answer = Mutex(Answer())
    WorkerThread.share(sources.count, among: jobs) { next in
      while let index = next(), !isCancelled() {
        progress(index, sources[index].path)
        do throws(EditError) {
          let grids = try converter.convert(.grid(sources[index]), isCancelled: isCancelled).grids
          answer.withLock { $0.grids[index] = grids }
        } catch {
          answer.withLock { $0.failures[index] = error }
        }
      }
    }
    return answer.withLock { $0 }
  }
}
