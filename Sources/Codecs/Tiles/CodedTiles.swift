import Basics
package import Rendering

/// A still picture that is coded as HEVC intra pictures of one size, laid side by side: the tiles of a HEIF
/// grid, or the single picture of an image without one (ISO/IEC 23008-12 sections 6.6.2.3 and B.2).
package struct CodedTiles: Sendable {
  /// `HEVCDecoderConfigurationRecord`, the payload of `hvcC` (ISO/IEC 14496-15 section 8.3.3.1): the parameter
  /// sets of all tiles.
  package let configuration: [UInt8]
  /// Tiles in a row.
  package let columns: Int
  /// Rows of tiles.
  package let rows: Int
  /// Luma columns of every tile.
  package let tileWidth: Int
  /// Luma rows of every tile.
  package let tileHeight: Int
  /// Luma columns of the picture; the tiles of the last column are cut off there.
  package let width: Int
  /// Luma rows of the picture; the tiles of the last row are cut off there.
  package let height: Int
  /// The meaning of samples, where the container tells it (`colr` of kind `nclx`).
  package let color: ColorDescription?
  /// Gives the coded data of a tile, counted row by row from 0: NAL units after their lengths.
  package let tile: @Sendable (_ index: Int) throws -> [UInt8]

  /// - Parameters:
  ///   - configuration: the payload of `hvcC`.
  ///   - columns: tiles in a row.
  ///   - rows: rows of tiles.
  ///   - tileWidth: luma columns of every tile.
  ///   - tileHeight: luma rows of every tile.
  ///   - width: luma columns of the picture.
  ///   - height: luma rows of the picture.
  ///   - color: what the container says about colours; nil leaves it to the parameter sets.
  ///   - tile: gives the coded data of a tile, counted row by row from 0: NAL units after their lengths. Called
  ///     from several threads at once. It should give no more than ``maximumTileBytes(width:height:)``.
  /// - Throws: ``MediaError`` unless the tiles cover the picture and each has a part in it, or when the picture
  ///   is too large.
  package init(
    configuration: [UInt8], columns: Int = 1, rows: Int = 1, tileWidth: Int, tileHeight: Int, width: Int,
    height: Int, color: ColorDescription? = nil, tile: @escaping @Sendable (_ index: Int) throws -> [UInt8]
  ) throws {
    let sizes = [(width, height), (tileWidth, tileHeight)]
    guard sizes.allSatisfy({ $0 > 0 && $1 > 0 }) else {
      throw MediaError.damaged("its picture has no size")
    }
    guard sizes.allSatisfy({ FrameFormat(width: $0, height: $1, sampling: .grey).isValid }) else {
      throw MediaError.tooLarge
    }
    guard Self.cover(width, columns, tileWidth), Self.cover(height, rows, tileHeight) else {
      throw MediaError.damaged("its tiles do not fit the size of its picture")
    }
    self.configuration = configuration
    self.columns = columns
    self.rows = rows
    self.tileWidth = tileWidth
    self.tileHeight = tileHeight
    self.width = width
    self.height = height
    self.color = color
    self.tile = tile
  }

  /// True if so many tiles of a length span a length, and fewer would not.
  private static func cover(_ length: Int, _ count: Int, _ tile: Int) -> Bool {
    count == (length + tile - 1) / tile
  }

  /// How many tiles there are.
  package var count: Int { columns * rows }

  /// More bytes than any coded tile needs: six for a pixel, which is more than its three samples of up to 16
  /// bits take, and some for headers.
  ///
  /// - Parameters:
  ///   - width: luma columns of a tile, at most 65536.
  ///   - height: luma rows of a tile, at most 65536.
  package static func maximumTileBytes(width: Int, height: Int) -> Int {
    width * height * 6 + (1 << 16)
  }
}
