import Basics
import EditModel
import FileSystem
import Synchronization

/// Asks a renderer for the grids of many pictures, some at a time.
struct GridReader {
  /// Whoever decodes pictures.
  let converter: any MediaConverter
  /// The number of portions that are worked on at a time.
  let jobs: Int
  /// Told of every file, when its portion is begun.
  let progress: @Sendable (_ index: Int, _ path: String) -> Void
  /// Asked now and then, from any thread; true stops the work.
  let isCancelled: @Sendable () -> Bool

  /// The grids of pictures, and why some have none, by their places in the list.
  struct Answer: Sendable {
    var grids: [Int: PictureGrid] = [:]
    var failures: [Int: EditError] = [:]
  }

  /// Files of a portion. The answer about them must be one message.
  private static let portion = 16

  /// Reads the grids.
  func read(_ sources: [PictureGrid.Source]) -> Answer {
    let answer = Mutex(Answer())
    let portions = stride(from: 0, to: sources.count, by: Self.portion).map {
      $0..<min($0 + Self.portion, sources.count)
    }
    WorkerThread.share(portions.count, among: jobs) { next in
      while let number = next(), !isCancelled() {
        let part = read(portions[number], of: sources)
        answer.withLock {
          $0.grids.merge(part.grids) { $1 }
          $0.failures.merge(part.failures) { $1 }
        }
      }
    }
    return answer.withLock { $0 }
  }

  /// Reads a portion. Where a file kills the helper, the others of its portion are asked for again.
  private func read(_ range: Range<Int>, of sources: [PictureGrid.Source]) -> Answer {
    for index in range { progress(index, sources[index].path) }
    var answer = Answer()
    var left = [range]
    while let part = left.popLast(), !isCancelled() {
      do throws(EditError) {
        let result = try converter.convert(.grids(Array(sources[part])), isCancelled: isCancelled)
        for (index, grid) in result.grids where part.count > index && index >= 0 {
          answer.grids[part.lowerBound + index] = grid
        }
        for (index, error) in result.failures where part.count > index && index >= 0 {
          answer.failures[part.lowerBound + index] = error
        }
      } catch {
        guard part.count > 1 else {
          answer.failures[part.lowerBound] = error
          continue
        }
        let middle = part.lowerBound + part.count / 2
        left += [part.lowerBound..<middle, middle..<part.upperBound]
      }
    }
    return answer
  }
}
