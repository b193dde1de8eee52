import Synchronization

/// The pieces of a table, computed by several threads.
final class PreviewTableParts: Sendable {
  private struct Part {
    var samples: [UInt16] = []
    var farthest = 0.0
  }
  private let parts: Mutex<[Part]>

  /// - Parameter count: The number of pieces.
  init(count: Int) {
    parts = Mutex([Part](repeating: Part(), count: count))
  }

  /// Stores a piece.
  ///
  /// - Parameters:
  ///   - index: The index of the piece.
  ///   - samples: The samples of the piece.
  ///   - farthest: The largest distance between the resulting colour and the original colour of a node.
  func set(_ index: Int, _ samples: [UInt16], _ farthest: Double) {
    parts.withLock { $0[index] = Part(samples: samples, farthest: farthest) }
  }

  /// All samples of the table, and whether every colour is unchanged.
  var joined: ([UInt16], Bool) {
    parts.withLock { parts in
      (parts.flatMap(\.samples), parts.allSatisfy { $0.farthest < 0.25 / 255 })
    }
  }
}
