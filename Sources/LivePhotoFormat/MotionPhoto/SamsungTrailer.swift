import Basics
import EditModel

/// The trailer of Samsung's phones: named blocks behind a picture, that of a movie among them, and a directory of the blocks at
/// the file's end, all little-endian (ExifTool, `Samsung.pm`). In a JPEG the movie lies in its block; in HEIC the trailer is a
/// box `sefd` behind the movie's, whose block says where that one is.
package struct SamsungTrailer: Hashable, Sendable {
  /// A block: its type, its name, and what it holds besides a movie.
  struct Block: Hashable, Sendable {
    let kind: [UInt8]
    let name: [UInt8]
    var content: [UInt8]

    /// Type and name, which the content follows.
    var head: [UInt8] { kind + ByteOrder.little.bytes(of: name.count, width: 4) + name }
  }

  static let name = "MotionPhoto_Data"
  private static let mostBytes = 1 << 20

  /// Makes sure that blocks are small enough to be looked through.
  ///
  /// - Parameter box: the box `sefd` of a HEIC photo.
  /// - Throws: ``MediaError`` when they are not.
  static func checkSize(_ box: FileAtom) throws {
    guard box.contentSize <= mostBytes else {
      throw MediaError("its Samsung blocks are larger than \(mostBytes >> 20) MB", isUnsupported: true)
    }
  }

  /// The number of the directory's layout.
  private var version = 106
  /// The blocks in their order; that of the movie has no content.
  private var blocks: [Block]
  /// Which of them is the movie's.
  private var movieIndex: Int
  /// The blocks that were there and are not carried on, since movies stand in them that nobody edits.
  private(set) var lost: [String] = []

  /// A trailer with a movie alone: type 0x0A30.
  package init() {
    blocks = [Block(kind: [0, 0, 0x30, 0x0A], name: Array(Self.name.utf8), content: [])]
    movieIndex = 0
  }

  /// Reads the trailer at the end of a part of a file.
  ///
  /// - Parameters:
  ///   - part: what follows the picture, or the content of a box `sefd`.
  ///   - source: the file.
  /// - Returns: the trailer, and where its first block begins; nil where there is none with a movie, or it is damaged.
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

  /// Changes what the blocks besides the movie's hold.
  mutating func changeContents(_ change: (_ kind: [UInt8], _ name: [UInt8], _ content: inout [UInt8]) -> Void)
  {
    for index in blocks.indices where index != movieIndex {
      change(blocks[index].kind, blocks[index].name, &blocks[index].content)
    }
  }

  /// Leaves blocks out besides the movie's.
  ///
  /// - Parameter reason: returns why a block goes, by its name and content; nil where it stays.
  /// - Returns: what is gone.
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

  /// True if a file ends with a directory that lists a movie's block. Of the file only the directory is read.
  static func listsMovie(_ source: any ByteSource) throws -> Bool { try movieBlock(in: source) != nil }

  /// True if the movie's block that the directory at a file's end lists holds a movie. Of the file only the directory and the block's
  /// beginning are read.
  static func holdsMovie(_ source: any ByteSource) throws -> Bool {
    let head = SamsungTrailer().head.count
    guard let block = try movieBlock(in: source), block >= 0, block + head + 8 <= source.count else {
      return false
    }
    return try source.read(at: block + head + 4, count: 4).elementsEqual("ftyp".utf8)
  }

  /// Where the movie's block begins by the directory at a file's end; nil where that lists none.
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

  /// The bytes between a JPEG and the movie behind it.
  var head: [UInt8] {
    blocks[..<movieIndex].flatMap { $0.head + $0.content } + blocks[movieIndex].head
  }

  /// The bytes behind a movie in a JPEG.
  ///
  /// - Parameter movieSize: bytes of the movie.
  func tail(movieSize: Int) -> [UInt8] {
    blocks[(movieIndex + 1)...].flatMap { $0.head + $0.content }
      + directory { index in
        blocks[index].head.count + (index == movieIndex ? movieSize : blocks[index].content.count)
      }
  }

  /// The box `sefd` behind the box of a movie.
  ///
  /// - Parameters:
  ///   - place: where the movie begins.
  ///   - movieSize: its bytes.
  func box(movieAt place: Int, movieSize: Int) -> [UInt8] {
    let big = ByteOrder.big
    var all = self
    // The second version of the movie's block: where it is.
    all.blocks[movieIndex].content =
      Array("mpv2".utf8) + big.bytes(of: place, width: 4) + big.bytes(of: movieSize, width: 4)
    let bytes =
      all.blocks.flatMap { $0.head + $0.content }
      + all.directory { all.blocks[$0].head.count + all.blocks[$0].content.count }
    return big.bytes(of: bytes.count + 8, width: 4) + Array("sefd".utf8) + bytes
  }

  /// The directory: how far before it each block begins, and how large it is.
  private func directory(_ size: (Int) -> Int) -> [UInt8] {
    SamsungBlocks.directory(version, blocks.indices.map { (blocks[$0].kind, size($0)) })
  }
}
