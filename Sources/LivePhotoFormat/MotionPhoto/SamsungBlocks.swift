import Basics
import EditModel

/// The named blocks that Samsung's phones write behind a picture, or into a box `sefd` of a HEIC photo: each has a type, a name
/// and its content, and a directory behind them says how far before it each begins, all little-endian (ExifTool,
/// `Samsung.pm`).
struct SamsungBlocks {
  /// A block.
  struct Block: Hashable {
    /// Two zeros and its type.
    let kind: [UInt8]
    let name: [UInt8]
    /// Where it stands in the file, type and name included.
    let range: Range<Int>
    /// Where its content stands in the file.
    var content: Range<Int> { range.lowerBound + 8 + name.count..<range.upperBound }
    /// Its name in what is said of it.
    var title: String { SamsungBlocks.title(name) }
    /// True if it belongs to a movie: the movie itself, one that shows in lists, or their version.
    var isOfMovie: Bool { SamsungBlocks.isOfMovie(name) }
  }

  /// The name of a block in what is said of it.
  static func title(_ name: [UInt8]) -> String { "Samsung \(String(decoding: name, as: UTF8.self))" }

  /// True if a block of a name belongs to a movie.
  static func isOfMovie(_ name: [UInt8]) -> Bool { name.starts(with: "MotionPhoto".utf8) }

  /// The number of the directory's layout.
  let version: Int
  /// The blocks in the directory's order.
  let blocks: [Block]
  /// Where the first block begins in the file.
  let start: Int
  private let source: any ByteSource

  static let directory = Array("SEFH".utf8)
  static let end = Array("SEFT".utf8)
  /// Far above what real files have.
  static let mostBlocks = 64
  private static let mostBytes = 1 << 28

  /// Reads the directory at the end of a part of a file.
  ///
  /// - Returns: nil where there is none, or it is damaged.
  /// - Throws: what `source` throws.
  init?(endOf part: Range<Int>, of source: any ByteSource) throws {
    let little = ByteOrder.little
    guard part.count >= 20 else { return nil }
    let tail = try source.read(at: part.upperBound - 8, count: 8)
    guard tail.suffix(4).elementsEqual(Self.end), let size = little.number(tail, at: 0, width: 4),
      12...12 + 12 * Self.mostBlocks ~= size, size <= part.count - 8
    else { return nil }
    let place = part.upperBound - 8 - size
    let list = try source.read(at: place, count: size)
    guard list.starts(with: Self.directory), let version = little.number(list, at: 4, width: 4),
      let count = little.number(list, at: 8, width: 4), count <= Self.mostBlocks, 12 + 12 * count <= size
    else { return nil }
    var blocks: [Block] = []
    for entry in stride(from: 12, to: 12 + 12 * count, by: 12) {
      guard let back = little.number(list, at: entry + 4, width: 4), back <= place - part.lowerBound,
        let length = little.number(list, at: entry + 8, width: 4), length >= 8, length <= back
      else { return nil }
      let start = place - back
      let head = try source.read(at: start, count: 8)
      guard let nameLength = little.number(head, at: 4, width: 4), nameLength <= min(length - 8, 256) else {
        return nil
      }
      let name = try source.read(at: start + 8, count: nameLength)
      blocks.append(Block(kind: Array(head[..<4]), name: name, range: start..<start + length))
    }
    // Blocks lie side by side.
    let together = blocks.reduce(0) { $0 + $1.range.count }
    guard together <= min(Self.mostBytes, place - part.lowerBound) else { return nil }
    (self.version, self.blocks, self.source) = (version, blocks, source)
    start = blocks.map(\.range.lowerBound).min() ?? place
  }

  /// The content of a block.
  func content(of block: Block) throws -> [UInt8] {
    try source.read(at: block.content.lowerBound, count: block.content.count)
  }

  /// True if a movie stands in a block.
  func holdsMovie(_ block: Block) throws -> Bool {
    try !UnknownMovie.search(block.content, of: source).isEmpty
  }

  /// Some of the blocks, with a directory of them; nothing for none.
  func serialized(_ kept: [Block]) throws -> [UInt8] {
    guard !kept.isEmpty else { return [] }
    let bytes = try kept.flatMap { try source.read(at: $0.range.lowerBound, count: $0.range.count) }
    return bytes + Self.directory(version, kept.map { ($0.kind, $0.range.count) })
  }

  /// The directory of blocks that stand before it.
  ///
  /// - Parameter blocks: the type of each, with two zeros before it, and its bytes.
  static func directory(_ version: Int, _ blocks: [(kind: [UInt8], size: Int)]) -> [UInt8] {
    let little = ByteOrder.little
    var bytes =
      directory + little.bytes(of: version, width: 4) + little.bytes(of: blocks.count, width: 4)
    var back = blocks.reduce(0) { $0 + $1.size }
    for (kind, size) in blocks {
      bytes += kind + little.bytes(of: back, width: 4) + little.bytes(of: size, width: 4)
      back -= size
    }
    return bytes + little.bytes(of: bytes.count, width: 4) + end
  }
}

extension SamsungBlocks {
  /// Names of blocks that stay true wherever pixels go: when, with what and in which mode the photo was taken.
  private static let ofCapture: Set<String> = [
    "Image_UTC_Data", "MCC_Data", "Camera_Capture_Mode_Info", "Color_Display_P3", "Original_Path_Hash_Key",
    "Samsung_Capture_Info", "Camera_Scene_Info", "Gallery_DC_Data",
  ]
  /// The name of the block that says how Samsung's editor made the picture.
  private static let edit = Array("PhotoEditor_Re_Edit_Data".utf8)

  /// Why a block is not true any more when a picture gets new pixels; nil where it stays true.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - content: what it holds.
  ///   - pixelsMoved: whether pixels are elsewhere in the new picture.
  static func staleness(of name: [UInt8], _ content: [UInt8], pixelsMoved: Bool) -> Message? {
    if name == edit { return "describes the picture as it was before the edit" }
    if content.holdsPicture { return PictureChange.stale }
    let isOfCapture = ofCapture.contains(String(decoding: name, as: UTF8.self))
    return pixelsMoved && !isOfCapture ? "may describe the picture as it was before the edit" : nil
  }

  /// The blocks that are not true any more when a picture gets new pixels, and why.
  func stale(after change: PictureChange) throws -> [(block: Block, reason: Message)] {
    try blocks.compactMap { block in
      let reason =
        try holdsMovie(block)
        ? PictureChange.stale
        : Self.staleness(of: block.name, content(of: block), pixelsMoved: change.pixelsMoved)
      return reason.map { (block, $0) }
    }
  }

  /// The blocks of which nobody can say that they do not tell where the photo was taken: all but those of the capture, and among these
  /// the one that names a country.
  var notKnownToBeFreeOfPlaces: [Block] {
    blocks.filter { block in
      let isOfCapture = Self.ofCapture.contains(String(decoding: block.name, as: UTF8.self))
      return block.name == Self.country || !isOfCapture && !block.isOfMovie
    }
  }

  /// The blocks that tell where a photo was taken: the country of the phone's network, and those with a place in them.
  var ofPlace: [Block] {
    get throws {
      try blocks.filter { try $0.name == Self.country || !$0.isOfMovie && content(of: $0).mayTellPlace }
    }
  }

  /// The name of the block that says in which country's network the phone was.
  static let country = Array("MCC_Data".utf8)

  /// All blocks but some, with a directory.
  func serialized(without lost: [Block]) throws -> [UInt8] {
    try serialized(blocks.filter { !lost.contains($0) })
  }
}
