import Basics
import EditModel

/// The trailer that Samsung phones write: named blocks after a picture, including the movie's block, and a directory of
/// the blocks at the end of the file. All numbers are little-endian (ExifTool, `Samsung.pm`). In a JPEG, the movie's
/// block contains the movie. In a HEIC file, the trailer is a `sefd` box after the movie's box, and the movie's block
/// only states the movie's position.
package struct SamsungTrailer: Hashable, Sendable {
  /// A block, which consists of a type, a name and content. For a movie, the content is empty.
  struct Block: Hashable, Sendable {
    let kind: [UInt8]
    let name: [UInt8]
    var content: [UInt8]

    /// The type and name, which precede the content.
    var head: [UInt8] { kind + ByteOrder.little.bytes(of: name.count, width: 4) + name }
  }

  static let name = "MotionPhoto_Data"
  private static let mostBytes = 1 << 20

  /// Checks that the blocks in a `sefd` box are small enough to be examined.
  ///
  /// - Parameter box: The `sefd` box of a HEIC photo.
  /// - Throws: ``MediaError`` if the blocks are too large.
  static func checkSize(_ box: FileAtom) throws {
    guard box.contentSize <= mostBytes else {
      throw MediaError("the Samsung data blocks are larger than \(mostBytes >> 20) MB", isUnsupported: true)
    }
  }

  /// The version of the directory's format.
  private var version = 106
  /// The blocks in order. The movie's block has no content.
  private var blocks: [Block]
  /// The index of the movie's block.
  private var movieIndex: Int
  /// The names of the blocks that are not copied because they contain movies that would not be edited.
  private(set) var lost: [String] = []

  /// Creates a trailer that consists only of a movie's block, whose type is 0x0A30.
  package init() {
    blocks = [Block(kind: [0, 0, 0x30, 0x0A], name: Array(Self.name.utf8), content: [])]
    movieIndex = 0
  }

  /// Reads the trailer at the end of a byte range of a file.
  ///
  /// - Parameters:
  ///   - part: The bytes after the picture, or the content of a `sefd` box.
  ///   - source: The file.
  /// - Returns: The trailer and the offset of its first block, or nil if the trailer is missing, is damaged or does not
  ///   contain a movie's block.
  static func read(
    _ part: Range<Int>, of source: any ByteSource
  ) throws -> (trailer: SamsungTrailer, start: Int)? {
    guard let all = try SamsungBlocks(endOf: part, of: source) else { return nil }
    var trailer = SamsungTrailer()
    (trailer.version, trailer.blocks) = (all.version, [])
    var movie: Int?
    for block in all.blocks {
      let isMovie = block.name.elementsEqual(name.utf8)
      if isMovie { movie = trailer.blocks.count }
      if try !isMovie && all.holdsMovie(block) {
        trailer.lost.append(block.title)
        continue
      }
      guard isMovie || block.content.count <= mostBytes else { return nil }
      trailer.blocks.append(
        Block(kind: block.kind, name: block.name, content: isMovie ? [] : try all.content(of: block)))
    }
    guard let movie else { return nil }
    trailer.movieIndex = movie
    return (trailer, all.start)
  }

  /// Changes the contents of all blocks except the movie's block.
  mutating func changeContents(_ change: (_ kind: [UInt8], _ name: [UInt8], _ content: inout [UInt8]) -> Void)
  {
    for index in blocks.indices where index != movieIndex {
      change(blocks[index].kind, blocks[index].name, &blocks[index].content)
    }
  }

  /// Removes blocks, but never the movie's block.
  ///
  /// - Parameter reason: A function that returns the reason for removing a block with a given name and content, or nil
  ///   to keep the block.
  /// - Returns: The removed blocks.
  mutating func remove(_ reason: (_ name: [UInt8], _ content: [UInt8]) -> Message?) -> [Removal] {
    var removals: [Removal] = []
    for index in blocks.indices.reversed() where index != movieIndex {
      guard let why = reason(blocks[index].name, blocks[index].content) else { continue }
      let block = blocks.remove(at: index)
      if index < movieIndex { movieIndex -= 1 }
      removals.append(Removal(half: .photo, name: SamsungBlocks.title(block.name), reason: why))
    }
    return removals.reversed()
  }

  /// Returns whether a file ends with a directory that lists a movie's block. The function reads only the directory.
  static func listsMovie(_ source: any ByteSource) throws -> Bool { try movieBlock(in: source) != nil }

  /// Returns whether the movie's block actually contains a movie. The block is found through the directory at the end
  /// of the file. The function reads only the directory and the beginning of the block.
  static func holdsMovie(_ source: any ByteSource) throws -> Bool {
    let head = SamsungTrailer().head.count
    guard let block = try movieBlock(in: source), block >= 0, block + head + 8 <= source.count else {
      return false
    }
    return try source.read(at: block + head + 4, count: 4).elementsEqual("ftyp".utf8)
  }

  /// Returns the offset of the movie's block according to the directory at the end of a file, or nil if the directory
  /// does not list a movie's block.
  private static func movieBlock(in source: any ByteSource) throws -> Int? {
    guard source.count >= 32 else { return nil }
    let tail = Array(try source.read(at: source.count - 8, count: 8))
    guard tail.suffix(4).elementsEqual(SamsungBlocks.end),
      let size = ByteOrder.little.number(tail, at: 0, width: 4),
      12 + 12...12 + 12 * SamsungBlocks.mostBlocks ~= size, size <= source.count - 8
    else { return nil }
    let place = source.count - 8 - size
    let list = Array(try source.read(at: place, count: size))
    guard list.starts(with: SamsungBlocks.directory) else { return nil }
    let kind = SamsungTrailer().blocks[0].kind
    let entry = stride(from: 12, through: size - 12, by: 12).first { list[$0..<$0 + 4].elementsEqual(kind) }
    return entry.flatMap { ByteOrder.little.number(list, at: $0 + 4, width: 4) }.map { place - $0 }
  }

  /// The bytes between a JPEG and the movie after it.
  var head: [UInt8] {
    blocks[..<movieIndex].flatMap { $0.head + $0.content } + blocks[movieIndex].head
  }

  /// Returns the bytes after a movie in a JPEG.
  ///
  /// - Parameter movieSize: The size of the movie in bytes.
  func tail(movieSize: Int) -> [UInt8] {
    blocks[(movieIndex + 1)...].flatMap { $0.head + $0.content }
      + directory { index in
        blocks[index].head.count + (index == movieIndex ? movieSize : blocks[index].content.count)
      }
  }

  /// Returns the `sefd` box that follows the box of a movie.
  ///
  /// - Parameters:
  ///   - place: The offset of the movie.
  ///   - movieSize: The size of the movie in bytes.
  func box(movieAt place: Int, movieSize: Int) -> [UInt8] {
    let big = ByteOrder.big
    var all = self
    // This is the second version of the movie's block, which states the movie's position.
    all.blocks[movieIndex].content =
      Array("mpv2".utf8) + big.bytes(of: place, width: 4) + big.bytes(of: movieSize, width: 4)
    let bytes =
      all.blocks.flatMap { $0.head + $0.content }
      + all.directory { all.blocks[$0].head.count + all.blocks[$0].content.count }
    return big.bytes(of: bytes.count + 8, width: 4) + Array("sefd".utf8) + bytes
  }

  /// Returns the directory, which states the size of each block and its distance from the directory.
  private func directory(_ size: (Int) -> Int) -> [UInt8] {
    SamsungBlocks.directory(version, blocks.indices.map { (blocks[$0].kind, size($0)) })
  }
}
