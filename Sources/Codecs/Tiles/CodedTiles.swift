import Basics
import EditModel
import Rendering

/// A still picture coded as adjoining HEVC intra pictures of equal size: the tiles of a HEIF grid, or the single
/// picture of an image without a grid (ISO/IEC 23008-12 sections 6.6.2.3 and B.2).
package struct CodedTiles: Sendable {
  /// The parameter sets of all tiles, as `HEVCDecoderConfigurationRecord`, which is the payload of `hvcC` (ISO/IEC
  /// 14496-15 section 8.3.3.1).
  package let configuration: [UInt8]
  /// The arrangement of the tiles in the picture, in luma columns and rows.
  package let grid: TileGrid
  /// The colour description that the container states (`colr` of type `nclx`), if any.
  package let color: ColorDescription?
  /// Returns the coded data of a tile, counted row by row from 0, as length-prefixed NAL units.
  package let tile: @Sendable (_ index: Int) throws -> [UInt8]
  /// The number of columns and rows of the coded picture that become one column or row of the decoded picture.
  let reduction: Int

  /// - Parameters:
  ///   - configuration: The payload of `hvcC`.
  ///   - grid: The arrangement of the tiles in the picture, in luma columns and rows.
  ///   - color: The colour description that the container states; if nil, the parameter sets apply.
  ///   - tile: Returns the coded data of a tile, counted row by row from 0, as length-prefixed NAL units. The closure
  ///     is called from several threads at once and should return at most ``TileGrid/mostTileBytes`` bytes.
  ///   - reduction: The number of columns and rows of the coded picture that become one; it must divide the sides of
  ///     the tiles.
  /// - Throws: ``MediaError`` if the tiles do not cover the picture, if a tile lies completely outside the picture, or
  ///   if the picture is too large.
  package init(
    configuration: [UInt8], grid: TileGrid, color: ColorDescription? = nil, reduction: Int = 1,
    tile: @escaping @Sendable (_ index: Int) throws -> [UInt8]
  ) throws {
    let reduced = PixelSize(width: grid.size.width / reduction, height: grid.size.height / reduction)
    let sizes = [reduced, grid.tile]
    guard sizes.allSatisfy({ $0.width > 0 && $0.height > 0 }) else {
      throw MediaError.damaged("the picture has no width or height")
    }
    guard sizes.allSatisfy({ FrameFormat(width: $0.width, height: $0.height, sampling: .grey).isValid })
    else {
      throw MediaError.tooLarge
    }
    guard max(grid.tile.width, grid.tile.height) <= LibAV.longestSide else {
      throw MediaError.unsupported(
        "encoded pictures of \(grid.tile.width)x\(grid.tile.height) exceed the limit of \(LibAV.longestSide) pixels in width or height",
        remedy: "rotate the photo with --lossless")
    }
    // Fewer tiles would not cover the picture, and additional tiles would lie outside it.
    guard grid == TileGrid(covering: grid.size, with: grid.tile) else {
      throw MediaError.damaged("the tiles do not fit the size of the picture")
    }
    (self.configuration, self.grid, self.color, self.tile) = (configuration, grid, color, tile)
    self.reduction = reduction
  }
}

extension TileGrid {
  /// An upper limit for the bytes of a coded tile: six per pixel, which is more than its three samples of up to 16 bits
  /// need, plus an allowance for headers. The sides of tiles are at most 65536.
  package var mostTileBytes: Int { tile.width * tile.height * 6 + (1 << 16) }
}
