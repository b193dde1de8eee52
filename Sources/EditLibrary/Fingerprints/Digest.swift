package import Basics
internal import CCrypto
package import FileSystem
package import LivePhotoFormat

/// Hashes computed with libcrypto.
package enum Digest {
  /// A hash algorithm.
  package enum Algorithm {
    /// SHA-1 (FIPS 180-4).
    case sha1
    /// SHA-256 (FIPS 180-4).
    case sha256
  }

  /// Returns the hash of bytes.
  package static func of(_ bytes: [UInt8], _ algorithm: Algorithm) throws(EditError) -> [UInt8] {
    let hash = try Hasher(algorithm)
    try hash.update(bytes)
    return try hash.finish()
  }

  /// Hashes a file, reading 1 MiB at a time.
  ///
  /// - Parameter path: The path of a regular file; a symbolic link is followed.
  /// - Returns: The SHA-256 as 64 lower-case hexadecimal digits.
  package static func sha256(ofFile path: String) throws(EditError) -> String {
    try whileReading(path) { try sha256(of: FileByteSource(path: path)) }
  }

  /// Hashes an open file, reading 1 MiB at a time.
  ///
  /// - Returns: The SHA-256 as 64 lower-case hexadecimal digits.
  package static func sha256(of source: FileByteSource) throws -> String {
    try sha256(of: [.file(0..<source.count)], in: source)
  }

  /// Hashes parts of an open file and the bytes inserted between them, reading 1 MiB at a time.
  ///
  /// - Returns: The SHA-256 as 64 lower-case hexadecimal digits.
  package static func sha256(of parts: [CodedMedia.Part], in source: FileByteSource) throws -> String {
    let hash = try Hasher(.sha256)
    for part in parts {
      switch part {
      case .bytes(let bytes): try hash.update(bytes)
      case .file(let range):
        for at in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
          try hash.update(source.read(at: at, count: min(1 << 20, range.upperBound - at)))
        }
      }
    }
    return hexadecimal(try hash.finish())
  }

  /// Returns bytes as lower-case hexadecimal digits.
  package static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// An incremental hash, which owns a libcrypto context.
  private final class Hasher {
    private let context: OpaquePointer

    init(_ algorithm: Algorithm) throws(EditError) {
      guard let context = EVP_MD_CTX_new() else { throw Hasher.failure }
      guard EVP_DigestInit_ex(context, algorithm == .sha1 ? EVP_sha1() : EVP_sha256(), nil) == 1 else {
        EVP_MD_CTX_free(context)
        throw Hasher.failure
      }
      self.context = context
    }

    deinit {
      EVP_MD_CTX_free(context)
    }

    func update(_ bytes: [UInt8]) throws(EditError) {
      guard EVP_DigestUpdate(context, bytes, bytes.count) == 1 else { throw Hasher.failure }
    }

    func finish() throws(EditError) -> [UInt8] {
      var length: UInt32 = 0
      var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      guard EVP_DigestFinal_ex(context, &bytes, &length) == 1 else { throw Hasher.failure }
      return Array(bytes.prefix(Int(length)))
    }

    private static let failure = EditError(
      .fileSystem, "libcrypto cannot compute hashes", remedy: "check the installation of libcrypto")
  }
}
