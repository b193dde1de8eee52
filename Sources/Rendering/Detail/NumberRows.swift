/// Rows of numbers that kernels work on, each with room before its first and behind its last number.
///
/// Like a frame they may be read by several threads, or written by one.
final class NumberRows<Number: BitwiseCopyable & ExpressibleByIntegerLiteral>: @unchecked Sendable {
  /// Numbers in a row.
  let width: Int
  /// The number of rows.
  let count: Int
  private let margin: Int
  private let stride: Int
  private let base: UnsafeMutablePointer<Number>

  /// Rows of zeros.
  ///
  /// - Parameters:
  ///   - width: numbers in a row, at least 1.
  ///   - count: how many rows, at least 1.
  ///   - margin: numbers of room on either side of a row.
  init(width: Int, count: Int, margin: Int = 0) {
    (self.width, self.count, self.margin) = (width, count, margin)
    stride = width + 2 * margin
    base = .allocate(capacity: stride * count)
    clear(base, stride * count)
  }

  deinit {
    base.deallocate()
  }

  /// The first number of a row.
  subscript(_ row: Int) -> UnsafeMutablePointer<Number> { base + (row * stride + margin) }

  /// Repeats the first and the last number of a row in the room beside them.
  func extendEnds(_ row: Int) {
    let first = self[row]
    let end = first + width
    let last = end[-1]
    for index in 0..<margin {
      first[-1 - index] = first[0]
      end[index] = last
    }
  }

  /// Fills a row.
  func clear(_ row: Int) {
    clear(self[row], width)
  }

  /// Zeros of any kind of number are bytes of zeros, which are quick to write.
  private func clear(_ numbers: UnsafeMutablePointer<Number>, _ count: Int) {
    UnsafeMutableRawPointer(numbers)
      .initializeMemory(as: UInt8.self, repeating: 0, count: count * MemoryLayout<Number>.stride)
  }
}
