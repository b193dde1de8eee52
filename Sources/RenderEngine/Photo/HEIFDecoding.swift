import Basics
import Codecs
import LivePhotoFormat
import Rendering

extension HEIFPicture {
  /// Decodes the picture as it is stored: neither cropped by its clean aperture nor turned. The tiles are read
  /// when their turn comes.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - beforeTile: called before each tile, from any thread; what it throws ends the work.
  /// - Throws: ``MediaError`` when it is damaged or coded otherwise than as HEVC.
  func decoded(
    from source: any ByteSource, beforeTile: @escaping @Sendable () throws -> Void = {}
  ) throws -> PlanarFrame {
    guard codec == "hvc1" else {
      throw MediaError("its picture is coded as “\(codec)”, which is not handled", isUnsupported: true)
    }
    let color = codePoints.map {
      ColorDescription(
        primaries: $0.primaries, transfer: $0.transfer, matrix: $0.matrix, isFullRange: $0.isFullRange)
    }
    return try CodedTiles(configuration: configuration, grid: grid, color: color) { index in
      try beforeTile()
      let ranges = tiles[index]
      guard ranges.reduce(0, { $0 + $1.count }) <= grid.mostTileBytes else {
        throw MediaError("tile \(index + 1) of its picture is impossibly large")
      }
      return try ranges.flatMap { try source.read(at: $0.lowerBound, count: $0.count) }
    }.decode()
  }
}
