import Basics

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
  /// The name of the block that says in which country's network the phone was.
  static let country = "MCC_Data"
  private static let directory = Array("SEFH".utf8)
  private static let end = Array("SEFT".utf8)
  /// Far above what real files have.
  private static let mostBlocks = 64
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

  /// A trailer with a movie alone: type 0x0A30.
  package init() {
    blocks = [Block(kind: [0, 0, 0x30, 0x0A], name: Array(Self.name.utf8), content: [])]
    movieIndex = 0
  }

  /// Reads the trailer at the end of some bytes.
  ///
  /// - Parameter bytes: what follows the picture, or the content of a box `sefd`.
  /// - Returns: the trailer, and where its first block begins; nil where there is none with a movie, or it is damaged.
  static func read(_ bytes: ArraySlice<UInt8>) -> (trailer: SamsungTrailer, start: Int)? {
    let little = ByteOrder.little
    let all = Array(bytes)
    guard all.count >= 24, all.suffix(4).elementsEqual(end),
      let size = little.number(all, at: all.count - 8, width: 4), size >= 12, size <= all.count - 8
    else { return nil }
    let place = all.count - 8 - size
    guard all[place..<place + 4].elementsEqual(directory),
      let version = little.number(all, at: place + 4, width: 4),
      let count = little.number(all, at: place + 8, width: 4), count <= mostBlocks, 12 + 12 * count <= size
    else { return nil }
    var trailer = SamsungTrailer()
    (trailer.version, trailer.blocks) = (version, [])
    var (movie, start) = (nil as Int?, place)
    for entry in stride(from: place + 12, to: place + 12 + 12 * count, by: 12) {
      guard let back = little.number(all, at: entry + 4, width: 4), back <= place,
        let length = little.number(all, at: entry + 8, width: 4), length >= 8, length <= back,
        let nameLength = little.number(all, at: place - back + 4, width: 4), nameLength <= length - 8
      else { return nil }
      let block = place - back
      let content = block + 8 + nameLength..<block + length
      let name = all[block + 8..<content.lowerBound]
      let isMovie = name.elementsEqual(Self.name.utf8)
      guard isMovie || content.count <= mostBytes else { return nil }
      if isMovie { movie = trailer.blocks.count }
      trailer.blocks.append(
        Block(
          kind: Array(all[block..<block + 4]), name: Array(name), content: isMovie ? [] : Array(all[content]))
      )
      start = min(start, block)
    }
    guard let movie else { return nil }
    trailer.movieIndex = movie
    return (trailer, bytes.startIndex + start)
  }

  /// Where the first block begins in bytes that end with a directory; nil without one, or where it is damaged.
  static func start(in bytes: [UInt8]) -> Int? {
    let little = ByteOrder.little
    guard bytes.count >= 20, bytes.suffix(4).elementsEqual(end),
      let size = little.number(bytes, at: bytes.count - 8, width: 4), size >= 12, size <= bytes.count - 8
    else { return nil }
    let place = bytes.count - 8 - size
    guard bytes[place..<place + 4].elementsEqual(directory) else { return nil }
    let backs = stride(from: place + 16, through: place + size - 8, by: 12).compactMap {
      little.number(bytes, at: $0, width: 4)
    }
    return backs.max().flatMap { $0 <= place ? place - $0 : nil }
  }

  /// Changes what the blocks besides the movie's hold.
  mutating func changeContents(_ change: (_ kind: [UInt8], _ name: [UInt8], _ content: inout [UInt8]) -> Void)
  {
    for index in blocks.indices where index != movieIndex {
      change(blocks[index].kind, blocks[index].name, &blocks[index].content)
    }
  }

  /// True if a file ends with a directory that lists a movie's block. Of the file only the directory is read.
  static func listsMovie(_ source: any ByteSource) throws -> Bool {
    guard source.count >= 32 else { return false }
    let tail = Array(try source.read(at: source.count - 8, count: 8))
    guard tail.suffix(4).elementsEqual(end), let size = ByteOrder.little.number(tail, at: 0, width: 4),
      12 + 12...12 + 12 * mostBlocks ~= size, size <= source.count - 8
    else { return false }
    let list = Array(try source.read(at: source.count - 8 - size, count: size))
    guard list.starts(with: directory) else { return false }
    let kind = SamsungTrailer().blocks[0].kind
    return stride(from: 12, through: size - 12, by: 12).contains { list[$0..<$0 + 4].elementsEqual(kind) }
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
    let little = ByteOrder.little
    let sizes = blocks.indices.map(size)
    var bytes =
      Self.directory + little.bytes(of: version, width: 4) + little.bytes(of: blocks.count, width: 4)
    var back = sizes.reduce(0, +)
    for (block, size) in zip(blocks, sizes) {
      bytes += block.kind + little.bytes(of: back, width: 4) + little.bytes(of: size, width: 4)
      back -= size
    }
    return bytes + little.bytes(of: bytes.count, width: 4) + Self.end
  }
}
