/// Tiles of one size that make a picture, row by row from its upper left corner. What the last ones have beyond the
/// picture is cut off.
package struct TileGrid: Hashable, Sendable {
  /// Tiles side by side.
  package let columns: Int
  /// Tiles one below the other.
  package let rows: Int
  /// Columns and rows of pixels of every tile.
  package let tile: PixelSize
  /// Columns and rows of pixels of the picture.
  package let size: PixelSize

  /// - Parameters:
  ///   - columns: tiles side by side.
  ///   - rows: tiles one below the other.
  ///   - tile: columns and rows of pixels of every tile.
  ///   - size: columns and rows of pixels of the picture.
  package init(columns: Int, rows: Int, tile: PixelSize, size: PixelSize) {
    (self.columns, self.rows, self.tile, self.size) = (columns, rows, tile, size)
  }

  /// As many tiles of a size as cover a picture.
  package init(covering size: PixelSize, with tile: PixelSize) {
    self.init(
      columns: (size.width + tile.width - 1) / tile.width,
      rows: (size.height + tile.height - 1) / tile.height,
      tile: tile, size: size)
  }

  /// The number of tiles.
  package var count: Int { columns * rows }
}
