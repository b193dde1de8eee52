import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// Renders a HEIC photo if its pixels are edited.
///
/// The picture keeps its stored orientation, and `irot` specifies its display orientation, so that depth maps, mattes
/// and regions stay correct. Stages that need an upright picture receive a rotated picture, and their result is rotated
/// back.
struct HEICRender: PhotoCodec {
  private let render: PhotoRender
  private let file: HEIFFile
  private let picture: HEIFPicture
  /// The auxiliary images of the picture.
  private let related: [HEIFRelatedPicture]
  /// Whether the stages receive the picture in its displayed orientation.
  private let isUpright: Bool
  /// Whether the clean aperture is applied by cropping. If an edit changes only the colours of a HEIC photo, the
  /// aperture and the pixels outside the aperture are kept.
  private let isCut: Bool

  private var job: RenderJob { render.job }

  /// Whether a long exposure is applied. A long exposure invalidates the gain map: it spreads bright areas to positions
  /// that the gain map does not mark.
  private var isExposed: Bool { job.edit.motion.effect == .longExposure }

  /// Whether the edit changes only the geometry, so that the remaining pixels keep their values.
  private var isGeometryAlone: Bool { render.stages.isEmpty && !isExposed && render.keyPhoto == nil }

  private static let stale: Message = "shows the unedited picture"

  static func decode(_ photo: Photo) throws -> DecodedPhoto {
    let picture = try HEIFPicture(HEIFFile(photo))
    // The decoded picture already has the colour description from the file.
    var decoded = DecodedPhoto(try picture.decoded(from: photo.source), picture.orientation)
    decoded.aperture = picture.aperture
    return decoded
  }

  static func decode(_ photo: Photo, toHold side: Int) throws -> DecodedPhoto? {
    let picture = try HEIFPicture(HEIFFile(photo))
    return picture.isLarge ? try picture.decoded(toHold: side, from: photo.source) : nil
  }

  static func check(_ photo: Photo) throws -> PictureCheck.Photo {
    let file = try HEIFFile(photo)
    let primary = try HEIFPicture(file)
    let picture = try primary.decoded(from: photo.source)
    guard let item = file.thumbnails.first else { return PictureCheck.Photo(outcome: .decoded) }
    let thumbnail: PictureCheck.Thumbnail?
    do {
      let small = try HEIFPicture(file, item: item)
      let turn = small.orientation.then(primary.orientation.inverse)
      let shown = try small.decoded(from: photo.source).turned(by: turn)
      // No standard specifies whether a thumbnail includes the area outside the clean aperture.
      thumbnail = primary.aperture == nil ? .likeness(PictureLikeness.decibels(shown, picture)) : nil
    } catch let error as MediaError {
      thumbnail = error.isUnsupported ? nil : .unreadable
    }
    return PictureCheck.Photo(outcome: .decoded, thumbnail: thumbnail)
  }

  static func render(_ render: PhotoRender) throws -> RenderResult {
    let job = render.job
    if job.settings.renderedPhotoFormat == .jpeg {
      return try HEICRender(render, isUpright: !render.placement.isKept).converted()
    }
    let isAnother = render.keyPhoto != nil || job.edit.motion.effect == .longExposure
    if render.stages.isEmpty, job.edit.geometry.isNeutral, !isAnother {
      // Every HEIC reader applies the properties that rotate the picture.
      let file = try HEIFFile(render.photo)
      let removals = try render.write {
        try file.write(turn: job.edit.orientation, identifier: job.identifier, to: $0)
      }
      return RenderResult(photo: .copied, removals: removals)
    }
    return try HEICRender(render, isUpright: render.isUpright).edited()
  }

  private init(_ render: PhotoRender, isUpright: Bool) throws {
    self.render = render
    self.isUpright = isUpright
    let (edit, settings) = (render.job.edit, render.job.settings)
    // A JPEG cannot store a clean aperture.
    isCut =
      isUpright || !edit.geometry.isNeutral || settings.renderedPhotoFormat == .jpeg || render.keyPhoto != nil
    file = try HEIFFile(render.photo)
    picture = try HEIFPicture(file)
    related = try file.relatedPicturesToEdit()
  }

  /// Edits the pixels and writes a HEIC.
  private func edited() throws -> RenderResult {
    let edited = try edited(by: render.stages)
    try render.stop.check()
    render.meter.photo(0.3)
    let removals = try render.write { try write(edited, to: $0) }
    return RenderResult(photo: .encoded, removals: removals, notes: try render.profileNotes())
  }

  /// Converts the photo to JPEG.
  private func converted() throws -> RenderResult {
    let edited = try edited(by: render.stages)
    try render.stop.check()
    render.meter.photo(0.5)
    let result = try jpeg(edited)
    let removals = try render.write {
      try $0.write(result.bytes)
      return result.removals
    }
    return RenderResult(photo: .encoded, removals: removals, notes: try render.profileNotes())
  }

  /// The display orientation, after the edit, of the stored picture.
  private var display: Orientation { display(of: picture) }

  private func display(of picture: HEIFPicture) -> Orientation {
    picture.orientation.then(job.edit.orientation)
  }

  /// Decodes the picture and applies all stages.
  ///
  /// - Returns: The picture, upright or in its stored orientation.
  private func edited(by stages: [FrameStage]) throws -> PlanarFrame {
    let stored = try reframed()
    let scale = job.scale(of: stored.format.size.turned(by: display))
    var context = FrameContext(half: .photo, time: render.stillTime, renderScale: scale)
    context.source = try render.source
    return try stages.apply(to: isUpright ? stored.turned(by: display) : stored, context)
  }

  /// Decodes the photo in its stored orientation and crops it.
  private func reframed() throws -> PlanarFrame {
    if picture.isLarge, render.keyPhoto == nil, !isExposed, let plan = try plan(of: picture, picture.sampling)
    {
      try plan.checkSize()
      let (part, x, y) = picture.tiles(holding: plan.neededPart)
      let frame = try part.decoded(from: render.photo.source) { try render.stop.check() }
      let cut = plan.cut(to: (x, y, frame.format.width, frame.format.height))
      return try cut.stage(frame, FrameContext(half: .photo, time: 0))
    }
    var frame =
      try render.keyPhoto?.picture(storedFor: picture.orientation)
      ?? picture.decoded(from: render.photo.source) { try render.stop.check() }
    if let exposure = try render.exposure(displayedBy: picture.orientation) {
      frame = try exposure(frame, FrameContext(half: .photo, time: 0))
    }
    guard let plan = try plan(of: picture, frame.format.sampling) else { return frame }
    return try plan.stage(frame, FrameContext(half: .photo, time: 0))
  }

  private func plan(of picture: HEIFPicture, _ sampling: ChromaSampling) throws -> GeometryPlan? {
    let frame = render.keyPhoto?.size(storedFor: picture.orientation)
    return try render.geometry.storedPlan(
      frame ?? picture.grid.size, aperture: frame == nil ? picture.aperture : nil, sampling: sampling,
      displayedAs: display(of: picture), isCut: isCut,
      needsEvenSize: job.settings.renderedPhotoFormat != .jpeg)
  }

  /// Returns the photo as a JPEG.
  ///
  /// - Parameter edited: The picture that ``edited(by:)`` returned.
  private func jpeg(_ edited: PlanarFrame) throws -> JPEGSurgery.Result {
    let image =
      try render.keyPhoto == nil
      ? JPEGCodec.encode(edited.forJPEG(), quality: job.settings.quality)
      : JPEGCodec.encode(frame: edited, quality: job.settings.quality)
    var maps: [UInt32: [UInt8]] = [:]
    var lost: [Removal] = []
    var hasGainMap = false
    for related in self.related where [.gainMap, .places].contains(related.role) {
      let isGainMap = related.role == .gainMap
      if isGainMap, isExposed || hasGainMap { continue }
      guard let map = try ifSound({ try mapJPEG(related, like: edited.format.sampling) }) else { continue }
      maps[related.item] = map.bytes
      hasGainMap = hasGainMap || isGainMap
      lost += map.removals
    }
    let result = try file.jpeg(
      image, profile: picture.iccProfile ?? ICCProfileWriter.profile(of: edited.format.color),
      transform: isUpright ? display : .identity, orientation: isUpright ? .identity : display,
      projection: try uprightProjection(edited.format.sampling),
      identifier: job.identifier, thumbnail: try render.exifThumbnail { edited },
      maps: maps)
    return JPEGSurgery.Result(bytes: result.bytes, removals: result.removals + lost)
  }

  /// Returns the mapping from positions in the upright picture to positions in the edited picture, or nil if the
  /// picture is neither cropped nor straightened.
  private func uprightProjection(_ sampling: ChromaSampling) throws -> PictureProjection? {
    guard !job.edit.geometry.isNeutral, let plan = try plan(of: picture, sampling) else { return nil }
    return PictureProjection(display.inverse).then(plan.projection).then(PictureProjection(display))
  }

  /// Returns a gain map, depth map or matte as a JPEG in the same orientation as the picture.
  private func mapJPEG(
    _ related: HEIFRelatedPicture, like sampling: ChromaSampling
  ) throws -> JPEGSurgery.Result {
    let map = try HEIFPicture(file, item: related.item)
    let turn = isUpright ? display(of: map) : display(of: map).then(display.inverse)
    let reframed = try reframed(map: map, like: sampling)
    let isGainMap = related.role == .gainMap
    let image = try JPEGCodec.encode(
      reframed.frame.turned(by: turn).forJPEG(), quality: isGainMap ? job.settings.quality : .high)
    guard !isGainMap else {
      return JPEGSurgery.Result(bytes: try file.gainMapJPEG(image, item: related.item), removals: [])
    }
    let isMoved = turn != .identity || reframed.projection != nil
    let places = (reframed.projection ?? PictureProjection()).then(PictureProjection(turn))
    return try file.mapJPEG(image, item: related.item, projection: isMoved ? places : nil)
  }

  /// Writes the file with an edited picture.
  ///
  /// - Parameters:
  ///   - edited: The picture that ``edited(by:)`` returned.
  ///   - sink: The destination of the file.
  /// - Returns: The metadata that the file no longer contains.
  private func write(_ edited: PlanarFrame, to sink: any ByteSink) throws -> [Removal] {
    let edited = isUpright ? edited.turned(by: display.inverse) : edited
    var edit = HEIFEdit(pictures: [file.pixelItem: try coded(edited, tile: picture.grid.tile)])
    edit.projection = try plan(of: picture, edited.format.sampling)?.projection
    edit.cutsAperture = isCut
    let isReframed = edit.projection != nil
    for related in self.related {
      switch related.role {
      case .thumbnail:
        if let small = try ifSound({ try thumbnail(related.item, of: edited) }) {
          edit.pictures[related.item] = small
        } else {
          edit.removed[related.item] = Self.stale
        }
      case .colors where !isGeometryAlone:
        edit.removed[related.item] = "describes the unedited colours"
      case .alternative: edit.removed[related.item] = Self.stale
      case .gainMap where isExposed:
        edit.removed[related.item] = "describes the brightness before the long exposure"
      case .gainMap where isReframed, .places where isReframed, .colors where isReframed:
        if let map = try ifSound({ try reframed(related, like: edited.format.sampling) }) {
          edit.pictures[related.item] = map.picture
          edit.projections[related.item] = map.projection
        } else {
          edit.removed[related.item] = "describes the uncropped picture and cannot be cropped"
        }
      case .gainMap, .places, .colors: break
      }
    }
    // Other pictures in the file could reveal areas that were cropped.
    if isReframed { for item in try file.otherPictures { edit.removed[item] = Self.stale } }
    edit.exifThumbnail = try render.exifThumbnail { edited }
    return try file.write(edit, turn: job.edit.orientation, identifier: job.identifier, to: sink)
  }

  /// Crops a gain map, depth map or matte in the same way as the picture, at the resolution of the map.
  ///
  /// - Parameters:
  ///   - related: The map.
  ///   - sampling: The chroma subsampling of the photo.
  /// - Returns: The map, and the crop's mapping of positions.
  private func reframed(
    _ related: HEIFRelatedPicture, like sampling: ChromaSampling
  ) throws -> (picture: HEIFCodedPicture, projection: PictureProjection?) {
    let old = try HEIFPicture(file, item: related.item)
    let map = try reframed(map: old, like: sampling)
    // A picture without tiles is stored without tiles again, unless it is smaller than the encoder's blocks.
    let isWhole = old.grid.count == 1 && min(map.frame.format.width, map.frame.format.height) >= 64
    // The sample values of a depth map are measurements, and higher precision costs little.
    let picture = try coded(
      map.frame, tile: isWhole ? nil : old.grid.tile, quality: related.role == .gainMap ? nil : .high)
    return (picture, map.projection)
  }

  /// Decodes a picture that shows the same scene as the photo, and crops it to exactly the same area as the photo. The
  /// edges of this area may lie between samples.
  ///
  /// - Parameters:
  ///   - map: The picture.
  ///   - sampling: The chroma subsampling of the photo.
  /// - Returns: The picture in its stored orientation, and the crop's mapping of positions.
  private func reframed(
    map: HEIFPicture, like sampling: ChromaSampling
  ) throws -> (frame: PlanarFrame, projection: PictureProjection?) {
    let frame = try map.decoded(from: render.photo.source) { try render.stop.check() }
    let isLaidAlike = map.orientation == picture.orientation && map.aperture == nil
    guard let plan = try plan(of: isLaidAlike ? picture : map, sampling) else { return (frame, nil) }
    return (try plan.stage(frame, FrameContext(half: .photo, time: 0)), plan.pictureProjection)
  }

  /// Encodes a picture.
  ///
  /// - Parameters:
  ///   - tile: The size of the tiles in the original picture, or nil to encode a single tile.
  ///   - quality: The encoding quality, or nil for the quality of the job.
  private func coded(
    _ frame: PlanarFrame, tile: PixelSize?, quality: RenderSettings.Quality? = nil
  ) throws -> HEIFCodedPicture {
    try render.coded(frame, tile: tile, quality: quality)
  }

  /// Creates a thumbnail with the size and orientation of the thumbnail that it replaces.
  private func thumbnail(_ item: UInt32, of edited: PlanarFrame) throws -> HEIFCodedPicture {
    let old = try HEIFPicture(file, item: item)
    guard old.codec == "hvc1", [8, edited.format.bitDepth].contains(old.bitDepth) else {
      throw MediaError("the thumbnail's encoding is not supported", isUnsupported: true)
    }
    let turn = picture.orientation.then(old.orientation.inverse)
    let side = max(old.aperture?.width ?? old.grid.size.width, old.aperture?.height ?? old.grid.size.height)
    guard var small = edited.reduced(toFit: side)?.turned(by: turn) else {
      throw MediaError("the thumbnail has no width or height")
    }
    if old.bitDepth == 8 { small = small.with8Bits() }
    return try coded(small, tile: old.grid.count == 1 ? nil : old.grid.tile)
  }
}

extension PlanarFrame {
  /// Returns a smaller picture with the same aspect ratio.
  ///
  /// - Parameter side: The maximum length of the result's longer side in pixels.
  func reduced(toFit side: Int) -> PlanarFrame? {
    let size = PixelSize(width: side, height: side).fitting(format.size)
    return reduced(toWidth: size.width, height: size.height)
  }
}
