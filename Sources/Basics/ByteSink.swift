/// A new file that bytes are written to.
package protocol ByteSink: AnyObject {
  /// Appends bytes.
  func write(_ bytes: [UInt8]) throws

  /// Replaces bytes that were written before.
  ///
  /// - Parameters:
  ///   - offset: where to begin.
  ///   - bytes: the new bytes; they do not reach beyond what was written.
  func overwrite(at offset: Int, _ bytes: [UInt8]) throws
}

extension ByteSource {
  /// Copies bytes in pieces, so that much of them is never in memory.
  ///
  /// - Parameters:
  ///   - range: which bytes; within the source, or the call throws.
  ///   - sink: where they are appended.
  package func copy(_ range: Range<Int>, to sink: some ByteSink) throws {
    var at = range.lowerBound
    while at < range.upperBound {
      let count = min(1 << 20, range.upperBound - at)
      try sink.write(read(at: at, count: count))
      at += count
    }
  }
}
