import Basics

/// The position of an atom in a file or in an enclosing atom. An atom's header consists of a 32-bit size and a kind. If
/// the size is 1, a 64-bit size follows. If the size is 0, the atom extends to the end of the enclosing atom or file
/// (QuickTime File Format, “Atom Layout”).
struct FileAtom: Hashable, Sendable {
  let kind: FourCC
  /// The offset of the header.
  var offset: Int
  /// The total size of the header and the content, in bytes.
  let size: Int
  /// The size of the header alone: 8 or 16 bytes.
  let headerSize: Int

  var contentOffset: Int { offset + headerSize }
  var contentSize: Int { size - headerSize }
  /// The byte range of the atom, including its header.
  var range: Range<Int> { offset..<offset + size }

  /// Returns whether a byte range of the file lies inside this atom's content.
  func holds(_ bytes: Range<Int>) -> Bool {
    contentOffset <= bytes.lowerBound && bytes.upperBound <= offset + size
  }

  /// Reads an atom header in any valid format.
  ///
  /// - Parameters:
  ///   - reader: A reader positioned at the beginning of the header. The function moves the reader to the end of the
  ///     header.
  ///   - available: The number of bytes from the start of the header to the end of the enclosing atom or file.
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
      throw MediaError("the atom “\(kind)” has an impossible size")
    }
    size = long
    headerSize = 16
  }

  /// Reads the headers of a file's top-level atoms but not the atoms' content. Zeros may follow the last atom, because
  /// some copying programs and memory cards pad files with zeros.
  ///
  /// - Parameter allowsTrailer: Whether data other than zeros may follow the last atom: either bytes that are not an
  ///   atom, or another file that begins with `ftyp`.
  static func scan(_ source: any ByteSource, allowsTrailer: Bool = false) throws -> [FileAtom] {
    var atoms: [FileAtom] = []
    var offset = 0
    // Real files have about five top-level atoms.
    let most = ReadingLimit.boxes.value
    while source.count - offset >= 8 {
      guard atoms.count < most else {
        throw MediaError(beyond: .boxes, "the file has more than \(most) atoms at the same level")
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
          atoms.isEmpty
            ? "the file is not a QuickTime or MP4 movie"
            : "the bytes at offset \(offset) are not a valid atom")
      }
      if mayEnd, atom.kind == "ftyp" { break }
      guard atom.size <= left else {
        throw MediaError(
          "the file is cut off: its atom “\(atom.kind)” extends \(atom.size - left) bytes beyond the end of the file",
          remedy: "copy the file from its source again")
      }
      atoms.append(atom)
      offset += atom.size
    }
    return atoms
  }

  /// The maximum number of zeros that may follow the last atom.
  static let mostPadding = 1 << 30

  /// Returns whether all bytes from an offset to the end of the file are zero. Holes in a sparse file are not read.
  ///
  /// - Throws: ``MediaError`` if more than ``mostPadding`` bytes follow the offset.
  private static func isPadding(_ source: any ByteSource, from start: Int) throws -> Bool {
    guard source.count - start <= mostPadding else {
      throw MediaError(
        "more than \(mostPadding >> 30) GB of data follows the last atom",
        remedy: "copy the file from its source again")
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
