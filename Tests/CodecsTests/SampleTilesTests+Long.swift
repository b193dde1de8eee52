import EditModel
import Foundation
import TestSupport
import Testing

@testable import Codecs
@testable import Rendering

/// HEIC photos from the fixtures and, if a folder of them is available, real photos.
@Suite struct SampleTilesTests {
  /// The last two are 24-megapixel photos from iPhones of 2023 and 2024.
  static let photos =
    [TestFiles.fixture("IMG_0004.HEIC")]
    + ["iphone-15plus-heic/IMG_3853.HEIC", "iphone-15pro-heic/IMG_3582.HEIC"].compactMap(TestFiles.sample)

  @Test(arguments: Cases.chosen(photos) { index, _ in index < 2 })
  func photosAreWhatFfmpegDecodesTileByTile(url: URL) throws {
    let walked = try WalkedHEIF.read(url)
    let file = [UInt8](try Data(contentsOf: url))
    func data(_ item: Int) throws -> [UInt8] {
      try #require(walked[item]).places.flatMap { file[$0[0]..<$0[0] + $0[1]] }
    }
    func size(_ item: Int) throws -> (width: Int, height: Int) {
      let bytes = hexadecimal(try #require(walked[item]?.contents("ispe").first))
      return (Int(bytes[6]) << 8 | Int(bytes[7]), Int(bytes[10]) << 8 | Int(bytes[11]))
    }
    let items = try #require(walked.references.first { $0.kind == "dimg" && $0.from == walked.primary }).to
    // ISO/IEC 23008-12 section 6.6.2.3: version, flags, rows minus one, columns minus one.
    let grid = try data(walked.primary)
    let (rows, columns) = (Int(grid[2]) + 1, Int(grid[3]) + 1)
    let tiles = try items.map(data)
    let configuration = hexadecimal(try #require(walked[items[0]]?.contents("hvcC").first))
    let (tileSize, picture) = (try size(items[0]), try size(walked.primary))
    let frame = try CodedTiles(
      configuration: configuration,
      grid: TileGrid(
        columns: columns, rows: rows, tile: .init(width: tileSize.width, height: tileSize.height),
        size: .init(width: picture.width, height: picture.height))
    ) { tiles[$0] }.decode()
    #expect(frame.format.sampling == .yuv420)
    #expect(frame.format.color.isFullRange == true)
    #expect(frame.format.color.primaries == 12)

    // Decodes every picture of the stream that consists of all tiles in a row.
    let folder = try TemporaryFolder()
    let sets = parameterSets(hevc: configuration)
    let stream = tiles.flatMap { tile in sets + lengthPrefixedUnits(tile).flatMap { [0, 0, 0, 1] + $0 } }
    try folder.write(stream, to: "tiles.hevc")
    let raw = try folder.run(
      "ffmpeg",
      ["-v", "error", "-f", "hevc", "-i", "tiles.hevc", "-vsync", "passthrough", "-f", "rawvideo", "-"])
    let tileBytes = tileSize.width * tileSize.height * 3 / 2
    try #require(raw.count == columns * rows * tileBytes)
    var start = 0
    var differing = 0
    for (index, plane) in frame.planes.enumerated() {
      let shift = index == 0 ? 0 : 1
      let (width, height) = (tileSize.width >> shift, tileSize.height >> shift)
      for y in 0..<plane.height {
        for column in 0..<columns {
          let at = start + (y / height * columns + column) * tileBytes + y % height * width
          let count = min(width, plane.width - column * width)
          let row = UnsafeRawBufferPointer(
            start: plane.base + y * plane.stride + column * width, count: count)
          if !row.elementsEqual(raw[at..<at + count]) { differing += 1 }
        }
      }
      start += width * height
    }
    #expect(differing == 0)
  }

  private func hexadecimal(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
