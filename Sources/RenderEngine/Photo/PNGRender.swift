import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// Renders a PNG. If the edit only rotates or crops, the pixels are copied. Otherwise, the stages process samples with
/// 10 bits. Transparency is changed only by stages that move pixels.
struct PNGRender: PhotoCodec {
  private let render: PhotoRender
  private let file: PNGFile
  private let metadata: PhotoMetadata
  /// The rotation or flip of the stored picture.
  private let transform: Orientation
  /// The display orientation of the new picture.
  private let display: Orientation

  private var job: RenderJob { render.job }

  static func decode(_ photo: Photo) throws -> DecodedPhoto {
    let file = try PNGFile(photo)
    let depth = file.layout.bitDepth == 16 ? PNGPicture.editedDepth : 8
    let (picture, alpha) = try frames(of: file, PNGPicture(file), bitDepth: depth)
    if let alpha { picture.laidOverWhite(alpha) }
    return DecodedPhoto(picture, try photo.metadata().orientation, profile: try photo.iccProfile())
  }

  static func check(_ photo: Photo) throws -> PictureCheck.Photo {
    let file = try PNGFile(photo)
    let picture = try frames(of: file, PNGPicture(file)).picture
    guard let thumbnail = try ifSound({ try photo.embeddedThumbnail() }) else {
      return PictureCheck.Photo(outcome: .decoded)
    }
    return PictureCheck.Photo(outcome: .decoded, thumbnail: .compared(thumbnail, with: picture))
  }

  static func render(_ render: PhotoRender) throws -> RenderResult {
    let png = try PNGRender(render)
    switch render.job.settings.renderedPhotoFormat {
    case .same: return try png.result()
    case .jpeg: return try png.converted()
    case .heic:
      throw MediaError(
        "the photo is a PNG, which cannot be saved as HEIC", remedy: "omit --photo-format heic",
        isUnsupported: true)
    }
  }

  private init(_ render: PhotoRender) throws {
    self.render = render
    file = try PNGFile(render.photo)
    try file.checkIsOnePicture()
    metadata = try render.photo.metadata()
    (transform, display) = render.placement.photo(metadata.orientation)
  }

  private static func frames(
    of file: PNGFile, _ picture: PNGPicture, bitDepth: Int = PNGPicture.editedDepth
  ) throws -> (picture: PlanarFrame, alpha: PlanarFrame?) {
    try picture.frames(
      palette: file.palette(), transparency: file.transparency(), bitDepth: bitDepth,
      file.codePoints() ?? (2, 2))
  }

  /// Returns the plan for the rotated picture, or nil if the picture is neither cropped nor straightened.
  private func plan() throws -> GeometryPlan? {
    try render.geometry.photoPlan(
      file.layout.size.turned(by: transform), sampling: file.layout.colors.isGrey ? .grey : .yuv444)
  }

  /// The picture after all changes.
  private struct Picture {
    var pixels: PNGPicture
    /// The frame of the picture, or nil if the pixels are unchanged.
    var frame: PlanarFrame?
    var plan: GeometryPlan?
  }

  private func edited() throws -> Picture {
    try render.stop.check()
    let turned = try PNGPicture(file).turned(by: transform)
    try render.stop.check()
    render.meter.photo(0.3)
    let plan = try plan()
    let isMoved = plan == nil || plan?.copiedFrom != nil
    let exposure = try render.exposure(displayedBy: transform.inverse.then(metadata.orientation))
    if isMoved, exposure == nil, render.stages.isEmpty {
      guard let plan, let first = plan.copiedFrom else { return Picture(pixels: turned, plan: plan) }
      return Picture(pixels: turned.part(from: first, plan.outputSize), plan: plan)
    }
    let frames = try Self.frames(of: file, turned)
    let size = plan?.outputSize ?? turned.layout.size
    var context = FrameContext(half: .photo, time: render.stillTime, renderScale: job.scale(of: size))
    context.source = try render.source
    let stages = [exposure, plan?.stage].compactMap { $0 } + render.stages
    let picture = try stages.apply(to: frames.picture, context)
    var alpha = try frames.alpha.map { try plan?.stage($0, FrameContext(half: .photo, time: 0)) ?? $0 }
    if let old = alpha, old.format.size != picture.format.size {
      alpha = old.reduced(toWidth: picture.format.width, height: picture.format.height)
    }
    let depth = file.layout.bitDepth == 16 ? 16 : 8
    return Picture(
      pixels: try PNGPicture(picture, alpha: alpha, bitDepth: depth), frame: picture, plan: plan)
  }

  private func result() throws -> RenderResult {
    let isMadeAnew = try plan() != nil || !render.stages.isEmpty || render.job.edit.motion.effect != .none
    guard transform != .identity || isMadeAnew else {
      // Check that the edited photo can be decoded.
      _ = try PNGPicture(file)
      let removals = try render.write { try file.write(identifier: job.identifier, to: $0) }
      return RenderResult(photo: .copied, removals: removals)
    }
    let edited = try edited()
    try render.stop.check()
    render.meter.photo(0.6)
    let data = render.isRehearsal ? [] : try edited.pixels.encoded()
    var edit = PNGEdit(
      layout: edited.pixels.layout, data: data, keepsPixels: edited.frame == nil, transform: transform,
      orientation: display)
    edit.projection = edited.plan?.projection
    edit.thumbnail = try exifThumbnail(of: edited)
    let removals = try render.write { try file.write(edit, identifier: job.identifier, to: $0) }
    var notes = edited.frame == nil ? [] : try render.profileNotes()
    if edited.frame != nil, file.layout.bitDepth == 16 {
      notes.append("The photo's 16-bit samples were edited with 10 bits and stored with 16 bits again.")
    }
    return RenderResult(photo: edited.frame == nil ? .lossless : .encoded, removals: removals, notes: notes)
  }

  private func exifThumbnail(of edited: Picture) throws -> [UInt8]? {
    try render.exifThumbnail { try edited.frame ?? Self.frames(of: file, edited.pixels).picture }
  }

  /// Converts the photo to JPEG. Transparent areas are composited over white.
  private func converted() throws -> RenderResult {
    let edited = try edited()
    let (picture, alpha) =
      try edited.frame == nil
      ? Self.frames(of: file, edited.pixels, bitDepth: 8)
      : edited.pixels.frames(
        palette: [], transparency: [], bitDepth: 8, file.codePoints() ?? (2, 2))
    if let alpha { picture.laidOverWhite(alpha) }
    try render.stop.check()
    render.meter.photo(0.6)
    let image = try JPEGCodec.encode(picture.forJPEG(), quality: job.settings.quality)
    let result = try file.jpeg(
      image, profile: render.photo.iccProfile() ?? ICCProfileWriter.profile(of: picture.format.color),
      transform: transform, orientation: display, projection: edited.plan?.projection,
      identifier: job.identifier,
      thumbnail: exifThumbnail(of: edited))
    let removals = try render.write {
      try $0.write(result.bytes)
      return result.removals
    }
    return RenderResult(photo: .encoded, removals: removals, notes: try render.profileNotes())
  }
}

extension PNGPicture {
  /// Decodes the picture of a file.
  init(_ file: PNGFile) throws {
    try Self.checkSize(file.layout)
    try self.init(layout: file.layout, data: file.codedPicture())
  }
}
