import Basics

/// Where an atom lies in a file, or in what is around it. Its header is a 32-bit size and a kind, then a 64-bit size
/// where the first one says 1. A size of 0 means “up to the end of what is around it” (QuickTime File Format, “Atom
/// Layout”).
struct FileAtom: Hashable, Sendable {
  let kind: FourCC
  /// Offset of the header.
  var offset: Int
  /// Header and content, in bytes.
  let size: Int
  /// The header alone: 8 or 16 bytes.
  let headerSize: Int

  var contentOffset: Int { offset + headerSize }
  var contentSize: Int { size - headerSize }
  /// Header and content.
  var range: Range<Int> { offset..<offset + size }

  /// True if some bytes of the file lie in its content.
  func holds(_ bytes: Range<Int>) -> Bool {
    contentOffset <= bytes.lowerBound && bytes.upperBound <= offset + size
  }

  /// Reads a header, whose size may be any.
  ///
  /// - Parameters:
  ///   - reader: stands at the header, and behind it afterwards.
  ///   - available: bytes from the header's start to the end of what is around it.
  init(_ reader: inout BigEndianReader, at offset: Int, available: Int) throws {
    self.offset = offset
    let short = Int(try reader.uint32())
    kind = try reader.fourCC()
    guard short == 1 else {
      size = short == 0 ? available : short
      headerSize = 8
      return
    }
    guard let long = Int(exactly: try reader.uint64()) else {
      throw MediaError("its atom “\(kind)” has an impossible size")
    }
    size = long
    headerSize = 16
  }

  /// Walks the headers of a file's top-level atoms; no content is read. Zeros may follow the last one, with which copying
  /// programs and cards fill up a file.
  ///
  /// - Parameter allowsTrailer: whether anything else may follow the last one: bytes that are no atom, or another file that
  ///   begins with `ftyp`.
  static func scan(_ source: any ByteSource, allowsTrailer: Bool = false) throws -> [FileAtom] {
    var atoms: [FileAtom] = []
    var offset = 0
    // Real files have about five.
    let most = ReadingLimit.boxes.value
    while source.count - offset >= 8 {
      guard atoms.count < most else {
        throw MediaError(beyond: .boxes, "it has more than \(most) atoms side by side")
      }
      var reader = BigEndianReader(try source.read(at: offset, count: min(16, source.count - offset)))
      let left = source.count - offset
      let mayEnd = allowsTrailer && !atoms.isEmpty
      let found = Result { try FileAtom(&reader, at: offset, available: left) }
      if mayEnd, case .failure = found { break }
      let atom = try found.get()
      guard isPlausible(atom.kind), atom.size >= atom.headerSize else {
        if try mayEnd || !atoms.isEmpty && isPadding(source, from: offset) { break }
        throw MediaError(
          atoms.isEmpty ? "it is not a QuickTime or MP4 movie" : "it has bytes at \(offset) that are no atom")
      }
      if mayEnd, atom.kind == "ftyp" { break }
      guard atom.size <= left else {
        throw MediaError(
          "it is cut off: its atom “\(atom.kind)” should end \(atom.size - left) bytes after the file's end",
          remedy: "copy it again from where it came from")
      }
      atoms.append(atom)
      offset += atom.size
    }
    return atoms
  }

  /// The most zeros that may follow the last atom.
  static let mostPadding = 1 << 30

  /// True if all bytes from a place on are zero. Holes of the file are not read.
  ///
  /// - Throws: ``MediaError`` if there are more than ``mostPadding``.
  private static func isPadding(_ source: any ByteSource, from start: Int) throws -> Bool {
    guard source.count - start <= mostPadding else {
      throw MediaError(
        "more than \(mostPadding >> 30) GB follows its last atom",
        remedy: "copy it again from where it came from")
    }
    var at = source.skippingHoles(from: start)
    while at < source.count {
      let block = try source.read(at: at, count: min(1 << 16, source.count - at))
      guard block.allSatisfy({ $0 == 0 }) else { return false }
      at = source.skippingHoles(from: at + block.count)
    }
    return true
  }

  private static func isPlausible(_ kind: FourCC) -> Bool {
    kind.bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
