import EditModel
import FileSystem
import LivePhotoFormat

/// Reads what ties a photo to its movie. The one place where this room looks into the containers.
enum HalfIdentifier {
  /// The content identifier of a file.
  ///
  /// - Parameters:
  ///   - path: the file's path; links are followed.
  ///   - kind: which half it is by its name.
  /// - Returns: nil when the file is sound and carries none.
  static func read(_ path: String, kind: HalfKind) throws(EditError) -> String? {
    do {
      let source = try FileByteSource(path: path)
      guard source.count > 0 else {
        throw EditError(.invalidFile, file: path, "is empty", remedy: "copy it again from the phone")
      }
      return try kind == .photo ? ofPhoto(source) : ofMovie(source)
    } catch {
      throw EditError(reading: path, error)
    }
  }

  /// Which half a file is by its first bytes, for names whose extension does not tell.
  ///
  /// - Parameter path: the file's path; links are followed.
  static func kind(ofContent path: String) throws(EditError) -> HalfKind {
    for kind in [HalfKind.movie, .photo] {
      do {
        _ = try read(path, kind: kind)
        return kind
      } catch {
        if error.code != .invalidFile { throw error }
      }
    }
    throw EditError(
      .invalidFile, file: path, "is neither a photo nor a movie", remedy: "name a JPEG, HEIC or QuickTime file")
  }

  // Provisional: looks for the bytes around an identifier until the container readers are joined in.
  private static func ofPhoto(_ source: FileByteSource) throws -> String? {
    let head = try source.read(at: 0, count: min(source.count, 1 << 18))
    guard head.starts(with: [0xFF, 0xD8, 0xFF]) || (head.count > 8 && head[4..<8].elementsEqual("ftyp".utf8))
    else {
      throw FormatError("is not a photo", remedy: "name a JPEG or HEIC photo")
    }
    return identifier(in: head, behind: [0, 0x11, 0, 2, 0, 0, 0, 0x25])
  }

  private static func ofMovie(_ source: FileByteSource) throws -> String? {
    try MovieSummary(source).contentIdentifier
  }

  private static func identifier(in bytes: [UInt8], behind mark: [UInt8]) -> String? {
    guard let start = bytes.firstRange(of: mark)?.upperBound else { return nil }
    var at = start
    while at + 36 <= bytes.count {
      let text = bytes[at..<at + 36]
      let isIdentifier = zip(text, 0...).allSatisfy { byte, place in
        [8, 13, 18, 23].contains(place)
          ? byte == UInt8(ascii: "-") : (48...57).contains(byte) || (65...70).contains(byte)
      }
      if isIdentifier { return String(decoding: text, as: UTF8.self) }
      at += 1
    }
    return nil
  }
}
