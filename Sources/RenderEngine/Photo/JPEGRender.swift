import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// Renders a JPEG. The picture is rotated in the DCT domain if this is possible without loss. Otherwise, the picture is
/// re-encoded or, if re-encoding is not allowed, rotated by its Exif orientation.
struct JPEGRender: PhotoCodec {
  let render: PhotoRender
  let surgery: JPEGSurgery
  /// The rotation or flip of the stored picture.
  let transform: Orientation
  /// The display orientation of the new picture.
  let display: Orientation

  var job: RenderJob { render.job }
  private var picture: [UInt8] { surgery.original.untilEOI }

  static func decode(_ photo: Photo) throws -> DecodedPhoto {
    let surgery = try JPEGSurgery(photo)
    return DecodedPhoto(
      try JPEGCodec.decode(surgery.original.untilEOI), surgery.metadata.orientation,
      profile: try photo.iccProfile())
  }

  static func decode(_ photo: Photo, toHold side: Int) throws -> DecodedPhoto? {
    let surgery = try JPEGSurgery(photo)
    let size = surgery.original.header.frame.size
    guard JPEGCodec.isLarge(size.width, size.height) else { return nil }
    return DecodedPhoto(
      try JPEGCodec.decode(surgery.original.untilEOI, toHold: side), surgery.metadata.orientation,
      profile: try photo.iccProfile())
  }

  static func check(_ photo: Photo) throws -> PictureCheck.Photo {
    let picture = try JPEGCodec.decode(JPEGFile(photo.source.wholePhoto()).untilEOI)
    guard let thumbnail = try ifSound({ try photo.embeddedThumbnail() }) else {
      return PictureCheck.Photo(outcome: .decoded)
    }
    return PictureCheck.Photo(outcome: .decoded, thumbnail: .compared(thumbnail, with: picture))
  }

  static func render(_ render: PhotoRender) throws -> RenderResult {
    let jpeg = try JPEGRender(render)
    return try render.job.settings.renderedPhotoFormat == .heic ? jpeg.converted() : jpeg.result()
  }

  private init(_ render: PhotoRender) throws {
    self.render = render
    surgery = try JPEGSurgery(render.photo)
    guard !surgery.isMotionPhoto else {
      throw MediaError(
        "the photo is a Motion Photo, and its embedded movie would not be rotated",
        remedy: "create a Live Photo from it with liveedit create --from", isUnsupported: true)
    }
    (transform, display) = render.placement.photo(surgery.metadata.orientation)
  }

  /// The new picture and the information that belongs to it.
  private struct Picture {
    /// The JPEG, or nil to keep the compressed picture of the original.
    var image: [UInt8]?
    var thumbnail: [UInt8]?
    var method = RenderResult.Method.copied
    var notes: [Message] = []
  }

  private func result() throws -> RenderResult {
    try render.stop.check()
    let source = try source()
    var new = Picture(thumbnail: surgery.embeddedThumbnail)
    if source.frame != nil || !source.stages.isEmpty {
      new = try encoded(source)
    } else if transform != .identity {
      new = try turned()
    }
    let isNew = new.image != nil
    // A long exposure spreads bright areas to positions that the gain map does not mark.
    let old = try surgery.maps().filter {
      isNew && source.frame == nil && (!source.isExposed || !$0.isGainMap)
    }
    let maps = old.compactMap {
      try? $0.isGoogles ? editedDepth($0, by: source.plan) : edited($0, by: source.plan)
    }
    let depth = isNew && source.frame == nil ? try surgery.depthInXMP : []
    let newDepth = depth.compactMap { try? editedDepth($0, by: source.plan) }
    try render.stop.check()
    render.meter.photo(0.8)

    let rewritten = try surgery.rewritten(
      image: new.image, transform: isNew ? transform : .identity, projection: source.plan?.projection,
      // If the pixels could not be rotated, the orientation tag specifies the rotation.
      orientation: isNew ? display : transform.then(display), identifier: job.identifier,
      thumbnail: new.thumbnail, maps: maps.map(\.map), depth: newDepth.map(\.map), md5: MD5.digest)
    let removals = try render.write {
      try $0.write(rewritten.bytes)
      return rewritten.removals
    }
    return RenderResult(
      photo: new.method, removals: removals + (maps + newDepth).flatMap(\.removals), notes: new.notes)
  }

  private func plan(for size: PixelSize, _ sampling: ChromaSampling) throws -> GeometryPlan? {
    try render.geometry.photoPlan(
      size.turned(by: transform), sampling: transform.swapsAxes ? sampling.transposed : sampling)
  }

  /// Rotates the photo's blocks, or its pixels if re-encoding is allowed.
  private func turned() throws -> Picture {
    var new = Picture(thumbnail: surgery.embeddedThumbnail)
    do {
      if job.settings.isLossless {
        new.image = try JPEGCodec.losslessTurn(picture, by: transform)
        new.method = new.image == nil ? .copied : .lossless
        if new.image == nil {
          new.notes.append(
            "The photo's size does not allow lossless rotation of its pixels, so its Exif orientation was changed instead."
          )
        }
      } else {
        let turned = try JPEGCodec.turn(picture, by: transform, quality: job.settings.quality)
        new.image = turned.jpeg
        new.method = turned.isLossless ? .lossless : .encoded
      }
    } catch var error as MediaError where error.isUnsupported {
      guard job.settings.isLossless else {
        error.remedy =
          error.remedy ?? "rotate the photo with --lossless, or save it as an ordinary JPEG first"
        throw error
      }
      new.notes.append(
        "The photo's pixels cannot be rotated losslessly (\(error.problem)), so its Exif orientation was changed instead."
      )
    }
    if new.image != nil {
      // A thumbnail that cannot be decoded is removed and reported when the JPEG is written.
      new.thumbnail = new.thumbnail.flatMap { try? JPEGCodec.turn($0, by: transform).jpeg }
    }
    return new
  }

  /// The picture to which the edit is applied, and the stages that change it.
  struct Source {
    /// The movie frame that replaces the photo, in its stored orientation, or nil for the photo itself.
    let frame: PlanarFrame?
    /// The plan for cropping and straightening the picture, or nil if the picture is neither cropped nor straightened.
    let plan: GeometryPlan?
    /// The stages that change the picture, in order.
    let stages: [FrameStage]
    /// Whether a long exposure is applied to the photo.
    let isExposed: Bool
    /// The ratio of the edited picture's size to the size of the full-size photo.
    let scale: Double
  }

  /// Returns the picture to which the edit is applied.
  func source() throws -> Source {
    let own = surgery.metadata.orientation
    let frame = render.keyPhoto?.picture(storedFor: own)
    let stored = surgery.original.header.frame
    let size = frame?.format.size ?? stored.size
    let plan = try plan(for: size, frame?.format.sampling ?? stored.sampling)
    let exposure = try render.exposure(displayedBy: transform.inverse.then(own))
    return Source(
      frame: frame, plan: plan, stages: [exposure, plan?.stage].compactMap { $0 } + render.stages,
      isExposed: exposure != nil, scale: job.scale(of: plan?.outputSize ?? size.turned(by: transform)))
  }

  /// Applies all stages to the photo, and creates the new thumbnail from the result.
  private func encoded(_ source: Source) throws -> Picture {
    let edited = try edited(source)
    let quality = job.settings.quality
    let image =
      try source.frame == nil
      ? JPEGCodec.encode(edited.picture, asFineAs: picture, quality)
      : JPEGCodec.encode(frame: edited.picture, quality: quality)
    return Picture(
      image: image, thumbnail: try edited.thumbnail.map { try JPEGCodec.encode($0, quality: 80) },
      method: .encoded, notes: try render.profileNotes())
  }

  /// Decodes only the part that a crop needs. This is done for photos with more pixels than a frame may have.
  ///
  /// - Returns: The rotated part and the crop of this part, or nil if the photo can or must be decoded as a whole.
  private func decodedPart(of source: Source) throws -> (picture: PlanarFrame, plan: GeometryPlan)? {
    let size = surgery.original.header.frame.size
    guard source.frame == nil, !source.isExposed, JPEGCodec.isLarge(size.width, size.height),
      let plan = source.plan
    else { return nil }
    try plan.checkSize()
    let turned = size.turned(by: transform)
    let needed = transform.inverse.moved(plan.neededPart, of: turned)
    let (part, x, y) = try JPEGCodec.decode(picture, part: needed)
    let place = transform.moved((x, y, part.format.width, part.format.height), of: size)
    return (transform == .identity ? part : part.turned(by: transform), plan.cut(to: place))
  }

  /// Applies all stages to the photo.
  ///
  /// - Returns: The edited picture, and a reduced copy for the thumbnail if the photo had one.
  func edited(_ source: Source) throws -> (picture: PlanarFrame, thumbnail: PlanarFrame?) {
    var context = FrameContext(half: .photo, time: render.stillTime, renderScale: source.scale)
    context.source = try render.source
    // A thumbnail that cannot be decoded is removed and reported when the JPEG is written.
    let old = surgery.embeddedThumbnail.flatMap { try? JPEGCodec.decode($0) }
    let edited: PlanarFrame
    if let (part, plan) = try decodedPart(of: source) {
      edited = try ([plan.stage] + render.stages).apply(to: part, context)
    } else {
      let stored = try source.frame ?? JPEGCodec.decode(picture)
      let turned = transform == .identity ? stored : stored.turned(by: transform)
      edited = try source.stages.apply(to: turned, context)
    }
    return (edited, old.flatMap { edited.reduced(toFit: max($0.format.width, $0.format.height)) })
  }
}
