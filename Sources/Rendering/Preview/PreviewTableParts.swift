import Synchronization

/// The pieces of a table that several threads make.
final class PreviewTableParts: Sendable {
  private struct Part {
    var samples: [UInt16] = []
    var farthest = 0.0
  }
  private let parts: Mutex<[Part]>

  /// - Parameter count: the number of pieces.
  init(count: Int) {
    parts = Mutex([Part](repeating: Part(), count: count))
  }

  /// Takes a piece.
  ///
  /// - Parameters:
  ///   - index: which one it is.
  ///   - samples: its samples.
  ///   - farthest: how far a colour is from its own node at most.
  func set(_ index: Int, _ samples: [UInt16], _ farthest: Double) {
    parts.withLock { $0[index] = Part(samples: samples, farthest: farthest) }
  }

  /// All samples, and whether every colour is at its own node.
  var joined: ([UInt16], Bool) {
    parts.withLock { parts in
      (parts.flatMap(\.samples), parts.allSatisfy { $0.farthest < 0.25 / 255 })
    }
  }
}
