import EditModel

/// A picture coded as HEVC tiles that replaces another picture in a HEIF file.
package struct HEIFCodedPicture: Sendable {
  /// The decoder configuration record of all tiles: the content of `hvcC` (ISO/IEC 14496-15 section 8.3.3).
  package let configuration: [UInt8]
  /// The NAL units of each tile, each preceded by its length. The tiles are in row order.
  package let tiles: [[UInt8]]
  /// The arrangement of the tiles in the picture.
  package let grid: TileGrid

  /// Creates a picture from coded tiles.
  ///
  /// - Parameters:
  ///   - configuration: The content of `hvcC`.
  ///   - tiles: The NAL units of each tile, each preceded by its length, in row order.
  ///   - grid: The arrangement of the tiles in the picture.
  package init(configuration: [UInt8], tiles: [[UInt8]], grid: TileGrid) {
    (self.configuration, self.tiles, self.grid) = (configuration, tiles, grid)
  }

  /// The only tile if that tile is the complete picture, or nil if several tiles form the picture.
  var whole: [UInt8]? { tiles.count == 1 && grid.tile == grid.size ? tiles.first : nil }
}
