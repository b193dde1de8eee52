import Foundation

/// A photo with a movie in an undocumented layout, built from fixtures according to public reports.
public struct MovieLayout: Sendable, CustomStringConvertible {
  /// The layout's file name, with the photo's extension.
  public let name: String
  /// The bytes of the whole file.
  public let bytes: [UInt8]
  /// The offsets of the movies in the file.
  public let movies: [Int]
  /// The file without the movies and the data that belongs only to them; nil if other data must remain too.
  public let rest: [UInt8]?

  /// The name, shown in the list of test cases.
  public var description: String { name }

  /// A movie whose metadata contains a location.
  public static let movie = bytes(of: "IMG_0001.MOV")
  private static let other = bytes(of: "IMG_0004.MOV")

  /// Returns the bytes of a fixture.
  public static func bytes(of fixture: String) -> [UInt8] {
    [UInt8]((try? Data(contentsOf: TestFiles.fixture(fixture))) ?? Data())
  }

  private static func little(_ value: Int, _ width: Int = 4) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Returns an ISOBMFF box.
  public static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    little(content.count + 8).reversed() + Array(kind.utf8) + content
  }

  /// Returns Samsung blocks followed by their directory.
  ///
  /// - Parameter blocks: The type, name and content of each block.
  public static func samsung(_ blocks: [(kind: Int, name: String, content: [UInt8])]) -> [UInt8] {
    var (bytes, places) = ([] as [UInt8], [] as [(kind: Int, start: Int, size: Int)])
    for block in blocks {
      let record =
        [0, 0] + little(block.kind, 2) + little(block.name.utf8.count) + Array(block.name.utf8)
        + block.content
      places.append((block.kind, bytes.count, record.count))
      bytes += record
    }
    var list = Array("SEFH".utf8) + little(106) + little(places.count)
    for place in places {
      list += [0, 0] + little(place.kind, 2) + little(bytes.count - place.start) + little(place.size)
    }
    return bytes + list + little(list.count) + Array("SEFT".utf8)
  }

  /// The block with the time of capture, as Samsung phones write it.
  public static let moment = (kind: 0x0A01, name: "Image_UTC_Data", content: Array("1577646074123".utf8))
  /// The block with the country of the phone's network.
  public static let country = (kind: 0x0AA1, name: "MCC_Data", content: Array("310".utf8))

  /// Creates a layout from a photo, the movie, and data before and after the movie.
  private init(
    _ name: String, _ photo: [UInt8], before: [UInt8] = [], behind: [UInt8] = [], rest: [UInt8]? = nil
  ) {
    self.name = name
    bytes = photo + before + Self.movie + behind
    movies = [photo.count + before.count]
    self.rest = rest ?? photo
  }

  private init(_ name: String, _ bytes: [UInt8], movies: [Int], rest: [UInt8]?) {
    (self.name, self.bytes, self.movies, self.rest) = (name, bytes, movies, rest)
  }

  /// All layouts, each with one or two movies.
  public static var all: [MovieLayout] {
    let jpeg = bytes(of: "IMG_0001.JPG")
    let heic = bytes(of: "IMG_0004.HEIC")
    let png = bytes(of: "rotate.png")
    let gainMap = bytes(of: "gainmap.JPG")
    let fields = ["v3_f35", "0:500", "LIVE_\(movie.count + 20)"]
      .map { $0.padding(toLength: 20, withPad: " ", startingAt: 0) }.joined()
    let honor = box("uuid", Array(" honor.org.video".utf8) + Array("extend_type_matrix".utf8))
    let list = Array(
      "[{\"name\":\"live.subVideo\",\"length\":\(other.count),\"offset\":\(other.count + 80)}]".utf8)
    let tail = list + Array("jxrs".utf8) + little(list.count + 8)
    let privateBytes = [UInt8](repeating: 3, count: 200)
    let record = (kind: 0x0A30, name: "MotionPhoto_Data", content: movie)
    let head = [0, 0] + little(0x0A30, 2) + little(16) + Array("MotionPhoto_Data".utf8)
    let blocks = samsung([moment, record])
    let kept = samsung([moment])
    // After the block with the time of capture, not counting the directory.
    let start = kept.count - 32 + head.count
    let number = [UInt8](repeating: 0x61, count: 16)
    let chunk = Array("prVt".utf8) + movie
    let lateStart = jpeg.count + movie.count + privateBytes.count
    return [
      MovieLayout("bare.jpg", jpeg), MovieLayout("gain.jpg", gainMap),
      MovieLayout("huawei.jpg", jpeg, behind: Array(fields.utf8)),
      MovieLayout("honor.jpg", jpeg, behind: honor + Array(fields.utf8)),
      MovieLayout(
        "jxrs.jpg", jpeg + movie + privateBytes + other + tail, movies: [jpeg.count, lateStart], rest: jpeg),
      MovieLayout(
        "autoplay.jpg", jpeg + samsung([moment, (0x0A33, "MotionPhoto_AutoPlay", movie)]),
        movies: [jpeg.count + start + 4], rest: jpeg + kept),
      MovieLayout("damaged.jpg", jpeg, before: head, behind: Array("SEFH".utf8)),
      MovieLayout("bare.heic", heic), MovieLayout("huawei.heic", heic, behind: Array(fields.utf8)),
      MovieLayout("blocks.heic", heic + blocks, movies: [heic.count + start], rest: heic + kept),
      MovieLayout(
        "sefd.heic", heic + box("sefd", blocks), movies: [heic.count + 8 + start],
        rest: heic + box("sefd", kept)),
      MovieLayout(
        "uuid.heic", heic + box("uuid", number + movie), movies: [heic.count + 24], rest: heic),
      MovieLayout("free.heic", heic + box("free", number + movie), movies: [heic.count + 24], rest: heic),
      MovieLayout(
        "mdat.heic", heic + box("mdat", movie), movies: [heic.count + 8],
        rest: heic + box("mdat", [UInt8](repeating: 0, count: movie.count))),
      MovieLayout("bare.png", png),
      MovieLayout(
        "chunk.png",
        Array(png[..<33]) + little(movie.count).reversed() + chunk + checksum(chunk) + png[33...],
        movies: [33 + 8], rest: png),
    ]
  }

  /// Returns the CRC of a PNG chunk (ISO/IEC 15948 annex D).
  private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : 0xEDB8_8320 ^ crc >> 1 }
    }
    return little(Int(~crc)).reversed()
  }
}
