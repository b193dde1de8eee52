import Basics
import Codecs
import LivePhotoFormat
import Rendering

extension HEIFPicture {
  /// Decodes the stored picture without applying its clean aperture or rotation. Each tile is read when it is needed.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - reduction: The factor by which width and height are reduced. The width and height of the tiles must be
  ///     multiples of this factor.
  ///   - beforeTile: Called before each tile, on any thread. An error that the closure throws stops the work.
  /// - Throws: ``MediaError`` if the picture is damaged or is not coded as HEVC.
  func decoded(
    from source: any ByteSource, reduction: Int = 1, beforeTile: @escaping @Sendable () throws -> Void = {}
  ) throws -> PlanarFrame {
    guard codec == "hvc1" else {
      throw MediaError("the picture's codec “\(codec)” is not supported", isUnsupported: true)
    }
    let color = codePoints.map {
      ColorDescription(
        primaries: $0.primaries, transfer: $0.transfer, matrix: $0.matrix, isFullRange: $0.isFullRange)
    }
    return try CodedTiles(configuration: configuration, grid: grid, color: color, reduction: reduction) {
      index in
      try beforeTile()
      let ranges = tiles[index]
      guard ranges.reduce(0, { $0 + $1.count }) <= grid.mostTileBytes else {
        throw MediaError("tile \(index + 1) of the picture is impossibly large")
      }
      return try ranges.flatMap { try source.read(at: $0.lowerBound, count: $0.count) }
    }.decode()
  }

  /// Whether the picture has more pixels than the maximum for a frame.
  var isLarge: Bool { grid.size.width * grid.size.height > FrameFormat.maximumSamples }

  /// The chroma subsampling of the picture.
  var sampling: ChromaSampling {
    guard let steps = chromaSteps else { return .grey }
    return steps == (2, 2) ? .yuv420 : steps == (2, 1) ? .yuv422 : .yuv444
  }

  /// Decodes the picture at a reduced size, tile by tile.
  ///
  /// - Parameters:
  ///   - side: The minimum length of the longer side in pixels.
  ///   - source: The file.
  /// - Throws: The errors of ``decoded(from:reduction:beforeTile:)``, or an error if the size of the tiles cannot be
  ///   divided evenly.
  func decoded(toHold side: Int, from source: any ByteSource) throws -> DecodedPhoto {
    let longer = max(grid.size.width, grid.size.height)
    let factor = [8, 4, 2].first { factor in
      longer / factor >= side && grid.tile.width % (2 * factor) == 0 && grid.tile.height % (2 * factor) == 0
    }
    var decoded = DecodedPhoto(try self.decoded(from: source, reduction: factor ?? 1), orientation)
    decoded.aperture = factor.map { aperture?.reduced(by: $0) } ?? aperture
    return decoded
  }
}
