/// A new file to which bytes are written.
package protocol ByteSink: AnyObject {
  /// Appends bytes.
  func write(_ bytes: [UInt8]) throws

  /// Overwrites bytes that were written earlier.
  ///
  /// - Parameters:
  ///   - offset: The offset of the first byte to replace.
  ///   - bytes: The new bytes, which must not extend beyond the bytes written so far.
  func overwrite(at offset: Int, _ bytes: [UInt8]) throws
}

extension ByteSource {
  /// Copies bytes in pieces, so that only a small part is in memory at a time.
  ///
  /// - Parameters:
  ///   - range: The range of bytes to copy. The method throws an error if the range extends beyond the source.
  ///   - sink: The file to which the bytes are appended.
  package func copy(_ range: Range<Int>, to sink: some ByteSink) throws {
    var at = range.lowerBound
    while at < range.upperBound {
      let count = min(1 << 20, range.upperBound - at)
      try sink.write(read(at: at, count: count))
      at += count
    }
  }
}
