import Basics

/// How much of a photo or movie has arrived in a file that may still be being copied.
///
/// A copying program may set a file's full size first. Until the program writes the data, the file reads as zeros. Even
/// if the file's list of parts is complete, the data of the parts may be missing. The parts themselves are therefore
/// checked.
package enum FileArrival: Hashable, Sendable {
  /// Every part that the file lists is present.
  case whole
  /// The file ends in zeros or in unknown bytes. The file may be complete, or the rest may still be missing.
  case doubtful
  /// Data is missing. The error describes the missing data.
  case partial(MediaError)

  /// Checks a photo.
  ///
  /// - Throws: ``MediaError`` if the file is not a photo, or if the photo's structure is damaged or cut off, or any
  ///   error that `source` throws.
  package init(ofPhoto source: any ByteSource) throws {
    var check = try ArrivalCheck(source)
    try check.lookAtPhoto()
    self = check.arrival
  }

  /// Checks a movie.
  ///
  /// - Throws: ``MediaError`` if the file is not a movie, or if the movie's structure is damaged or cut off, or any
  ///   error that `source` throws.
  package init(ofMovie source: any ByteSource) throws {
    var check = try ArrivalCheck(source)
    try check.lookAtMovie(0..<source.count)
    self = check.arrival
  }

  /// The maximum number of zeros that are counted at a file's end.
  private static let mostZeros = 1 << 26
  private static let blockSize = 1 << 20

  /// Returns the offset at which the zeros at a file's end begin, or the file's size if the file does not end in zeros.
  /// At most 64 MiB of zeros are counted.
  package static func dataEnd(of source: any ByteSource) throws -> Int {
    var end = source.count
    let least = max(0, end - mostZeros)
    while end > least {
      let start = max(least, end - blockSize)
      let block = try source.read(at: start, count: end - start)
      if let last = block.lastIndex(where: { $0 != 0 }) { return start + last + 1 }
      end = start
    }
    return end
  }
}

/// A check that searches the parts of a file for runs of zeros.
struct ArrivalCheck {
  /// The kind of data in a part, which determines where zeros can occur.
  enum Content {
    /// HEVC, H.264 or VVC NAL units. An emulation prevention byte follows every two zeros (ITU-T H.265 section 7.4.2),
    /// so a longer run of zeros can only be an encoder's padding.
    case nalUnits
    /// Other compressed data, which ends in a marker or a stop bit but may contain long runs of zeros.
    case compressed
    /// Data that begins with a size or a header.
    case headed
    /// Samples that may consist entirely of zeros, such as silence.
    case plain
  }

  let source: any ByteSource
  /// The offset at which the zeros at the file's end begin.
  let written: Int
  private(set) var arrival = FileArrival.whole
  /// The number of bytes that may still be searched for zeros.
  private var room = 1 << 30

  /// The maximum number of zeros that encoders are known to append to a part, rounded up. A Pixel 4 movie has nine such
  /// zeros.
  static let mostPadding = 64
  /// The length in bytes of a run of zeros that does not occur in compressed data. Programs write files in blocks of
  /// this size or of a multiple of this size.
  private static let window = 2048
  private static let blockSize = 1 << 20

  init(_ source: any ByteSource) throws {
    self.source = source
    written = try FileArrival.dataEnd(of: source)
  }

  /// Records that the file may be incomplete.
  mutating func doubt() {
    if arrival == .whole { arrival = .doubtful }
  }

  /// Records that data is missing.
  mutating func miss(_ error: MediaError) {
    if case .partial = arrival { return }
    arrival = .partial(error)
  }

  /// Records that the end of the file consists of zeros where data should be.
  mutating func missEnd() {
    miss(
      MediaError(
        "has not arrived completely: it contains only zeros after byte \(written)",
        remedy: "finish copying the file, or copy it again"))
  }

  /// Checks a part of the file.
  ///
  /// - Parameters:
  ///   - range: The bytes of the part.
  ///   - content: The kind of data in the part.
  ///   - padding: The number of zeros that may pad the end of the part.
  mutating func look(at range: Range<Int>, _ content: Content, padding: Int = 0) throws {
    let zeros = range.upperBound - max(range.lowerBound, min(written, range.upperBound))
    let isBlank = zeros == range.count && zeros >= 8
    switch content {
    case .nalUnits, .compressed:
      if isBlank || zeros > padding + Self.mostPadding { missEnd() } else if zeros > padding { doubt() }
    case .headed:
      if isBlank { missEnd() } else if zeros > padding { doubt() }
    case .plain:
      if zeros > padding { doubt() }
    }
    if case .nalUnits = content, let hole = try hole(in: range) {
      miss(
        MediaError(
          "has not arrived completely: it contains only zeros from byte \(hole.lowerBound) to \(hole.upperBound)",
          remedy: "finish copying the file, or copy it again"))
    }
  }

  /// Returns the first run of zeros before ``written`` that is too long for compressed data, or nil if no run is that
  /// long.
  mutating func hole(in range: Range<Int>) throws -> Range<Int>? {
    let window = Self.window
    let end = min(range.upperBound, written)
    var at = (range.lowerBound + window - 1) / window * window
    while at + window <= end, room > 0 {
      let count = min(Self.blockSize, (end - at) / window * window)
      let block = try source.read(at: at, count: count)
      room -= count
      for start in stride(from: 0, to: count, by: window)
      where block[start..<start + window].allSatisfy({ $0 == 0 }) {
        return at + start..<at + start + window
      }
      at += count
    }
    return nil
  }

  // MARK: Boxes

  /// The boxes that contain other boxes.
  private static let containers: Set<FourCC> = [
    "moov", "trak", "mdia", "minf", "stbl", "edts", "tref", "dinf", "mvex", "udta", "meta", "moof", "traf",
  ]
  /// The boxes that contain tables or headers and therefore do not end in many zeros.
  private static let tables: Set<FourCC> = [
    "ftyp", "mvhd", "tkhd", "mdhd", "hdlr", "stsd", "stts", "ctts", "stss", "stsc", "stsz", "stco", "co64",
    "elst",
    "trex", "tfhd", "trun", "mfra", "sidx", "iinf", "iloc", "iprp", "iref", "pitm", "idat", "grpl", "ilst",
  ]
  private static let padding: Set<FourCC> = ["free", "skip", "wide", "mdat"]

  /// Checks a box that contains tables or metadata. Media data is checked by means of the tables instead.
  ///
  /// The list in `udta` and similar boxes ends with a 32-bit zero (QuickTime File Format, “User Data Atoms”). The last
  /// field of `trex`, the default sample flags, is zero in most files (ISO/IEC 14496-12 section 8.8.3).
  mutating func look(at box: FileAtom) throws {
    guard box.range.upperBound > written else { return }
    var (kind, content) = (box.kind, box.contentOffset..<box.range.upperBound)
    while Self.containers.contains(kind) {
      var last: FileAtom?
      var at = content.lowerBound
      if kind == "meta", content.count >= 8 {
        // QuickTime's `meta` atom has no version field (ISO/IEC 14496-12 section 8.11.1).
        let head = try source.read(at: at, count: 8)
        if !head.dropFirst(4).elementsEqual("hdlr".utf8) { at += 4 }
      }
      while content.upperBound - at >= 8 {
        let left = content.upperBound - at
        var reader = BigEndianReader(try source.read(at: at, count: min(16, left)))
        guard let child = try? FileAtom(&reader, at: at, available: left), child.size >= child.headerSize,
          child.size <= left, child.kind.rawValue != 0
        else { break }
        (last, at) = (child, at + child.size)
      }
      guard let last, at == content.upperBound else {
        return try look(at: at..<content.upperBound, kind == "udta" ? .plain : .compressed, padding: 8)
      }
      (kind, content) = (last.kind, last.contentOffset..<last.range.upperBound)
    }
    if Self.padding.contains(kind) { return }
    let isTable = Self.tables.contains(kind)
    try look(at: content, isTable ? .compressed : .plain, padding: kind == "trex" ? 4 : 0)
  }
}
