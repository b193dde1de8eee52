/// Random access to the bytes of a file, so that a movie's media data never has to be in memory all at once.
package protocol ByteSource: Sendable {
  /// The number of bytes.
  var count: Int { get }

  /// Reads bytes.
  ///
  /// - Parameters:
  ///   - offset: The offset of the first byte. The method throws an error if `offset + count` lies outside the source.
  ///   - count: The number of bytes.
  /// - Returns: Exactly `count` bytes.
  func read(at offset: Int, count: Int) throws -> [UInt8]

  /// Skips zero bytes that the source can recognise without reading, such as the holes of a sparse file.
  ///
  /// - Parameter offset: The offset at which to begin, at most ``count``.
  /// - Returns: `offset` or a later offset. All bytes between the two offsets are zero.
  func skippingHoles(from offset: Int) -> Int
}

extension ByteSource {
  /// Returns `offset`, without skipping anything.
  package func skippingHoles(from offset: Int) -> Int { offset }
}

/// A source of bytes in memory.
package struct MemoryByteSource: ByteSource {
  private let bytes: [UInt8]

  /// - Parameter bytes: The content of the source.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The number of bytes.
  package var count: Int { bytes.count }

  /// Reads bytes. See ``ByteSource/read(at:count:)``.
  package func read(at offset: Int, count: Int) throws -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
      throw MediaError(
        "the file is incomplete: it ends too early", remedy: "copy the file from the phone again")
    }
    return Array(bytes[offset..<offset + count])
  }
}
