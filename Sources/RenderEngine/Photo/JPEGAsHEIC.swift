import Basics
import Codecs
import EditModel
import LivePhotoFormat
import Rendering

extension JPEGRender {
  /// The size of the tiles in a new HEIC photo. iPhone photos have tiles of the same size.
  private static let tile = PixelSize(width: 512, height: 512)

  /// Converts the photo to HEIC.
  func converted() throws -> RenderResult {
    try render.stop.check()
    let source = try source()
    let edited = try edited(source)
    try render.stop.check()
    render.meter.photo(0.4)
    let coded = try coded(edited.picture, tile: Self.tile)
    // A long exposure spreads bright areas to positions that the gain map does not mark.
    let isKept = source.frame == nil && !source.isExposed
    let gainMap = isKept ? try? self.gainMap(by: source.plan) : nil
    try render.stop.check()
    let thumbnail = try edited.thumbnail.map { try JPEGCodec.encode($0, quality: 80) }
    let removals = try render.write {
      try surgery.writeHEIF(
        coded, showing: edited.picture.format.size, transform: transform, projection: source.plan?.projection,
        orientation: display, identifier: job.identifier, thumbnail: thumbnail, gainMap: gainMap,
        to: $0)
    }
    return RenderResult(photo: .encoded, removals: removals, notes: try render.profileNotes())
  }

  /// Encodes a picture as 4:2:0, which requires an even width and height. A clean aperture must hide any added column
  /// or row.
  private func coded(_ picture: PlanarFrame, tile: PixelSize?) throws -> HEIFCodedPicture {
    let picture = picture.chromaResampled(to: .yuv420)
    var format = picture.format
    if format.sampling != .grey {
      format.width += format.width & 1
      format.height += format.height & 1
    }
    let isEven = format == picture.format
    return try render.coded(isEven ? picture : picture.part(from: (0, 0), format), tile: tile)
  }

  /// Returns the photo's gain map, rotated and cropped like the photo.
  ///
  /// - Returns: Nil if the photo has no gain map, or if HEIC cannot describe the use of this gain map.
  private func gainMap(by plan: GeometryPlan?) throws -> HEIFGainMap? {
    guard let map = try surgery.maps().first(where: \.isGainMap), var gainMap = try HEIFGainMap(map) else {
      return nil
    }
    var frame = try JPEGCodec.decode(JPEGFile(map.bytes).untilEOI).turned(by: transform)
    if let plan { frame = try plan.stage(frame, FrameContext(half: .photo, time: 0)) }
    // A picture without tiles is stored without tiles again, unless it is smaller than the encoder's blocks.
    let isWhole = min(frame.format.width, frame.format.height) >= 64
    gainMap.picture = try coded(frame, tile: isWhole ? nil : Self.tile)
    gainMap.shown = frame.format.size
    gainMap.isGrey = frame.format.sampling == .grey
    return gainMap
  }
}

extension PhotoRender {
  /// Encodes a picture of a HEIC photo. A rehearsal encodes only enough to show that the picture can be encoded.
  ///
  /// - Parameters:
  ///   - tile: The size of the tiles in the original picture, or nil to encode a single tile.
  ///   - quality: The encoding quality, or nil for the quality of the job.
  func coded(
    _ frame: PlanarFrame, tile: PixelSize?, quality: RenderSettings.Quality? = nil
  ) throws -> HEIFCodedPicture {
    // A movie frame has more detail in each block than a photo.
    let isFrame = keyPhoto != nil && job.settings.quality == .standard
    let quality = quality ?? (isFrame ? .high : job.settings.quality)
    if isRehearsal, let tile, let small = frame.reduced(toWidth: tile.width, height: tile.height) {
      // Encoding one tile shows whether the other tiles can be encoded.
      let coded = try CodedTiles(encoding: small, tile: nil, quality: quality)
      let grid = TileGrid(covering: frame.format.size, with: tile)
      return HEIFCodedPicture(
        configuration: coded.configuration, tiles: try Array(repeating: coded.tile(0), count: grid.count),
        grid: grid)
    }
    let tiles = try CodedTiles(encoding: frame, tile: tile, quality: quality) { try stop.check() }
    return HEIFCodedPicture(
      configuration: tiles.configuration, tiles: try (0..<tiles.grid.count).map(tiles.tile), grid: tiles.grid)
  }
}
