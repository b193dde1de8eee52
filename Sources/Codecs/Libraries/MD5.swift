internal import CFFmpeg

/// The MD5 digest (RFC 1321), which XMP uses to identify extended packets. The digest is not used for security.
package enum MD5 {
  /// Returns the 16 bytes of the digest.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16) { digest, count in
      av_md5_sum(digest.baseAddress, bytes, bytes.count)
      count = 16
    }
  }
}
