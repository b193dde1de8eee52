internal import CFFmpeg

/// The digest of RFC 1321, by which XMP calls its extended packets; it protects nothing.
package enum MD5 {
  /// The digest's 16 bytes.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16) { digest, count in
      av_md5_sum(digest.baseAddress, bytes, bytes.count)
      count = 16
    }
  }
}
