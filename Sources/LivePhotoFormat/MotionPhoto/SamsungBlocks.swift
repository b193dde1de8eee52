import Basics
import EditModel

/// The named data blocks that Samsung phones write after a picture, or into a `sefd` box of a HEIC photo. Each block
/// consists of a type, a name and content. After the blocks, a directory states each block's distance from the
/// directory. All numbers are little-endian (ExifTool, `Samsung.pm`).
struct SamsungBlocks {
  /// A named block.
  struct Block: Hashable {
    /// Two zero bytes followed by the block's type.
    let kind: [UInt8]
    let name: [UInt8]
    /// The block's byte range in the file, including its type and name.
    let range: Range<Int>
    /// The byte range of the block's content in the file.
    var content: Range<Int> { range.lowerBound + 8 + name.count..<range.upperBound }
    /// The name under which the block is reported.
    var title: String { SamsungBlocks.title(name) }
    /// Whether the block belongs to a movie. Such a block contains the movie itself, the preview movie for lists, or
    /// the version of these movies.
    var isOfMovie: Bool { SamsungBlocks.isOfMovie(name) }
  }

  /// Returns the name under which a block is reported.
  static func title(_ name: [UInt8]) -> String { "Samsung \(String(decoding: name, as: UTF8.self))" }

  /// Returns whether a block with the given name belongs to a movie.
  static func isOfMovie(_ name: [UInt8]) -> Bool { name.starts(with: "MotionPhoto".utf8) }

  /// The version of the directory's format.
  let version: Int
  /// The blocks in directory order.
  let blocks: [Block]
  /// The offset of the first block in the file.
  let start: Int
  private let source: any ByteSource

  static let directory = Array("SEFH".utf8)
  static let end = Array("SEFT".utf8)
  /// The maximum number of blocks. Real files have far fewer blocks.
  static let mostBlocks = 64
  private static let mostBytes = 1 << 28

  /// Reads the directory at the end of a byte range of a file.
  ///
  /// - Returns: The blocks, or nil if the directory is missing or damaged.
  /// - Throws: Any error that `source` throws.
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
    // Blocks cannot overlap.
    let together = blocks.reduce(0) { $0 + $1.range.count }
    guard together <= min(Self.mostBytes, place - part.lowerBound) else { return nil }
    (self.version, self.blocks, self.source) = (version, blocks, source)
    start = blocks.map(\.range.lowerBound).min() ?? place
  }

  /// Returns the content of a block.
  func content(of block: Block) throws -> [UInt8] {
    try source.read(at: block.content.lowerBound, count: block.content.count)
  }

  /// Returns whether a block contains a movie.
  func holdsMovie(_ block: Block) throws -> Bool {
    try !UnknownMovie.search(block.content, of: source).isEmpty
  }

  /// Returns the given blocks, followed by a directory, or an empty array if no blocks are given.
  func serialized(_ kept: [Block]) throws -> [UInt8] {
    guard !kept.isEmpty else { return [] }
    let bytes = try kept.flatMap { try source.read(at: $0.range.lowerBound, count: $0.range.count) }
    return bytes + Self.directory(version, kept.map { ($0.kind, $0.range.count) })
  }

  /// Returns the directory for blocks that are stored directly before it.
  ///
  /// - Parameter blocks: The type of each block, preceded by two zero bytes, and the size of each block in bytes.
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
  /// The names of blocks that remain valid even if pixels move. These blocks describe when, with which device and in
  /// which mode the photo was taken.
  private static let ofCapture: Set<String> = [
    "Image_UTC_Data", "MCC_Data", "Camera_Capture_Mode_Info", "Color_Display_P3", "Original_Path_Hash_Key",
    "Samsung_Capture_Info", "Camera_Scene_Info", "Gallery_DC_Data",
  ]
  /// The name of the block that describes the edits made in Samsung's photo editor.
  private static let edit = Array("PhotoEditor_Re_Edit_Data".utf8)

  /// Returns the reason why new pixels make a block invalid, or nil if the block remains valid.
  ///
  /// - Parameters:
  ///   - name: The block's name.
  ///   - content: The block's content.
  ///   - pixelsMoved: Whether pixels have moved to other positions in the new picture.
  static func staleness(of name: [UInt8], _ content: [UInt8], pixelsMoved: Bool) -> Message? {
    if name == edit { return "describes the unedited picture" }
    if content.holdsPicture { return PictureChange.stale }
    let isOfCapture = ofCapture.contains(String(decoding: name, as: UTF8.self))
    return pixelsMoved && !isOfCapture ? "may describe the unedited picture" : nil
  }

  /// Returns the blocks that new pixels make invalid, each with the reason.
  func stale(after change: PictureChange) throws -> [(block: Block, reason: Message)] {
    try blocks.compactMap { block in
      let reason =
        try holdsMovie(block)
        ? PictureChange.stale
        : Self.staleness(of: block.name, content(of: block), pixelsMoved: change.pixelsMoved)
      return reason.map { (block, $0) }
    }
  }

  /// The blocks that may contain the capture location: the block that states a country, and all blocks that are not
  /// known to describe only the capture.
  var notKnownToBeFreeOfPlaces: [Block] {
    blocks.filter { block in
      let isOfCapture = Self.ofCapture.contains(String(decoding: block.name, as: UTF8.self))
      return block.name == Self.country || !isOfCapture && !block.isOfMovie
    }
  }

  /// The blocks that reveal the capture location: the country of the mobile network, and blocks that contain a
  /// location.
  var ofPlace: [Block] {
    get throws {
      try blocks.filter { try $0.name == Self.country || !$0.isOfMovie && content(of: $0).mayTellPlace }
    }
  }

  /// The name of the block that states the country of the mobile network.
  static let country = Array("MCC_Data".utf8)

  /// Returns all blocks except the given blocks, followed by a directory.
  func serialized(without lost: [Block]) throws -> [UInt8] {
    try serialized(blocks.filter { !lost.contains($0) })
  }
}
