import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Codecs
@testable import Rendering

/// Tiles encoded by x265: each frame of an intra-only movie is a tile.
struct TestTiles {
  let configuration: [UInt8]
  let data: [[UInt8]]
  /// Every tile as raw video, decoded by ffmpeg.
  let pictures: [[UInt8]]
  let size: (width: Int, height: Int)
  let pixels: String

  init(
    _ count: Int, width: Int, height: Int, pixels: String = "yuv420p", options: String = "",
    keyInterval: Int = 1
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("tiles.mp4").path
    try Tools.output(
      "sh", "-c",
      "ffmpeg -v error -f lavfi -i testsrc2=size=\(width)x\(height):rate=1,scale=\(width):\(height),noise=alls=20:allf=t -frames:v \(count) "
        + "-c:v libx265 -preset ultrafast -crf 20 -pix_fmt \(pixels) \(options) -tag:v hvc1 "
        + "-x265-params log-level=none:info=0:keyint=\(keyInterval) \(path)")
    let file = try folder.read("tiles.mp4")
    let box = try #require(Data(file).range(of: Data("hvcC".utf8)))
    let size = file[box.lowerBound - 4..<box.lowerBound].reduce(0) { $0 << 8 | Int($1) }
    configuration = Array(file[box.upperBound..<box.lowerBound - 4 + size])
    data = try Tools.ffprobe(folder.file("tiles.mp4"), "-show_entries", "packet=pos,size").map { line in
      let numbers = line.split(separator: ",").compactMap { Int($0) }
      let (length, at) = (try #require(numbers.first), try #require(numbers.last))
      return Array(file[at..<at + length])
    }
    let raw = try Tools.output(
      "ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", pixels, "-"
    ).bytes
    let length = raw.count / count
    pictures = (0..<count).map { Array(raw[$0 * length..<($0 + 1) * length]) }
    self.size = (width, height)
    self.pixels = pixels
  }

  /// The number of bytes in a sample, and the shifts of the chroma planes (nil for a picture without chroma).
  var layout: (bytes: Int, chroma: (Int, Int)?) {
    let chroma: [String: (Int, Int)] = ["yuv420p": (1, 1), "yuv422p": (1, 0), "yuv444p": (0, 0)]
    let isDeep = pixels.hasSuffix("10le")
    return (isDeep ? 2 : 1, chroma[isDeep ? String(pixels.dropLast(4)) : pixels])
  }

  func coded(
    columns: Int, rows: Int, width: Int, height: Int, color: ColorDescription? = nil, data: [[UInt8]]? = nil
  ) throws -> CodedTiles {
    let data = data ?? self.data
    return try CodedTiles(
      configuration: configuration,
      grid: TileGrid(
        columns: columns, rows: rows, tile: .init(width: size.width, height: size.height),
        size: .init(width: width, height: height)), color: color
    ) { data[$0] }
  }

  /// Returns the picture assembled pixel by pixel from the tiles that ffmpeg decoded.
  func assembled(columns: Int, width: Int, height: Int) -> [UInt8] {
    let (bytes, chroma) = layout
    var planes = [(0, 0)]
    if let chroma { planes += [chroma, chroma] }
    var result: [UInt8] = []
    var start = 0
    for (h, v) in planes {
      let (tileWidth, tileHeight) = (size.width >> h, size.height >> v)
      for y in 0..<(height + v) >> v {
        for x in 0..<(width + h) >> h {
          let picture = pictures[y / tileHeight * columns + x / tileWidth]
          let at = start + (y % tileHeight * tileWidth + x % tileWidth) * bytes
          result += picture[at..<at + bytes]
        }
      }
      start += tileWidth * tileHeight * bytes
    }
    return result
  }
}

@Suite struct CodedTilesTests {
  @Test(arguments: [
    "yuv420p", "yuv422p", "yuv444p", "gray", "yuv420p10le", "yuv422p10le", "yuv444p10le", "gray10le",
  ])
  func gridsAreWhatFfmpegDecodesTileByTile(pixels: String) throws {
    let tiles = try TestTiles(6, width: 64, height: 96, pixels: pixels)
    for (width, height) in [(192, 192), (151, 99)] {
      let frame = try tiles.coded(columns: 3, rows: 2, width: width, height: height).decode()
      #expect(frame.format.width == width)
      #expect(frame.format.height == height)
      #expect(frame.format.bitDepth == (pixels.hasSuffix("10le") ? 10 : 8))
      #expect(rawBytes(frame) == tiles.assembled(columns: 3, width: width, height: height))
    }
  }

  @Test func manyTilesComeToLieInTheirPlaces() throws {
    let tiles = try TestTiles(70, width: 64, height: 64)
    let frame = try tiles.coded(columns: 10, rows: 7, width: 640, height: 448).decode()
    #expect(rawBytes(frame) == tiles.assembled(columns: 10, width: 640, height: 448))
  }

  @Test func onePictureNeedsNoGrid() throws {
    // x265 encodes 90 x 50 in whole blocks and signals how much must be cropped.
    let tiles = try TestTiles(1, width: 90, height: 50)
    let frame = try tiles.coded(columns: 1, rows: 1, width: 90, height: 50).decode()
    #expect(rawBytes(frame) == tiles.pictures[0])
  }

  @Test func coloursAreThoseOfTheContainerElseOfTheParameterSets() throws {
    let options =
      "-color_range pc -color_primaries smpte432 -color_trc bt709 -colorspace smpte170m -chroma_sample_location topleft"
    let tiles = try TestTiles(2, width: 64, height: 64, options: options)
    let own = try tiles.coded(columns: 2, rows: 1, width: 128, height: 64).decode().format.color
    #expect(
      own
        == ColorDescription(
          primaries: 12, transfer: 1, matrix: 6, isFullRange: true, chromaLocation: .topLeft))
    let nclx = ColorDescription(primaries: 9, transfer: 18, matrix: 9, isFullRange: false)
    let given = try tiles.coded(columns: 2, rows: 1, width: 128, height: 64, color: nclx).decode().format
      .color
    #expect(
      given
        == ColorDescription(
          primaries: 9, transfer: 18, matrix: 9, isFullRange: false, chromaLocation: .topLeft))
  }

  @Test(arguments: [
    (2, 1, 129, 64), (2, 1, 64, 64), (1, 2, 64, 129), (1, 1, 64, 65), (0, 1, 64, 64), (2, 2, 0, 128),
    (-1, -1, 64, 64), (1, 1, Int.max, 64), (Int.max, Int.max, 128, 64), (1, 1, 64, Int.min),
    (1023, 1023, 65_472, 65_472), (2, 1, 65, 1 << 40),
  ])
  func sizesThatContradictEachOtherAreRefused(columns: Int, rows: Int, width: Int, height: Int) {
    #expect(throws: MediaError.self) {
      _ = try CodedTiles(
        configuration: [],
        grid: TileGrid(
          columns: columns, rows: rows, tile: .init(width: 64, height: 64),
          size: .init(width: width, height: height))
      ) { _ in [] }
    }
  }

  @Test func tilesOfAnotherSizeOrLayoutAreRefused() throws {
    let tiles = try TestTiles(2, width: 64, height: 64)
    for (width, height) in [(96, 64), (64, 48), (32, 32), (4096, 4096)] {
      #expect(throws: MediaError.self) {
        try CodedTiles(
          configuration: tiles.configuration,
          grid: TileGrid(
            columns: 2, rows: 1, tile: .init(width: width, height: height),
            size: .init(width: width * 2, height: height))
        ) { tiles.data[$0] }.decode()
      }
    }
  }

  @Test func tilesMayHaveOddSizesWhereChromaAllows() throws {
    let tiles = try TestTiles(4, width: 65, height: 63, pixels: "yuv444p")
    let frame = try tiles.coded(columns: 2, rows: 2, width: 129, height: 125).decode()
    #expect(rawBytes(frame) == tiles.assembled(columns: 2, width: 129, height: 125))
  }

  @Test func brokenTilesAreErrors() throws {
    let tiles = try TestTiles(2, width: 64, height: 64)
    let good = tiles.data[1]
    let predicted = try TestTiles(2, width: 64, height: 64, keyInterval: 2).data[1]
    let broken: [[UInt8]] = [
      [], [0], [0, 0, 0, 0], Array(good.dropLast()), good + [0], good + [0, 0, 0, 9, 40 << 1, 1],
      [0xFF, 0xFF, 0xFF, 0xFF] + good.dropFirst(4), [0, 0, 0, 2, 19 << 1, 1], [0, 0, 0, 3, 39 << 1, 1, 0],
      predicted, good + good, [UInt8](repeating: 0, count: 1 << 20),
    ]
    for (index, data) in broken.enumerated() {
      for order in [[good, data], [data, good]] {
        #expect(throws: MediaError.self, "\(index)") {
          try tiles.coded(columns: 2, rows: 1, width: 128, height: 64, data: order).decode()
        }
      }
    }
  }

  @Test func brokenParameterSetsAreErrors() throws {
    let tiles = try TestTiles(1, width: 64, height: 64)
    let good = tiles.configuration
    var noSets = good
    noSets[22] = 0
    for configuration in [[], Array(good.prefix(22)), Array(good.prefix(40)), Array(good.prefix(23)), noSets]
    {
      #expect(throws: MediaError.self) {
        try CodedTiles(
          configuration: configuration,
          grid: TileGrid(covering: .init(width: 64, height: 64), with: .init(width: 64, height: 64))
        ) { tiles.data[$0] }.decode()
      }
    }
  }

  /// With `keyint=1`, x265 writes parameter sets into every intra picture. This test inserts foreign parameter sets.
  @Test func parameterSetsWithinTilesDoNotCount() throws {
    let tiles = try TestTiles(2, width: 64, height: 64)
    let set: [UInt8] = [0, 0, 0, 3, 33 << 1, 1, 0]
    let frame = try tiles.coded(
      columns: 2, rows: 1, width: 128, height: 64, data: tiles.data.map { set + $0 }
    )
    .decode()
    #expect(rawBytes(frame) == tiles.assembled(columns: 2, width: 128, height: 64))
  }

  @Test func theErrorOfTheSourceIsHandedOn() throws {
    let tiles = try TestTiles(1, width: 64, height: 64)
    let missing = MediaError("gone")
    let coded = try CodedTiles(
      configuration: tiles.configuration,
      grid: TileGrid(covering: .init(width: 192, height: 64), with: .init(width: 64, height: 64))
    ) { index in
      guard index < 2 else { throw missing }
      return tiles.data[0]
    }
    #expect(throws: missing) { try coded.decode() }
  }

  /// Random damage causes an error or a picture, with the same result on every attempt, and never a crash.
  @Test func damageIsAnErrorOrAPicture() throws {
    let tiles = try TestTiles(4, width: 64, height: 64)
    var generator = SeededGenerator(seed: 8)
    var pictures = 0
    for _ in 0..<200 {
      var (data, configuration) = (tiles.data, tiles.configuration)
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let tile = Int.random(in: 0..<5, using: &generator)
        let byte = UInt8.random(in: 0...255, using: &generator)
        if tile == 4 {
          configuration[Int.random(in: 0..<configuration.count, using: &generator)] = byte
        } else {
          data[tile][Int.random(in: 0..<data[tile].count, using: &generator)] = byte
        }
      }
      let damaged = data
      let coded = try CodedTiles(
        configuration: configuration,
        grid: TileGrid(covering: .init(width: 128, height: 128), with: .init(width: 64, height: 64))
      ) { damaged[$0] }
      // The decoder may fill missing parts with any pixels, but whether it returns a picture must not vary.
      let attempts = (0..<2).map { _ in (try? coded.decode()).map(rawBytes)?.count }
      #expect(attempts[0] == attempts[1])
      if attempts[0] == 128 * 128 * 3 / 2 { pictures += 1 }
    }
    #expect(pictures > 0 && pictures < 200)
  }
}
