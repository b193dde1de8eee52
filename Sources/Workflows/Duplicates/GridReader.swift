import Basics
import EditModel
import FileSystem
import Synchronization

/// Requests the grids of many pictures from a converter, several at a time.
struct GridReader {
  /// The converter that decodes the pictures.
  let converter: any MediaConverter
  /// The number of files that are decoded in parallel.
  let jobs: Int
  /// Called before each file is decoded.
  let progress: @Sendable (_ index: Int, _ path: String) -> Void
  /// Called repeatedly, from any thread. If the function returns true, the work stops.
  let isCancelled: @Sendable () -> Bool

  /// The grids of the pictures, and the errors for pictures without a grid, each by the picture's index in the list.
  struct Answer: Sendable {
    var grids: [Int: [PictureGrid]] = [:]
    var failures: [Int: EditError] = [:]
  }

  /// Reads the grids, each in its own process. A file that crashes the process cannot corrupt or discard the results of
  /// another file.
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
