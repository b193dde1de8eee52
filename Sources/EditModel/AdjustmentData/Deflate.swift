internal import CZlib

/// Compression and decompression of DEFLATE data (RFC 1951).
package enum Deflate {
  /// The wrapper around the DEFLATE blocks.
  package enum Format: Sendable {
    /// No wrapper, as in Apple's adjustment data.
    case raw
    /// A header and a checksum (RFC 1950), as in compressed QuickTime movie headers.
    case zlib
  }

  /// Compresses data, with a header and a checksum (RFC 1950).
  ///
  /// - Parameter data: The data to compress.
  /// - Returns: The compressed data; nil if memory is insufficient.
  package static func deflated(_ data: [UInt8]) -> [UInt8]? {
    let bound = compressBound(UInt(data.count))
    var status = Z_OK
    let packed = [UInt8](unsafeUninitializedCapacity: Int(bound)) { target, made in
      var size = bound
      status = compress2(target.baseAddress, &size, data, UInt(data.count), Z_DEFAULT_COMPRESSION)
      made = status == Z_OK ? Int(size) : 0
    }
    return status == Z_OK ? packed : nil
  }

  /// Decompresses data.
  ///
  /// - Parameters:
  ///   - data: The DEFLATE blocks. Bytes after the last block are not read.
  ///   - limit: The maximum size in bytes, both of the decompressed data and of `data`.
  ///   - format: The wrapper around the blocks.
  /// - Returns: The decompressed data; nil if the data is damaged, incomplete or too large.
  package static func inflated(_ data: [UInt8], limit: Int, format: Format = .raw) -> [UInt8]? {
    guard !data.isEmpty, data.count <= limit else { return nil }
    // zlib stores the address of its stream, so the stream must not move.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    defer { stream.deallocate() }
    stream.initialize(to: z_stream())
    // A negative number of window bits selects data without a wrapper.
    let windowBits: Int32 = format == .raw ? -15 : 15
    let status = inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { return nil }
    defer { inflateEnd(stream) }
    var input = data
    return input.withUnsafeMutableBufferPointer { source in
      var output: [UInt8] = []
      var fed = 0
      while true {
        // zlib counts its input bytes with 32-bit numbers.
        if stream.pointee.avail_in == 0, fed < source.count {
          let piece = min(source.count - fed, 1 << 30)
          stream.pointee.next_in = source.baseAddress?.advanced(by: fed)
          stream.pointee.avail_in = UInt32(piece)
          fed += piece
        }
        var status = Z_OK
        let block = [UInt8](unsafeUninitializedCapacity: 1 << 16) { target, made in
          stream.pointee.next_out = target.baseAddress
          stream.pointee.avail_out = UInt32(target.count)
          status = inflate(stream, Z_NO_FLUSH)
          made = target.count - Int(stream.pointee.avail_out)
        }
        guard output.count + block.count <= limit else { return nil }
        output += block
        if status == Z_STREAM_END { return output }
        // If zlib makes no progress, the data is truncated.
        guard status == Z_OK, !block.isEmpty || stream.pointee.avail_in > 0 else { return nil }
      }
    }
  }
}
