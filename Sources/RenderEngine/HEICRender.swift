import Basics
import Codecs
import EditModel
import LivePhotoFormat
import Rendering

/// Renders a HEIC photo whose pixels are edited to HEIC again.
///
/// The picture stays as it is stored, and `irot` says where up is, so that depth, mattes and regions stay true. What
/// must see the picture upright gets it turned, and what it returns is turned back.
struct HEICRender {
  private let source: any ByteSource
  private let job: RenderJob
  private let surgery: HEIFSurgery
  private let picture: HEIFPicture
  private let geometry: JobGeometry
  /// True if the stages see the picture as it is displayed.
  private let isUpright: Bool
  /// True if its clean aperture is cut out. Where only colours change in HEIC it stays, and with it what it hides.
  private let isCut: Bool
  private let stop: StopSignal

  private static let stale = "shows the picture as it was before the edit"

  /// - Parameters:
  ///   - photo: the photo.
  ///   - job: what is done to it.
  ///   - geometry: what its geometry means.
  ///   - isUpright: whether the stages must see the picture as it is displayed.
  ///   - stop: asked before each tile.
  init(
    _ photo: Photo, _ job: RenderJob, _ geometry: JobGeometry, isUpright: Bool, stop: StopSignal
  ) throws {
    source = photo.source
    self.stop = stop
    self.geometry = geometry
    self.job = job
    self.isUpright = isUpright
    // A JPEG has no clean aperture.
    isCut = isUpright || !job.edit.geometry.isNeutral || job.settings.renderedPhotoFormat == .jpeg
    surgery = try HEIFSurgery(photo)
    picture = try surgery.picture()
  }

  /// How the stored picture is displayed after the edit.
  private var display: Orientation { display(of: picture) }

  private func display(of picture: HEIFPicture) -> Orientation {
    picture.orientation.then(job.edit.orientation)
  }

  /// Decodes the picture and sends it through all stages.
  ///
  /// - Parameters:
  ///   - stages: what is done to it.
  ///   - time: the moment of the movie that it was taken at, in seconds.
  /// - Returns: the picture, upright or as it is stored.
  func edited(by stages: [FrameStage], time: Double) throws -> PlanarFrame {
    let stored = try reframed(picture)
    let size = RenderJob.Size(turning: (stored.format.width, stored.format.height), by: display)
    let context = FrameContext(kind: .still, time: time, renderScale: job.scale(of: size))
    return try stages.apply(to: isUpright ? stored.turned(by: display) : stored, context)
  }

  /// Decodes a picture of the photo and crops it, as it is stored.
  private func reframed(_ picture: HEIFPicture) throws -> PlanarFrame {
    let frame = try picture.decoded(from: source) { try stop.check() }
    guard let plan = try plan(of: picture, frame.format.sampling) else { return frame }
    return try plan.stage(frame, FrameContext(kind: .still, time: 0))
  }

  private func plan(of picture: HEIFPicture, _ sampling: ChromaSampling) throws -> GeometryPlan? {
    try geometry.storedPlan(
      picture, sampling: sampling, displayedAs: display(of: picture), isCut: isCut,
      needsEvenSize: job.settings.renderedPhotoFormat != .jpeg)
  }

  /// The photo as a JPEG.
  ///
  /// - Parameter edited: the picture as ``edited(by:time:)`` returned it.
  func jpeg(_ edited: PlanarFrame) throws -> JPEGSurgery.Result {
    let image = try JPEGCodec.encode(edited.forJPEG(), quality: job.settings.quality)
    let maps = surgery.file.relatedPictures.filter { $0.role == .gainMap }
    return try surgery.jpeg(
      image, profile: picture.iccProfile ?? ICCProfileWriter.profile(of: edited.format.color),
      transform: isUpright ? display : .identity, orientation: isUpright ? .identity : display,
      projection: try uprightProjection(edited.format.sampling),
      identifier: job.identifier, thumbnail: try exifThumbnail(of: edited),
      gainMap: maps.first.flatMap { try? gainMapJPEG($0.item) })
  }

  /// Where places of the upright picture go; nil when nothing is cropped or straightened.
  private func uprightProjection(_ sampling: ChromaSampling) throws -> PictureProjection? {
    guard !job.edit.geometry.isNeutral, let plan = try plan(of: picture, sampling) else { return nil }
    return PictureProjection(display.inverse).then(plan.projection).then(PictureProjection(display))
  }

  /// The gain map as a JPEG, laid down as the picture is.
  private func gainMapJPEG(_ item: UInt32) throws -> [UInt8] {
    let map = try surgery.picture(item)
    let turn = isUpright ? display(of: map) : display(of: map).then(display.inverse)
    let turned = try reframed(map).turned(by: turn)
    return try surgery.gainMapJPEG(
      JPEGCodec.encode(turned.forJPEG(), quality: job.settings.quality), item: item)
  }

  /// Writes the file with an edited picture.
  ///
  /// - Parameters:
  ///   - edited: the picture as ``edited(by:time:)`` returned it.
  ///   - sink: where the file goes.
  /// - Returns: what it does not carry.
  func write(_ edited: PlanarFrame, to sink: OutputFile) throws -> [Removal] {
    let edited = isUpright ? edited.turned(by: display.inverse) : edited
    let quality = job.settings.quality
    let tiles = try CodedTiles(
      encoding: edited, tileWidth: picture.tileWidth, tileHeight: picture.tileHeight, quality: quality
    ) { try stop.check() }
    var edit = HEIFEdit(pictures: [surgery.file.pixelItem: try HEIFCodedPicture(tiles)])
    edit.projection = try plan(of: picture, edited.format.sampling)?.projection
    edit.cutsAperture = isCut
    let isReframed = edit.projection != nil
    for related in surgery.file.relatedPictures {
      switch related.role {
      case .thumbnail:
        if let small = try? thumbnail(related.item, of: edited) {
          edit.pictures[related.item] = small
        } else {
          edit.removed[related.item] = Self.stale
        }
      case .colors: edit.removed[related.item] = "describes colours as they were before the edit"
      case .alternative: edit.removed[related.item] = Self.stale
      case .gainMap where isReframed:
        if let map = try? gainMap(related.item) {
          edit.pictures[related.item] = map
        } else {
          edit.removed[related.item] = "shows the uncropped picture"
        }
      case .places where isReframed: edit.removed[related.item] = "describes places in the uncropped picture"
      case .gainMap, .places: break
      }
    }
    edit.exifThumbnail = try exifThumbnail(of: edited)
    return try surgery.write(edit, turn: job.edit.orientation, identifier: job.identifier, to: sink)
  }

  /// The gain map, cropped like the picture.
  private func gainMap(_ item: UInt32) throws -> HEIFCodedPicture {
    let old = try surgery.picture(item)
    let map = try reframed(old)
    return try HEIFCodedPicture(
      CodedTiles(
        encoding: map, tileWidth: old.tileWidth, tileHeight: old.tileHeight, quality: job.settings.quality
      ) { try stop.check() })
  }

  /// A thumbnail in place of an old one: as large, laid down as it was.
  private func thumbnail(_ item: UInt32, of edited: PlanarFrame) throws -> HEIFCodedPicture {
    let old = try surgery.picture(item)
    guard old.codec == "hvc1", [8, edited.format.bitDepth].contains(old.bitDepth) else {
      throw MediaError("its thumbnail is coded in a way that is not handled", isUnsupported: true)
    }
    let turn = picture.orientation.then(old.orientation.inverse)
    let side = max(old.aperture?.width ?? old.width, old.aperture?.height ?? old.height)
    guard var small = edited.reduced(toFit: side)?.turned(by: turn) else {
      throw MediaError("its thumbnail has no size")
    }
    if old.bitDepth == 8 { small = small.with8Bits() }
    let isWhole = old.columns * old.rows == 1
    return try HEIFCodedPicture(
      isWhole
        ? CodedTiles(encodingWhole: small, quality: job.settings.quality)
        : CodedTiles(
          encoding: small, tileWidth: old.tileWidth, tileHeight: old.tileHeight, quality: job.settings.quality
        )
    )
  }

  /// The JPEG in Exif once more; nil when there is none, or none that can be decoded.
  private func exifThumbnail(of edited: PlanarFrame) throws -> [UInt8]? {
    guard let old = try surgery.exifThumbnail().flatMap({ try? JPEGCodec.decode($0) }) else { return nil }
    return try edited.reduced(toFit: max(old.format.width, old.format.height)).map {
      try JPEGCodec.encode($0.forJPEG(), quality: 80)
    }
  }
}

extension PlanarFrame {
  /// A smaller picture of the same shape.
  ///
  /// - Parameter side: its longer side in pixels.
  func reduced(toFit side: Int) -> PlanarFrame? {
    let size = RenderJob.Size(width: side, height: side)
      .fitting(RenderJob.Size(width: format.width, height: format.height))
    return reduced(toWidth: size.width, height: size.height)
  }
}

extension HEIFCodedPicture {
  /// Coded tiles, in memory.
  init(_ tiles: CodedTiles) throws {
    self.init(
      configuration: tiles.configuration, tiles: try (0..<tiles.count).map { try tiles.tile($0) },
      columns: tiles.columns, tileWidth: tiles.tileWidth, tileHeight: tiles.tileHeight, width: tiles.width,
      height: tiles.height)
  }
}
