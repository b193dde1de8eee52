internal import CZlib

/// Unpacks a picture's samples by zlib (RFC 1950).
///
/// - Parameters:
///   - data: the contents of all chunks IDAT.
///   - limit: the most bytes that come out; data that holds more is refused.
/// - Returns: nil when the data is damaged, incomplete or too large.
func inflatedSamples(_ data: [UInt8], limit: Int) -> [UInt8]? {
  guard !data.isEmpty, data.count <= limit else { return nil }
  // zlib remembers the address of its stream, which so stays where it is.
  let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  defer { stream.deallocate() }
  stream.initialize(to: z_stream())
  let status = inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
  guard status == Z_OK else { return nil }
  defer { inflateEnd(stream) }
  var input = data
  return input.withUnsafeMutableBufferPointer { source in
    var output: [UInt8] = []
    var fed = 0
    while true {
      // zlib counts what it gets in 32 bits.
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
      // Without progress the data ends too early.
      guard status == Z_OK, !block.isEmpty || stream.pointee.avail_in > 0 else { return nil }
    }
  }
}
