import Basics
import FileSystem
package import Rendering
import Synchronization

extension CodedTiles {
  /// Decodes all tiles, several at the same time, on threads of their own, and puts them together. Blocks, so
  /// call it from a thread that may.
  ///
  /// - Returns: the picture as it is coded, without rotation, mirroring or clean aperture.
  /// - Throws: ``MediaError`` when a tile is damaged, is not of its size, or differs from others in its layout or
  ///   colours; what the source of the tiles throws.
  package func decode() throws -> PlanarFrame {
    let decoder = try TileDecoder(self)
    let first = try decoder.decode(0)
    var format = first.format
    format.width = width
    format.height = height
    if let color {
      format.color = color
      format.color.chromaLocation = color.chromaLocation ?? first.format.color.chromaLocation
    }
    guard let canvas = PlanarFrame(format: format) else { throw MediaError.tooLarge }
    canvas.paste(first, column: 0, row: 0)
    let work = TileWork(self, canvas, tileFormat: first.format)
    var threads: [WorkerThread] = []
    for _ in 1..<workers {
      // With fewer threads than wanted it only takes longer.
      guard let thread = try? WorkerThread({ work.run(nil) }) else { break }
      threads.append(thread)
    }
    work.run(decoder)
    for thread in threads { thread.join() }
    try work.check()
    return canvas
  }

  /// How many threads decode: one for each core, no more than have work, and no more than keep the tiles in the
  /// making within bounds.
  private var workers: Int {
    let samplesAtATime = 1 << 25
    return max(1, min(HostSystem.processors, count, samplesAtATime / (tileWidth * tileHeight)))
  }
}

/// The tiles that are still to be decoded, shared by the threads that do it.
private final class TileWork: Sendable {
  private let tiles: CodedTiles
  private let canvas: PlanarFrame
  private let tileFormat: FrameFormat
  private let next = Atomic<Int>(1)
  private let failure = Mutex<(any Error)?>(nil)

  init(_ tiles: CodedTiles, _ canvas: PlanarFrame, tileFormat: FrameFormat) {
    self.tiles = tiles
    self.canvas = canvas
    self.tileFormat = tileFormat
  }

  /// Decodes tiles until none is left or one fails.
  ///
  /// - Parameter decoder: the thread's decoder; nil makes one.
  func run(_ decoder: TileDecoder?) {
    do {
      let decoder = try decoder ?? TileDecoder(tiles)
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < tiles.count else { return }
        let tile = try decoder.decode(index)
        guard tile.format == tileFormat else {
          throw MediaError.unsupported("its tiles differ in their layout or colours")
        }
        let (row, column) = index.quotientAndRemainder(dividingBy: tiles.columns)
        canvas.paste(tile, column: column * tiles.tileWidth, row: row * tiles.tileHeight)
      }
    } catch {
      failure.withLock { $0 = $0 ?? error }
      next.store(tiles.count, ordering: .relaxed)
    }
  }

  /// - Throws: the first error of any thread.
  func check() throws {
    if let error = failure.withLock({ $0 }) { throw error }
  }
}

extension PlanarFrame {
  /// Copies a picture of the same layout to a place in the frame, as far as it lies within.
  ///
  /// - Parameters:
  ///   - picture: what to copy.
  ///   - column: luma column of its left edge: some tiles' width, which is whole chroma samples
  ///     (HEVC section 7.4.3.2.1).
  ///   - row: luma row of its upper edge, likewise.
  fileprivate func paste(_ picture: PlanarFrame, column: Int, row: Int) {
    let sample = format.bytesPerSample
    for (index, (target, source)) in zip(planes, picture.planes).enumerated() {
      let x = index == 0 ? column : column >> format.sampling.horizontalShift
      let y = index == 0 ? row : row >> format.sampling.verticalShift
      let bytes = min(source.width, target.width - x) * sample
      let height = min(source.height, target.height - y)
      guard bytes > 0, height > 0 else { continue }
      for line in 0..<height {
        (target.base + (y + line) * target.stride + x * sample)
          .copyMemory(from: source.base + line * source.stride, byteCount: bytes)
      }
    }
  }
}
