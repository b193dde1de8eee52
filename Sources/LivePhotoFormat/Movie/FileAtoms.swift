import Basics

/// Where an atom lies in a file.
struct FileAtom: Hashable, Sendable {
  let kind: FourCC
  /// Offset of the header.
  let offset: Int
  /// Header and content, in bytes.
  let size: Int
  let headerSize: Int

  var contentOffset: Int { offset + headerSize }
  var contentSize: Int { size - headerSize }
}

/// The top level of a QuickTime file.
enum FileAtoms {
  /// Far above what real files have (about five).
  private static let most = 4096

  /// Walks the headers of a file's top-level atoms; no content is read.
  ///
  /// - Parameter allowsTrailer: whether bytes that are no atom may follow the last one.
  static func scan(_ source: any ByteSource, allowsTrailer: Bool = false) throws -> [FileAtom] {
    var atoms: [FileAtom] = []
    var offset = 0
    while source.count - offset >= 8 {
      guard atoms.count < most else { throw MediaError("it has more than \(most) atoms side by side") }
      var reader = BigEndianReader(try source.read(at: offset, count: min(16, source.count - offset)))
      let left = source.count - offset
      let mayEnd = allowsTrailer && !atoms.isEmpty
      let found = Result { try AtomHeader(&reader, available: left) }
      if mayEnd, case .failure = found { break }
      let header = try found.get()
      guard isPlausible(header.kind), header.size >= header.headerSize else {
        if mayEnd { break }
        throw MediaError(
          atoms.isEmpty ? "it is not a QuickTime or MP4 movie" : "it has bytes at \(offset) that are no atom")
      }
      guard header.size <= left else {
        throw MediaError(
          "it is cut off: its atom “\(header.kind)” should end \(header.size - left) bytes after the file's end",
          remedy: "copy it again from where it came from")
      }
      atoms.append(
        FileAtom(kind: header.kind, offset: offset, size: header.size, headerSize: header.headerSize))
      offset += header.size
    }
    return atoms
  }

  private static func isPlausible(_ kind: FourCC) -> Bool {
    kind.bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
