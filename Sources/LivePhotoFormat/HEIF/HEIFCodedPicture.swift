/// A picture that is coded as HEVC tiles, to stand in a HEIF file in place of another one.
package struct HEIFCodedPicture: Sendable {
  /// The decoder configuration record of all tiles: the content of `hvcC` (ISO/IEC 14496-15 section 8.3.3).
  package let configuration: [UInt8]
  /// NAL units of each tile behind their lengths, row by row.
  package let tiles: [[UInt8]]
  /// Tiles side by side.
  package let columns: Int
  /// Width of every tile in pixels.
  package let tileWidth: Int
  /// Height of every tile in pixels.
  package let tileHeight: Int
  /// Width of the picture in pixels.
  package let width: Int
  /// Height of the picture in pixels.
  package let height: Int

  /// - Parameters:
  ///   - configuration: the content of `hvcC`.
  ///   - tiles: NAL units of each tile behind their lengths, row by row; whole rows of them.
  ///   - columns: tiles side by side.
  ///   - tileWidth: width of every tile in pixels.
  ///   - tileHeight: height of every tile in pixels.
  ///   - width: width of the picture in pixels.
  ///   - height: height of the picture in pixels.
  package init(
    configuration: [UInt8], tiles: [[UInt8]], columns: Int, tileWidth: Int, tileHeight: Int, width: Int,
    height: Int
  ) {
    self.configuration = configuration
    self.tiles = tiles
    self.columns = columns
    self.tileWidth = tileWidth
    self.tileHeight = tileHeight
    self.width = width
    self.height = height
  }

  var size: PixelSize { PixelSize(width: width, height: height) }
  var tileSize: PixelSize { PixelSize(width: tileWidth, height: tileHeight) }
  var rows: Int { columns > 0 ? tiles.count / columns : 0 }
  /// The one tile that is the picture; nil when tiles make it.
  var whole: [UInt8]? { tiles.count == 1 && tileSize == size ? tiles.first : nil }
}
