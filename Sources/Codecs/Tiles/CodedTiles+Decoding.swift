import Basics
import FileSystem
import Rendering

extension CodedTiles {
  /// Decodes all tiles, several at the same time, on threads of their own, and puts them together. Blocks, so
  /// call it from a thread that may.
  ///
  /// - Returns: the picture as it is coded, without rotation, mirroring or clean aperture.
  /// - Throws: ``MediaError`` when a tile is damaged, is not of its size, or differs from others in its layout or
  ///   colours; what the source of the tiles throws.
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
        // Places of tiles are whole chroma samples (HEVC section 7.4.3.2.1).
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

  /// How many threads decode: one for each core, no more than have work, and no more than keep the tiles in the
  /// making within bounds.
  private var workers: Int {
    let samplesAtATime = 1 << 25
    return max(
      1, min(HostSystem.processors, grid.count, samplesAtATime / (grid.tile.width * grid.tile.height)))
  }
}
