import EditModel

/// A picture that is coded as HEVC tiles, to stand in a HEIF file in place of another one.
package struct HEIFCodedPicture: Sendable {
  /// The decoder configuration record of all tiles: the content of `hvcC` (ISO/IEC 14496-15 section 8.3.3).
  package let configuration: [UInt8]
  /// NAL units of each tile behind their lengths, row by row.
  package let tiles: [[UInt8]]
  /// Tiles side by side.
  package let columns: Int
  /// Width and height of every tile in pixels.
  package let tileSize: RenderJob.Size
  /// Width and height of the picture in pixels.
  package let size: RenderJob.Size

  /// - Parameters:
  ///   - configuration: the content of `hvcC`.
  ///   - tiles: NAL units of each tile behind their lengths, row by row; whole rows of them.
  ///   - columns: tiles side by side.
  ///   - tileSize: width and height of every tile in pixels.
  ///   - size: width and height of the picture in pixels.
  package init(
    configuration: [UInt8], tiles: [[UInt8]], columns: Int, tileSize: RenderJob.Size, size: RenderJob.Size
  ) {
    self.configuration = configuration
    self.tiles = tiles
    self.columns = columns
    self.tileSize = tileSize
    self.size = size
  }

  var rows: Int { columns > 0 ? tiles.count / columns : 0 }
  /// The one tile that is the picture; nil when tiles make it.
  var whole: [UInt8]? { tiles.count == 1 && tileSize == size ? tiles.first : nil }
}
