import Basics
import EditModel
import Rendering

/// A still picture coded as adjacent HEVC intra pictures of equal size. These are either the tiles of a HEIF grid, or
/// the only picture of an image without a grid (ISO/IEC 23008-12 sections 6.6.2.3 and B.2).
package struct CodedTiles: Sendable {
  /// The parameter sets of all tiles, as `HEVCDecoderConfigurationRecord`, which is the payload of `hvcC` (ISO/IEC
  /// 14496-15 section 8.3.3.1).
  package let configuration: [UInt8]
  /// The arrangement of the tiles in the picture, with sizes in luma samples.
  package let grid: TileGrid
  /// The colour description stated in the container (`colr` of type `nclx`), or nil if the container does not state a
  /// colour description.
  package let color: ColorDescription?
  /// A function that returns the coded data of a tile as length-prefixed NAL units. Tiles are counted row by row from
  /// 0.
  package let tile: @Sendable (_ index: Int) throws -> [UInt8]
  /// The factor by which the coded picture's width and height are reduced in the decoded picture.
  let reduction: Int

  /// - Parameters:
  ///   - configuration: The payload of `hvcC`.
  ///   - grid: The arrangement of the tiles in the picture, with sizes in luma samples.
  ///   - color: The colour description stated in the container, or nil to use the description in the parameter sets.
  ///   - tile: A function that returns the coded data of a tile as length-prefixed NAL units. Tiles are counted row by
  ///     row from 0. The function is called from several threads at the same time and should return at most
  ///     ``TileGrid/mostTileBytes`` bytes.
  ///   - reduction: The factor by which the coded picture's width and height are reduced. The width and height of the
  ///     tiles must be multiples of this factor.
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
    // With fewer tiles, the picture would not be covered. Additional tiles would lie outside the picture.
    guard grid == TileGrid(covering: grid.size, with: grid.tile) else {
      throw MediaError.damaged("the tiles do not fit the size of the picture")
    }
    (self.configuration, self.grid, self.color, self.tile) = (configuration, grid, color, tile)
    self.reduction = reduction
  }
}

extension TileGrid {
  /// An upper limit on the size of a coded tile in bytes. The limit allows six bytes per pixel, which is more than
  /// three samples of up to 16 bits need, and some additional bytes for headers. The width and height of a tile are at
  /// most 65536.
  package var mostTileBytes: Int { tile.width * tile.height * 6 + (1 << 16) }
}
