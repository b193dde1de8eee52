import Basics
import EditModel
import Rendering

/// A still picture that is coded as HEVC intra pictures of one size, laid side by side: the tiles of a HEIF
/// grid, or the single picture of an image without one (ISO/IEC 23008-12 sections 6.6.2.3 and B.2).
package struct CodedTiles: Sendable {
  /// `HEVCDecoderConfigurationRecord`, the payload of `hvcC` (ISO/IEC 14496-15 section 8.3.3.1): the parameter
  /// sets of all tiles.
  package let configuration: [UInt8]
  /// How the tiles make the picture, in luma columns and rows.
  package let grid: TileGrid
  /// The meaning of samples, where the container tells it (`colr` of kind `nclx`).
  package let color: ColorDescription?
  /// Gives the coded data of a tile, counted row by row from 0: NAL units after their lengths.
  package let tile: @Sendable (_ index: Int) throws -> [UInt8]
  /// The columns and rows of the coded picture that become one of the decoded picture.
  let reduction: Int

  /// - Parameters:
  ///   - configuration: the payload of `hvcC`.
  ///   - grid: how the tiles make the picture, in luma columns and rows.
  ///   - color: what the container says about colours; nil leaves it to the parameter sets.
  ///   - tile: gives the coded data of a tile, counted row by row from 0: NAL units after their lengths. Called
  ///     from several threads at once. It should give no more than ``TileGrid/mostTileBytes``.
  ///   - reduction: how many columns and rows of the coded picture become one; divides the sides of tiles.
  /// - Throws: ``MediaError`` unless the tiles cover the picture and each has a part in it, or when the picture
  ///   is too large.
  package init(
    configuration: [UInt8], grid: TileGrid, color: ColorDescription? = nil, reduction: Int = 1,
    tile: @escaping @Sendable (_ index: Int) throws -> [UInt8]
  ) throws {
    let reduced = PixelSize(width: grid.size.width / reduction, height: grid.size.height / reduction)
    let sizes = [reduced, grid.tile]
    guard sizes.allSatisfy({ $0.width > 0 && $0.height > 0 }) else {
      throw MediaError.damaged("the picture has no size")
    }
    guard sizes.allSatisfy({ FrameFormat(width: $0.width, height: $0.height, sampling: .grey).isValid })
    else {
      throw MediaError.tooLarge
    }
    guard max(grid.tile.width, grid.tile.height) <= LibAV.longestSide else {
      throw MediaError.unsupported(
        "the encoded pictures of \(grid.tile.width)x\(grid.tile.height) have more than \(LibAV.longestSide) columns or rows",
        remedy: "rotate it with --lossless")
    }
    // Fewer tiles would not cover the picture, and more would have no part in it.
    guard grid == TileGrid(covering: grid.size, with: grid.tile) else {
      throw MediaError.damaged("the tiles do not fit the size of the picture")
    }
    (self.configuration, self.grid, self.color, self.tile) = (configuration, grid, color, tile)
    self.reduction = reduction
  }
}

extension TileGrid {
  /// More bytes than any coded tile needs: six for a pixel, which is more than its three samples of up to 16
  /// bits take, and some for headers. The sides of tiles are at most 65536.
  package var mostTileBytes: Int { tile.width * tile.height * 6 + (1 << 16) }
}
