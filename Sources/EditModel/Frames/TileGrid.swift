/// A grid of equally sized tiles that form a picture, row by row from the top-left corner. Tiles at the right and
/// bottom edges are cropped if they exceed the picture.
package struct TileGrid: Hashable, Sendable {
  /// The number of tiles in a row.
  package let columns: Int
  /// The number of tiles in a column.
  package let rows: Int
  /// The size of each tile in pixels.
  package let tile: PixelSize
  /// The size of the picture in pixels.
  package let size: PixelSize

  /// - Parameters:
  ///   - columns: The number of tiles in a row.
  ///   - rows: The number of tiles in a column.
  ///   - tile: The size of each tile in pixels.
  ///   - size: The size of the picture in pixels.
  package init(columns: Int, rows: Int, tile: PixelSize, size: PixelSize) {
    (self.columns, self.rows, self.tile, self.size) = (columns, rows, tile, size)
  }

  /// Creates the smallest grid of tiles of a given size that covers a picture.
  package init(covering size: PixelSize, with tile: PixelSize) {
    self.init(
      columns: (size.width + tile.width - 1) / tile.width,
      rows: (size.height + tile.height - 1) / tile.height,
      tile: tile, size: size)
  }

  /// The number of tiles.
  package var count: Int { columns * rows }
}
