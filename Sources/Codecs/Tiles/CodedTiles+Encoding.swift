import Basics
internal import CFFmpeg
import EditModel
import FileSystem
import Rendering
import Synchronization

extension CodedTiles {
  /// The minimum accepted width or height of a tile in pixels. Smaller tiles are not accepted because the encoder's
  /// blocks are up to 64 pixels wide and high.
  private static let leastSide = 64
  /// The maximum accepted width or height of a tile in pixels. If tiles were larger, a picture would have too few tiles
  /// to divide among the threads.
  private static let greatestSide = 1024
  /// The width and height of tiles in pixels if the original's tile size cannot be used.
  private static let usualSide = 512

  /// Encodes a picture as tiles in parallel on separate threads. This initialiser blocks the calling thread. The result
  /// does not depend on the number of threads.
  ///
  /// If a tile extends beyond the picture, the picture's last pixel columns and rows are repeated.
  ///
  /// - Parameters:
  ///   - frame: The picture. Chroma subsampling that HEVC does not support, such as 4:4:0, becomes 4:2:0.
  ///   - tile: The width and height of the tiles in the original picture, in luma samples. This tile size is kept if
  ///     possible. If nil, the picture is coded as a single tile of its own size. The picture's width and height must
  ///     then be at least 16, and must be even in every direction in which chroma is halved.
  ///   - quality: The encoding quality.
  ///   - beforeTile: A function that is called before each tile, on any thread. If the function throws an error, the
  ///     work stops.
  /// - Throws: ``MediaError`` if the bit depth is neither 8 nor 10, or if the encoder is missing or fails.
  package init(
    encoding frame: PlanarFrame, tile: PixelSize?, quality: RenderSettings.Quality,
    beforeTile: @escaping @Sendable () throws -> Void = {}
  ) throws {
    let picture = frame.chromaResampled(to: PixelFormat.encodable(frame.format.sampling))
    let size = picture.format.size
    let tile = tile.map { tile in
      PixelSize(
        width: Self.side(tile.width, of: size.width), height: Self.side(tile.height, of: size.height))
    }
    let grid = TileGrid(covering: size, with: tile ?? size)
    let work = EncodingWork(picture, grid, quality, beforeTile)
    // Each row has its own encoder, because the data that an encoder writes into a tile's header depends on the number
    // of tiles that it has already encoded. With one encoder per thread, the bytes would depend on the relative speed
    // of the threads.
    try WorkerThread.share(grid.rows, among: HostSystem.processors) { next in
      while let row = next() { try work.encode(row: row) }
    }
    let made = try work.made()
    try self.init(configuration: made.configuration, grid: grid, color: picture.format.color) {
      made.tiles[$0]
    }
  }

  /// Returns the width or height of a tile. The result is the wanted value if that value can be used, and otherwise the
  /// usual value. The result is never larger than the picture needs.
  private static func side(_ wanted: Int, of length: Int) -> Int {
    let isUsable = wanted % 8 == 0 && (leastSide...greatestSide).contains(wanted)
    return min(isUsable ? wanted : usualSide, max(leastSide, (length + 7) & ~7))
  }
}

/// The tiles being encoded, which the encoding threads share.
private final class EncodingWork: Sendable {
  private struct State {
    var tiles: [[UInt8]]
    var configuration: [UInt8]?
  }

  private let picture: PlanarFrame
  private let grid: TileGrid
  private let quality: RenderSettings.Quality
  private let beforeTile: @Sendable () throws -> Void
  private let state: Mutex<State>

  init(
    _ picture: PlanarFrame, _ grid: TileGrid, _ quality: RenderSettings.Quality,
    _ beforeTile: @escaping @Sendable () throws -> Void
  ) {
    (self.picture, self.grid, self.quality, self.beforeTile) = (picture, grid, quality, beforeTile)
    state = Mutex(State(tiles: [[UInt8]](repeating: [], count: grid.count)))
  }

  func encode(row: Int) throws {
    var format = picture.format
    (format.width, format.height) = (grid.tile.width, grid.tile.height)
    let encoder = try VideoEncoder(
      format: format, timeScale: 1, frameRate: 1, pixelAspect: AVRational(num: 0, den: 1), codec: .hevc,
      parameters: VideoEncoderParameters(still: quality))
    try state.withLock { state in
      guard state.configuration == nil || state.configuration == encoder.configuration else {
        throw MediaError("the encoder used different parameter sets for the tiles")
      }
      state.configuration = encoder.configuration
    }
    for column in 0..<grid.columns {
      try beforeTile()
      let tile = picture.part(from: (column * format.width, row * format.height), format)
      try encoder.encode(tile, time: Int64(row * grid.columns + column), onPacket: keep)
    }
    try encoder.finish(onPacket: keep)
  }

  private func keep(_ packet: EncodedPacket) throws {
    guard packet.isSync, let index = Int(exactly: packet.presentationTime), (0..<grid.count).contains(index)
    else {
      throw MediaError("the encoder made a tile depend on another one")
    }
    state.withLock { $0.tiles[index] = packet.data }
  }

  /// Returns the common parameter sets of the tiles, and the tiles themselves.
  func made() throws -> (configuration: [UInt8], tiles: [[UInt8]]) {
    let state = state.withLock { $0 }
    guard let configuration = state.configuration, state.tiles.allSatisfy({ !$0.isEmpty }) else {
      throw MediaError("the encoder lost a tile")
    }
    return (configuration, state.tiles)
  }
}
