import Basics
internal import CFFmpeg
package import EditModel
import FileSystem
package import Rendering
import Synchronization

extension CodedTiles {
  /// Tiles smaller than this are not coded: the encoder's blocks have up to 64 columns and rows.
  private static let leastSide = 64
  /// Larger ones leave too few for the threads.
  private static let greatestSide = 1024
  /// The side of tiles where the original's cannot be used.
  private static let usualSide = 512

  /// Encodes a picture as tiles, several at the same time, on threads of their own. Blocks, so call it from a thread
  /// that may. What comes out does not depend on how many threads there are.
  ///
  /// Tiles that reach beyond the picture repeat its last columns and rows there.
  ///
  /// - Parameters:
  ///   - frame: the picture; chroma that HEVC does not know, like 4:4:0, becomes 4:2:0.
  ///   - tileWidth: luma columns of the tiles that the picture had, which are kept where they can be.
  ///   - tileHeight: luma rows of the tiles that the picture had.
  ///   - quality: how fine.
  ///   - beforeTile: called before each tile, from any thread; what it throws ends the work.
  /// - Throws: ``MediaError`` for a depth other than 8 or 10 bits, or when the encoder is missing or fails.
  package init(
    encoding frame: PlanarFrame, tileWidth: Int, tileHeight: Int, quality: RenderSettings.Quality,
    beforeTile: @escaping @Sendable () throws -> Void = {}
  ) throws {
    let format = frame.format
    let width = Self.side(tileWidth, of: format.width)
    let height = Self.side(tileHeight, of: format.height)
    try self.init(encoding: frame, sizeOfTiles: (width, height), quality: quality, beforeTile: beforeTile)
  }

  /// Encodes a picture as one coded picture of its size.
  ///
  /// - Parameters:
  ///   - frame: the picture, at least 16 columns and rows, even ones where chroma has half as many; chroma that HEVC
  ///     does not know, like 4:4:0, becomes 4:2:0.
  ///   - quality: how fine.
  /// - Throws: ``MediaError`` for another size or depth, or when the encoder is missing or fails.
  package init(encodingWhole frame: PlanarFrame, quality: RenderSettings.Quality) throws {
    try self.init(
      encoding: frame, sizeOfTiles: (frame.format.width, frame.format.height), quality: quality,
      beforeTile: {})
  }

  private init(
    encoding frame: PlanarFrame, sizeOfTiles size: (width: Int, height: Int),
    quality: RenderSettings.Quality, beforeTile: @escaping @Sendable () throws -> Void
  ) throws {
    let picture = frame.chromaResampled(to: PixelFormat.encodable(frame.format.sampling))
    let columns = (picture.format.width + size.width - 1) / size.width
    let rows = (picture.format.height + size.height - 1) / size.height
    let work = EncodingWork(picture, columns: columns, count: columns * rows, size: size, quality, beforeTile)
    // One encoder does a row, since what it writes into a tile's header depends on how many came before: with as many
    // encoders as threads the bytes would depend on which of them was faster.
    try WorkerThread.share(rows, among: HostSystem.processors) { next in
      while let row = next() { try work.encode(row: row) }
    }
    let made = try work.made()
    try self.init(
      configuration: made.configuration, columns: columns, rows: rows, tileWidth: size.width,
      tileHeight: size.height, width: picture.format.width, height: picture.format.height,
      color: picture.format.color
    ) { made.tiles[$0] }
  }

  /// A tile's side: the one that there was, or a usual one, and no more than the picture needs.
  private static func side(_ wanted: Int, of length: Int) -> Int {
    let isUsable = wanted % 8 == 0 && (leastSide...greatestSide).contains(wanted)
    return min(isUsable ? wanted : usualSide, max(leastSide, (length + 7) & ~7))
  }
}

/// The tiles that are encoded, shared by the threads that do it.
private final class EncodingWork: Sendable {
  private struct State {
    var tiles: [[UInt8]]
    var configuration: [UInt8]?
  }

  private let picture: PlanarFrame
  private let columns: Int
  private let count: Int
  private let size: (width: Int, height: Int)
  private let quality: RenderSettings.Quality
  private let beforeTile: @Sendable () throws -> Void
  private let state: Mutex<State>

  init(
    _ picture: PlanarFrame, columns: Int, count: Int, size: (width: Int, height: Int),
    _ quality: RenderSettings.Quality, _ beforeTile: @escaping @Sendable () throws -> Void
  ) {
    self.picture = picture
    self.columns = columns
    self.count = count
    self.size = size
    self.quality = quality
    self.beforeTile = beforeTile
    state = Mutex(State(tiles: [[UInt8]](repeating: [], count: count)))
  }

  func encode(row: Int) throws {
    var format = picture.format
    (format.width, format.height) = size
    let encoder = try VideoEncoder(
      format: format, timeScale: 1, frameRate: 1, pixelAspect: AVRational(num: 0, den: 1), codec: .hevc,
      parameters: VideoEncoderParameters(still: quality))
    try state.withLock { state in
      guard state.configuration == nil || state.configuration == encoder.configuration else {
        throw MediaError("the encoder gave its tiles different parameter sets")
      }
      state.configuration = encoder.configuration
    }
    for column in 0..<columns {
      try beforeTile()
      let tile = picture.tile(format, column: column * size.width, row: row * size.height)
      try encoder.encode(tile, time: Int64(row * columns + column), onPacket: keep)
    }
    try encoder.finish(onPacket: keep)
  }

  private func keep(_ packet: EncodedPacket) throws {
    guard packet.isSync, let index = Int(exactly: packet.presentationTime), (0..<count).contains(index) else {
      throw MediaError("the encoder made a tile depend on another one")
    }
    state.withLock { $0.tiles[index] = packet.data }
  }

  /// The parameter sets of all tiles, and the tiles.
  func made() throws -> (configuration: [UInt8], tiles: [[UInt8]]) {
    let state = state.withLock { $0 }
    guard let configuration = state.configuration, state.tiles.allSatisfy({ !$0.isEmpty }) else {
      throw MediaError("the encoder lost a tile")
    }
    return (configuration, state.tiles)
  }
}

extension PlanarFrame {
  /// A part of the picture, its last columns and rows repeated where it reaches beyond the picture.
  ///
  /// - Parameters:
  ///   - format: the part's, of the same layout.
  ///   - column: luma column of its left edge: whole chroma samples, within the picture.
  ///   - row: luma row of its upper edge, likewise.
  fileprivate func tile(_ format: FrameFormat, column: Int, row: Int) -> PlanarFrame {
    let part = PlanarFrame(valid: format)
    let sample = format.bytesPerSample
    for (index, (target, source)) in zip(part.planes, planes).enumerated() {
      let x = index == 0 ? column : column >> format.sampling.horizontalShift
      let y = index == 0 ? row : row >> format.sampling.verticalShift
      let width = min(target.width, source.width - x)
      guard width > 0, y < source.height else { continue }
      for line in 0..<target.height {
        let from = source.base + min(y + line, source.height - 1) * source.stride + x * sample
        let to = target.base + line * target.stride
        to.copyMemory(from: from, byteCount: width * sample)
        for column in width..<max(width, target.width) {
          (to + column * sample).copyMemory(from: from + (width - 1) * sample, byteCount: sample)
        }
      }
    }
    return part
  }
}
