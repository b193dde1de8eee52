internal import CZlib

/// DEFLATE data (RFC 1951).
package enum Deflate {
  /// The frame around the blocks.
  package enum Format: Sendable {
    /// Nothing, as Apple packs adjustments.
    case raw
    /// A header and a checksum (RFC 1950), as QuickTime packs movies' tables.
    case zlib
  }

  /// Packs data with a header and a checksum (RFC 1950).
  ///
  /// - Parameter data: as much as memory holds.
  /// - Returns: nil when there is no memory for it.
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

  /// Unpacks data, without a library: it may be a stranger's.
  ///
  /// - Parameters:
  ///   - data: DEFLATE blocks.
  ///   - limit: the most bytes that come out; data that holds more is refused.
  ///   - format: what is around the blocks.
  /// - Returns: nil when the data is damaged, incomplete or too large.
  package static func inflated(_ data: [UInt8], limit: Int, format: Format = .raw) -> [UInt8]? {
    guard !data.isEmpty, data.count <= limit else { return nil }
    guard format == .raw || hasHeader(data) else { return nil }
    do {
      var inflation = try Inflation(data.dropFirst(format == .raw ? 0 : 2), limit: limit)
      let rest = try inflation.run()
      let isWhole = format == .raw || rest.prefix(4).elementsEqual(checksum(inflation.output))
      return isWhole ? inflation.output : nil
    } catch {
      return nil
    }
  }

  /// True if data begins as RFC 1950 says in section 2.2: DEFLATE with a window of at most 32 kB, without a dictionary, and
  /// the two bytes a multiple of 31.
  private static func hasHeader(_ data: [UInt8]) -> Bool {
    guard data.count >= 2 else { return false }
    let (method, flags) = (Int(data[0]), Int(data[1]))
    return method & 15 == 8 && method >> 4 <= 7 && flags & 0x20 == 0 && (method << 8 + flags) % 31 == 0
  }

  /// The checksum Adler-32 (RFC 1950 section 8), its highest byte first.
  private static func checksum(_ data: [UInt8]) -> [UInt8] {
    var (low, high): (UInt64, UInt64) = (1, 0)
    var at = 0
    while at < data.count {
      // Sums of so many bytes are far from the end of 64 bits.
      let end = min(at + 4096, data.count)
      for byte in data[at..<end] {
        low += UInt64(byte)
        high += low
      }
      (low, high, at) = (low % 65521, high % 65521, end)
    }
    return [UInt8(high >> 8), UInt8(high & 255), UInt8(low >> 8), UInt8(low & 255)]
  }
}
