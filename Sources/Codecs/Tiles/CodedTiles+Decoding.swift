import Basics
import FileSystem
package import Rendering

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
    format.width = width
    format.height = height
    if let color {
      format.color = color
      format.color.chromaLocation = color.chromaLocation ?? first.format.color.chromaLocation
    }
    guard let canvas = PlanarFrame(format: format) else { throw MediaError.tooLarge }
    canvas.paste(first, column: 0, row: 0)
    let tileFormat = first.format
    try WorkerThread.share(count - 1, among: workers) { next in
      let decoder = try TileDecoder(self)
      while let index = next().map({ $0 + 1 }) {
        let tile = try decoder.decode(index)
        guard tile.format == tileFormat else {
          throw MediaError.unsupported("its tiles differ in their layout or colours")
        }
        let (row, column) = index.quotientAndRemainder(dividingBy: columns)
        canvas.paste(tile, column: column * tileWidth, row: row * tileHeight)
      }
    }
    return canvas
  }

  /// How many threads decode: one for each core, no more than have work, and no more than keep the tiles in the
  /// making within bounds.
  private var workers: Int {
    let samplesAtATime = 1 << 25
    return max(1, min(HostSystem.processors, count, samplesAtATime / (tileWidth * tileHeight)))
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
    for (index, (target, source)) in zip(planes, picture.planes).enumerated() {
      let (h, v) = index == 0 ? (0, 0) : (format.sampling.horizontalShift, format.sampling.verticalShift)
      target.copy(source, to: (column >> h, row >> v), sampleSize: format.bytesPerSample)
    }
  }
}
