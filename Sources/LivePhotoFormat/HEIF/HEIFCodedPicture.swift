import EditModel

/// A picture that is coded as HEVC tiles, to stand in a HEIF file in place of another one.
package struct HEIFCodedPicture: Sendable {
  /// The decoder configuration record of all tiles: the content of `hvcC` (ISO/IEC 14496-15 section 8.3.3).
  package let configuration: [UInt8]
  /// NAL units of each tile behind their lengths, row by row.
  package let tiles: [[UInt8]]
  /// How the tiles make the picture.
  package let grid: TileGrid

  /// - Parameters:
  ///   - configuration: the content of `hvcC`.
  ///   - tiles: NAL units of each tile behind their lengths, row by row.
  ///   - grid: how the tiles make the picture.
  package init(configuration: [UInt8], tiles: [[UInt8]], grid: TileGrid) {
    (self.configuration, self.tiles, self.grid) = (configuration, tiles, grid)
  }

  /// The one tile that is the picture; nil when tiles make it.
  var whole: [UInt8]? { tiles.count == 1 && grid.tile == grid.size ? tiles.first : nil }
}
