import Basics

extension AssetRecord {
  /// The digest of everything that the catalogue records about the asset, used to detect corruption such as flipped
  /// bits.
  ///
  /// The digest is the SHA-256 of the values in a fixed order, written as 64 lower-case hexadecimal digits. Each value
  /// is hashed as its byte count, a colon and its bytes.
  var digest: String {
    get throws(EditError) {
      var values = DigestedValues()
      values.add(stem)
      values.add(current)
      values.add(originals, withMedia: true)
      for version in versions {
        for number in [version.number, version.previous, version.base, version.time, version.filesCode] {
          values.add(number)
        }
        for text in [version.origin.rawValue, version.editor, version.build] { values.add(text) }
        values.add(version.adjustment?.formatIdentifier)
        values.add(version.adjustment?.formatVersion)
        values.add(version.adjustment.map { Array($0.data) } ?? [])
        values.add(version.isAside ? 1 : 0)
        values.add(version.batch)
        values.add(version.files, withMedia: false)
      }
      return Digest.hexadecimal(try Digest.of(values.bytes, .sha256))
    }
  }
}

extension Version {
  /// The value of `has_files` in the catalogue: 1 if the version has files, 0 if it has none, or ``lostFiles`` if its
  /// files are recorded as lost.
  var filesCode: Int { isLost ? Self.lostFiles : hasFiles ? 1 : 0 }

  /// The value of `has_files` for a version whose files are recorded as lost.
  static let lostFiles = 2
}

/// The values of a record, in the order in which they are hashed.
private struct DigestedValues {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ value: [UInt8]) {
    bytes += Array("\(value.count):".utf8) + value
  }

  mutating func add(_ number: Int) { add(Array("\(number)".utf8)) }

  /// Adds a string up to its first zero byte, because SQLite stores text only up to that byte.
  mutating func add(_ text: String?) {
    guard let text else { return bytes.append(0x2D) }
    add(Array(text.utf8.prefix { $0 != 0 }))
  }

  mutating func add(_ files: [VersionFile], withMedia: Bool) {
    add(files.count)
    for file in files.sorted(by: { $0.role.order < $1.role.order }) {
      let print = file.fingerprint
      for text in [file.role.rawValue, file.name, print.sha256] { add(text) }
      for number in [Int64(print.size), print.modified, print.changed, print.inode] { add("\(number)") }
      if withMedia { add(print.media) }
    }
  }
}
