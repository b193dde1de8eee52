import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of damaged and hostile HEIC files, which cause a `MediaError` or a complete result, in bounded time and
/// memory.
struct HostileHEIFTests {
  /// Performs every photo operation. Files that are written must be readable.
  static func use(_ bytes: [UInt8]) {
    let source = MemoryByteSource(bytes)
    func expectMediaError(_ body: () throws -> Void) {
      do { try body() } catch { #expect(error is MediaError, "\(error)") }
    }
    expectMediaError {
      let file = try HEIFFile(reading: source)
      for id in file.itemOrder.prefix(100) {
        expectMediaError {
          let picture = try HEIFPicture(file, item: id)
          #expect(picture.tiles.count == picture.grid.count)
          #expect(picture.tiles.joined().allSatisfy { $0.upperBound <= bytes.count })
          let grid = picture.grid
          #expect(grid.size.width <= grid.columns * grid.tile.width)
          #expect(grid.size.height <= grid.rows * grid.tile.height)
          if let shown = picture.aperture {
            #expect(shown.x + shown.width <= grid.size.width && shown.y + shown.height <= grid.size.height)
          }
        }
      }
    }
    expectMediaError { _ = try Photo(source).metadata() }
    expectMediaError { _ = try PhotoInspection(Photo(source)) }
    expectMediaError { _ = try PhotoEvidence(reading: source, fileExtension: "HEIC") }
    for turn in [Orientation.right, .leftMirrored] {
      expectMediaError {
        let sink = MemoryByteSink()
        let surgery = try HEIFFile(Photo(source))
        let identifier = "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"
        _ = try surgery.write(turn: turn, identifier: identifier, to: sink)
        #expect(sink.bytes.count < 2 * bytes.count + 4096)
        let again = try Photo(MemoryByteSource(sink.bytes)).metadata()
        #expect(again.contentIdentifier == identifier)
        #expect(try again.orientation == Photo(source).metadata().orientation.then(turn))
      }
    }
  }

  /// Returns a file of boxes created here.
  static func file(
    items: [(id: Int, type: String)], references: [(kind: String, from: Int, to: [Int])] = [],
    locations: [UInt8]? = nil, data: [UInt8] = [], dataBoxes: Int = 1
  ) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { ByteOrder.big.bytes(of: value, width: 2) }
    func word(_ value: Int) -> [UInt8] { ByteOrder.big.bytes(of: value, width: 4) }
    func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
      word(content.count + 8) + Array(kind.utf8) + content
    }
    func full(_ kind: String, _ content: [UInt8], version: UInt8 = 0) -> [UInt8] {
      box(kind, [version, 0, 0, 0] + content)
    }
    var entries: [UInt8] = number(items.count)
    var associations: [UInt8] = word(items.count)
    for item in items {
      entries += full("infe", number(item.id) + [0, 0] + Array(item.type.utf8) + [0], version: 2)
      associations += number(item.id) + [1, 1]
    }
    var links: [UInt8] = []
    for link in references {
      links += box(link.kind, number(link.from) + number(link.to.count) + link.to.flatMap(number))
    }
    let known = box("ipco", full("ispe", word(64) + word(64))) + full("ipma", associations)
    var parts = full("pitm", number(1)) + full("iinf", entries) + full("iref", links)
    parts += box("iprp", known) + (0..<dataBoxes).flatMap { _ in box("idat", data) }
    parts += full("iloc", locations ?? [0x44, 0, 0, 0], version: 1)
    return box("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1".utf8)) + full("meta", parts)
  }

  private static func problem(_ bytes: [UInt8]) -> String? {
    use(bytes)
    do {
      let source = MemoryByteSource(bytes)
      _ = try HEIFPicture(HEIFFile(reading: source))
      return nil
    } catch { return (error as? MediaError)?.problem.description }
  }

  /// Returns an `iloc` entry with one extent.
  private static func place(_ id: Int, method: Int, offset: Int, length: Int) -> [UInt8] {
    let head: [UInt8] = [0, UInt8(id), 0, UInt8(method), 0, 0, 0, 1]
    return head + ByteOrder.big.bytes(of: offset, width: 4) + ByteOrder.big.bytes(of: length, width: 4)
  }

  /// Positions in the data are counted from the only `idat` box, so two boxes are refused.
  @Test func twoBoxesOfDataAreRefused() {
    #expect(
      Self.problem(Self.file(items: [(1, "hvc1")], data: [1, 2], dataBoxes: 2))
        == "the file has 2 “idat” boxes; only one is allowed")
  }

  @Test func circlesEnd() throws {
    // A picture that derives from itself, directly or through another picture.
    let alone = Self.file(items: [(1, "iden")], references: [("dimg", 1, [1])])
    #expect(Self.problem(alone)?.contains("invalid chain of source items") ?? false)
    let two = Self.file(items: [(1, "iden"), (2, "iden")], references: [("dimg", 1, [2]), ("dimg", 2, [1])])
    #expect(Self.problem(two)?.contains("invalid chain of source items") ?? false)
    // A grid that is one of its own tiles.
    let place: [UInt8] = [0x44, 0, 0, 1] + Self.place(1, method: 1, offset: 0, length: 8)
    let grid = Self.file(
      items: [(1, "grid")], references: [("dimg", 1, [1])], locations: place,
      data: [0, 0, 0, 0, 0, 64, 0, 64])
    #expect(Self.problem(grid)?.contains("not an encoded picture") ?? false)
    // Items that are stored inside each other.
    var within: [UInt8] = [0x44, 0, 0, 2]
    for id in 1...2 { within += Self.place(id, method: 2, offset: 0, length: 8) }
    let nested = Self.file(
      items: [(1, "grid"), (2, "grid")], references: [("iloc", 1, [2]), ("iloc", 2, [1])], locations: within)
    #expect(Self.problem(nested)?.contains("in a cycle") ?? false)
    // Pictures that are thumbnails of each other and of the photo.
    Self.use(
      Self.file(
        items: [(1, "hvc1"), (2, "hvc1"), (3, "hvc1")],
        references: [
          ("thmb", 2, [3]), ("thmb", 3, [2]), ("thmb", 1, [3]), ("auxl", 3, [1]), ("dimg", 1, [3]),
        ]))
  }

  @Test func longChainsEnd() throws {
    let items = (1...3000).map { (id: $0, type: "hvc1") }
    // The longest possible search: each link is found one round later.
    let links = (2...3000).reversed().map { (kind: "thmb", from: $0, to: [$0 - 1]) }
    let bytes = Self.file(items: items, references: links)
    let surgery = try HEIFFile(Photo(MemoryByteSource(bytes)))
    #expect(throws: MediaError.self) { _ = try surgery.write(turn: .right, to: MemoryByteSink()) }
    Self.use(bytes)
  }

  @Test func gridsWithoutTheirTilesAreRefused() throws {
    func grid(_ bytes: [UInt8], tiles: Int) -> [UInt8] {
      Self.file(
        items: [(1, "grid"), (2, "hvc1")],
        references: [("dimg", 1, [Int](repeating: 2, count: tiles))],
        locations: [0x44, 0, 0, 1] + Self.place(1, method: 1, offset: 0, length: bytes.count), data: bytes)
    }
    let wide: [UInt8] = [0, 1, 15, 15, 0, 0, 4, 0, 0, 0, 4, 0]
    #expect(Self.problem(grid(wide, tiles: 1))?.contains("16x16 tiles has 1 tiles but needs 256") ?? false)
    #expect(Self.problem(grid([0, 0, 0, 0, 4, 0, 4, 0], tiles: 1)) != nil)
    #expect(Self.problem(grid([0, 0, 0, 1, 0, 64, 0, 64], tiles: 1))?.contains("2x1 tiles has 1") ?? false)
    #expect(Self.problem(grid([0, 0], tiles: 1)) != nil)
    #expect(Self.problem(grid([1, 0, 0, 0, 0, 64, 0, 64], tiles: 1)) != nil)
    // The tile has no bytes.
    #expect(
      Self.problem(grid([0, 0, 0, 0, 0, 64, 0, 64], tiles: 1))?.contains("does not declare its encoding")
        ?? false)
  }

  @Test func countsAreCheckedBeforeAnythingIsMade() throws {
    let photo = try HEICPhotos.bytes("IMG_0004.HEIC")
    let boxes: [(String, Int)] = [("iinf", 4), ("iloc", 6), ("iloc", 14)]
    for (box, offset) in boxes {
      var patch = HEIFPatch(bytes: photo)
      try patch.set(["meta", box], at: offset, [0xFF, 0xFF])
      #expect(throws: MediaError.self) { _ = try HEIFFile(reading: MemoryByteSource(patch.bytes)) }
    }
    var associations = HEIFPatch(bytes: photo)
    try associations.set(["meta", "iprp", "ipma"], at: 4, [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: MediaError.self) { _ = try HEIFFile(reading: MemoryByteSource(associations.bytes)) }
    var groups = HEIFPatch(bytes: photo)
    try groups.set(["meta", "grpl", "altr"], at: 8, [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: MediaError.self) { _ = try HEIFFile(reading: MemoryByteSource(groups.bytes)) }
    var links = HEIFPatch(bytes: photo)
    try links.set(["meta", "iref"], at: 4 + 8 + 2, [0xFF, 0xFF])
    #expect(throws: MediaError.self) { _ = try HEIFFile(reading: MemoryByteSource(links.bytes)) }
  }
}
