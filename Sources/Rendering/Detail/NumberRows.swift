/// Rows of numbers for the C kernels. Each row has margins before its first number and after its last number.
///
/// As with a frame, either several threads may read the rows, or one thread may write to them.
final class NumberRows<Number: BitwiseCopyable & ExpressibleByIntegerLiteral>: @unchecked Sendable {
  /// The number of values in a row, without margins.
  let width: Int
  /// The number of rows.
  let count: Int
  private let margin: Int
  private let stride: Int
  private let base: UnsafeMutablePointer<Number>

  /// Creates rows of zeros.
  ///
  /// - Parameters:
  ///   - width: The number of values in a row, at least 1.
  ///   - count: The number of rows, at least 1.
  ///   - margin: The number of extra values on either side of a row.
  init(width: Int, count: Int, margin: Int = 0) {
    (self.width, self.count, self.margin) = (width, count, margin)
    stride = width + 2 * margin
    base = .allocate(capacity: stride * count)
    clear(base, stride * count)
  }

  deinit {
    base.deallocate()
  }

  /// Returns the address of the first number in a row.
  subscript(_ row: Int) -> UnsafeMutablePointer<Number> { base + (row * stride + margin) }

  /// Repeats the first and last number of a row in its margins.
  func extendEnds(_ row: Int) {
    let first = self[row]
    let end = first + width
    let last = end[-1]
    for index in 0..<margin {
      first[-1 - index] = first[0]
      end[index] = last
    }
  }

  /// Sets all numbers of a row to zero.
  func clear(_ row: Int) {
    clear(self[row], width)
  }

  /// Sets numbers to zero. For every number type, zero consists of zero bytes, so filling memory with zero bytes is
  /// sufficient.
  private func clear(_ numbers: UnsafeMutablePointer<Number>, _ count: Int) {
    UnsafeMutableRawPointer(numbers)
      .initializeMemory(as: UInt8.self, repeating: 0, count: count * MemoryLayout<Number>.stride)
  }
}
