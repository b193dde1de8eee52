package import Basics
package import EditModel

/// Derives the content identifiers of renders. The same base, edit and settings always produce the same identifier.
package enum NameBasedUUID {
  /// The namespace of liveedit's renders: a random UUID that never changes.
  static let namespace: [UInt8] = [
    0x6F, 0x1C, 0x7B, 0x0E, 0x52, 0xD3, 0x4A, 0x38, 0x9B, 0xE1, 0x3D, 0x5F, 0x08, 0xC4, 0xA7, 0x92,
  ]

  /// Returns the identifier of a render.
  ///
  /// - Parameters:
  ///   - base: The identifier of the files to which the edit is applied, or nil if the files have no identifier.
  ///   - adjustment: The edit and the settings, in liveedit's own format.
  /// - Returns: An upper-case UUID, version 5, computed from the base, a line feed, the data's format version, a line
  ///   feed, and the data. The result is nil if the base has no identifier or the photo is rendered without a movie.
  package static func renderIdentifier(
    base: String?, adjustment: AdjustmentData
  ) throws(EditError) -> String? {
    guard let base, adjustment.decoded()?.edit.motion.isLiveOff != true else { return nil }
    return try version5(
      namespace: namespace, name: Array("\(base)\n\(adjustment.formatVersion)\n".utf8) + adjustment.data)
  }

  /// Returns the identifier of a Live Photo that is made from files. The same files always produce the same identifier.
  ///
  /// - Parameters:
  ///   - paths: The files, in a fixed order.
  ///   - purpose: A string that represents everything else that determines the result.
  /// - Returns: An upper-case UUID, version 5, computed from the files' SHA-256 in hexadecimal and the purpose, one per
  ///   line.
  package static func pairIdentifier(of paths: [String], purpose: String = "pair") throws(EditError) -> String
  {
    var name = ""
    for path in paths { name += try Digest.sha256(ofFile: path) + "\n" }
    return try version5(namespace: namespace, name: Array((name + purpose).utf8))
  }

  /// Returns a UUID derived from the given words. The same words always produce the same UUID.
  package static func name(of words: [String]) throws(EditError) -> String {
    try version5(namespace: namespace, name: Array(words.joined(separator: "\0").utf8))
  }

  /// Returns a UUID version 5 (RFC 9562 section 5.5): the first 16 bytes of the SHA-1 of the namespace and the name,
  /// with the version in the high four bits of byte 6 and the variant in the high two bits of byte 8.
  ///
  /// - Parameters:
  ///   - namespace: The namespace, 16 bytes.
  ///   - name: The name, any bytes.
  /// - Returns: The UUID, 36 characters in upper case.
  static func version5(namespace: [UInt8], name: [UInt8]) throws(EditError) -> String {
    var bytes = Array(try Digest.of(namespace + name, .sha1).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x50
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Digest.hexadecimal(bytes).uppercased()
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }
}
