/// Random access to the bytes of a file, so that a movie's media is never read whole into memory.
package protocol ByteSource: Sendable {
  /// The number of bytes.
  var count: Int { get }

  /// Reads bytes.
  ///
  /// - Parameters:
  ///   - offset: where to begin; `offset + count` lies within the source, or the call throws.
  ///   - count: how many bytes.
  /// - Returns: exactly `count` bytes.
  func read(at offset: Int, count: Int) throws -> [UInt8]

  /// Skips zeros that the source knows without reading them, as a file system knows the holes of a sparse file.
  ///
  /// - Parameter offset: where to begin; at most ``count``.
  /// - Returns: an offset, `offset` or a later one; all bytes between the two are zero.
  func skippingHoles(from offset: Int) -> Int
}

extension ByteSource {
  /// Skips nothing.
  package func skippingHoles(from offset: Int) -> Int { offset }
}

/// Bytes in memory as a source.
package struct MemoryByteSource: ByteSource {
  private let bytes: [UInt8]

  /// - Parameter bytes: the content.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The number of bytes.
  package var count: Int { bytes.count }

  /// See ``ByteSource/read(at:count:)``.
  package func read(at offset: Int, count: Int) throws -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
      throw MediaError(
        "the file ends before all of its parts are complete", remedy: "copy the file from the phone again")
    }
    return Array(bytes[offset..<offset + count])
  }
}
