import Foundation
import TestSupport
import Testing

@testable import Codecs
@testable import Rendering

/// Real HEIC photos, where a folder of them is at hand.
@Suite struct SampleTilesTests {
  /// 24 megapixels, as iPhones of 2023 and 2024 wrote them.
  static let photos = ["iphone-15plus-heic/IMG_3853.HEIC", "iphone-15pro-heic/IMG_3582.HEIC"]

  @Test(.enabled(if: TestFiles.samples != nil), arguments: photos)
  func photosAreWhatFfmpegDecodesTileByTile(name: String) throws {
    let heif = try HEIFWalker(try #require(TestFiles.sample(name)))
    let (columns, rows) = (heif.columns, heif.rows)
    #expect(heif.tiles.count == columns * rows)
    let coded = try CodedTiles(
      configuration: heif.configuration, columns: columns, rows: rows, tileWidth: heif.tileSize.width,
      tileHeight: heif.tileSize.height, width: heif.size.width, height: heif.size.height
    ) { heif.tiles[$0] }
    let frame = try coded.decode()
    #expect(frame.format.sampling == .yuv420)
    #expect(frame.format.color.isFullRange == true)
    #expect(frame.format.color.primaries == 12)

    // Every picture of the stream of all tiles, in a row.
    let folder = try TemporaryFolder()
    let sets = parameterSets(hevc: heif.configuration)
    let stream = heif.tiles.flatMap { tile in sets + lengthPrefixedUnits(tile).flatMap { [0, 0, 0, 1] + $0 } }
    try folder.write(stream, to: "tiles.hevc")
    let raw = try folder.run(
      "ffmpeg",
      ["-v", "error", "-f", "hevc", "-i", "tiles.hevc", "-vsync", "passthrough", "-f", "rawvideo", "-"])
    let (tileWidth, tileHeight) = heif.tileSize
    try #require(raw.count == columns * rows * tileWidth * tileHeight * 3 / 2)
    var start = 0
    var differing = 0
    for (index, plane) in frame.planes.enumerated() {
      let (width, height) = index == 0 ? heif.tileSize : (tileWidth / 2, tileHeight / 2)
      for y in 0..<plane.height {
        for column in 0..<columns {
          let tile = y / height * columns + column
          let at = start + tile * tileWidth * tileHeight * 3 / 2 + y % height * width
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
}
