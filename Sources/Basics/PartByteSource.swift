/// A source that consists of a part of another source.
package struct PartByteSource: ByteSource {
  private let whole: any ByteSource
  private let range: Range<Int>

  /// - Parameters:
  ///   - range: The range of bytes in the other source. Bytes outside the other source are ignored.
  ///   - whole: The other source.
  package init(_ range: Range<Int>, of whole: any ByteSource) {
    (self.whole, self.range) = (whole, range.clamped(to: 0..<max(0, whole.count)))
  }

  /// The number of bytes.
  package var count: Int { range.count }

  /// Reads bytes. See ``ByteSource/read(at:count:)``.
  package func read(at offset: Int, count: Int) throws -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= range.count, count <= range.count - offset else {
      throw MediaError(
        "the file is incomplete: it ends too early", remedy: "copy the file from the phone again")
    }
    return try whole.read(at: range.lowerBound + offset, count: count)
  }

  /// Skips zero bytes. See ``ByteSource/skippingHoles(from:)``.
  package func skippingHoles(from offset: Int) -> Int {
    min(whole.skippingHoles(from: range.lowerBound + offset), range.upperBound) - range.lowerBound
  }
}
