import Basics
import FileSystem
import Rendering

extension CodedTiles {
  /// Decodes all tiles in parallel on separate threads and assembles the picture. This method blocks the calling
  /// thread.
  ///
  /// - Returns: The picture as coded, without rotation, mirroring or clean aperture.
  /// - Throws: ``MediaError`` if a tile is damaged, has the wrong size, or differs from the other tiles in layout or
  ///   colours, or any error that the source of the tiles throws.
  package func decode() throws -> PlanarFrame {
    let first = try TileDecoder(self).decode(0)
    var format = first.format
    (format.width, format.height) = (grid.size.width / reduction, grid.size.height / reduction)
    if let color {
      format.color = color
      format.color.chromaLocation = color.chromaLocation ?? first.format.color.chromaLocation
    }
    guard let canvas = PlanarFrame(format: format) else { throw MediaError.tooLarge }
    canvas.copy(try reduced(first))
    let tileFormat = first.format
    try WorkerThread.share(grid.count - 1, among: workers) { next in
      let decoder = try TileDecoder(self)
      while let index = next().map({ $0 + 1 }) {
        let tile = try decoder.decode(index)
        guard tile.format == tileFormat else {
          throw MediaError.unsupported("the tiles differ in layout or colours")
        }
        // The position of a tile is always a multiple of complete chroma samples (HEVC section 7.4.3.2.1).
        let (row, column) = index.quotientAndRemainder(dividingBy: grid.columns)
        canvas.copy(
          try reduced(tile),
          to: (column * grid.tile.width / reduction, row * grid.tile.height / reduction))
      }
    }
    return canvas
  }

  private func reduced(_ tile: PlanarFrame) throws -> PlanarFrame {
    guard reduction > 1 else { return tile }
    let size = (width: grid.tile.width / reduction, height: grid.tile.height / reduction)
    guard let small = tile.reduced(toWidth: size.width, height: size.height) else {
      throw MediaError.tooLarge
    }
    return small
  }

  /// The number of decoding threads, which is at most one per core and at most one per tile. The number is also limited
  /// so that the tiles being decoded do not use too much memory.
  private var workers: Int {
    let samplesAtATime = 1 << 25
    return max(
      1, min(HostSystem.processors, grid.count, samplesAtATime / (grid.tile.width * grid.tile.height)))
  }
}
