internal import CZlib

/// Raw DEFLATE data (RFC 1951), as Apple packs adjustments.
enum RawDeflate {
  /// Unpacks data.
  ///
  /// - Parameters:
  ///   - data: DEFLATE blocks without any header.
  ///   - limit: the most bytes that come out; data that holds more is refused.
  /// - Returns: nil when the data is damaged, incomplete or too large.
  static func inflated(_ data: [UInt8], limit: Int) -> [UInt8]? {
    guard !data.isEmpty, data.count <= limit, let stream = InflateStream() else { return nil }
    return stream.run(data, limit: limit)
  }
}

/// Owns a zlib stream, which must stay where it is: zlib remembers its address.
private final class InflateStream {
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

  private static let blockSize = 1 << 16

  /// The corresponding C function is `inflateInit2`, with negative window bits for data without a header.
  init?() {
    stream.initialize(to: z_stream())
    let status = inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { return nil }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func run(_ data: [UInt8], limit: Int) -> [UInt8]? {
    var output: [UInt8] = []
    var input = data
    var block = [UInt8](repeating: 0, count: Self.blockSize)
    return input.withUnsafeMutableBufferPointer { source -> [UInt8]? in
      stream.pointee.next_in = source.baseAddress
      stream.pointee.avail_in = UInt32(truncatingIfNeeded: source.count)
      while true {
        let status = block.withUnsafeMutableBufferPointer { target in
          stream.pointee.next_out = target.baseAddress
          stream.pointee.avail_out = UInt32(target.count)
          return inflate(stream, Z_NO_FLUSH)
        }
        let made = Self.blockSize - Int(stream.pointee.avail_out)
        guard output.count + made <= limit else { return nil }
        output += block.prefix(made)
        if status == Z_STREAM_END { return output }
        // Without progress the data ends too early.
        guard status == Z_OK, made > 0 || stream.pointee.avail_in > 0 else { return nil }
      }
    }
  }
}
