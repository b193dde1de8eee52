import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// Renders the photo: turned in the DCT domain where that is perfect; where it is not, encoded again or, when
/// no pixel may be decoded, turned by its Exif orientation.
///
/// - Parameters:
///   - opened: the photo.
///   - isUpright: whether the stages must see the picture as it is displayed.
func renderPhoto(
  _ opened: OpenedPhoto, _ half: RenderJob.Half, _ job: RenderJob, geometry: JobGeometry,
  placement: PixelPlacement,
  stages: [FrameStage], isUpright: Bool, stop: StopSignal, meter: ProgressMeter
) throws -> RenderResult {
  let photo = try opened.get()
  guard photo.source.count > 0 else {
    throw MediaError("it is empty", remedy: "copy it again from the phone")
  }
  try photo.checkSize()
  switch (photo.kind, job.settings.renderedPhotoFormat) {
  case (.jpeg, .same), (.jpeg, .jpeg): break
  case (.jpeg, .heic):
    throw MediaError(
      "it is a JPEG, which is not made a HEIC photo", remedy: "leave out --photo-format heic",
      isUnsupported: true)
  case (.heif, .jpeg):
    return try convertHEIC(
      photo, half, job, geometry: geometry, placement: placement, stages: stages, stop: stop, meter: meter)
  case (.heif, _):
    if stages.isEmpty, job.edit.geometry.isNeutral {
      return try turnHEIC(photo, half, job, stop: stop, meter: meter)
    }
    return try editHEIC(
      photo, half, job, geometry: geometry, stages: stages, isUpright: isUpright, stop: stop, meter: meter)
  case (.other, _): throw MediaError("it is not a JPEG photo", remedy: "name a photo or a movie")
  }
  let surgery = try JPEGSurgery(photo)
  guard !surgery.isMotionPhoto else {
    throw MediaError(
      "it is a Motion Photo, whose movie is inside the photo and would not be turned",
      remedy: "make a Live Photo of it with liveedit create --from", isUnsupported: true)
  }
  try stop.check()

  let (transform, display) = placement.photo(surgery.metadata.orientation)
  var image: [UInt8]?
  var gainMap = surgery.gainMap
  var thumbnail = surgery.embeddedThumbnail
  var method = RenderResult.Method.copied
  var notes: [String] = []
  let picture = surgery.original.untilEOI
  let stored = surgery.original.header.frame
  let size = RenderJob.Size(turning: (stored.width, stored.height), by: transform)
  let plan = try geometry.photoPlan(
    size, sampling: transform.swapsAxes ? stored.sampling.transposed : stored.sampling)
  let stages = (plan.map { [$0.stage] } ?? []) + stages
  if !stages.isEmpty {
    let scale = job.scale(of: plan?.outputSize ?? size)
    let edited = try editPhoto(picture, job, scale, stages, transform, thumbnail)
    (image, thumbnail, method) = (edited.image, edited.thumbnail, .encoded)
    notes += try profileNotes(photo, job)
  } else if transform != .identity {
    do {
      if job.settings.isLossless {
        image = try JPEGCodec.losslessTurn(picture, by: transform)
        method = image == nil ? .copied : .lossless
        if image == nil {
          notes.append(
            "The photo's size does not allow a lossless turn of its blocks: its Exif orientation turns it.")
        }
      } else {
        let turned = try JPEGCodec.turn(picture, by: transform, quality: job.settings.quality)
        image = turned.jpeg
        method = turned.isLossless ? .lossless : .encoded
      }
    } catch var error as MediaError where error.isUnsupported {
      guard job.settings.isLossless else {
        error.remedy = error.remedy ?? "turn it with --lossless, or save it as an ordinary JPEG first"
        throw error
      }
      notes.append("The photo's blocks cannot be turned (\(error.problem)): its Exif orientation turns it.")
    }
    if image != nil {
      // A thumbnail that cannot be decoded is removed, and named, by the surgery.
      thumbnail = thumbnail.flatMap { try? JPEGCodec.turn($0, by: transform).jpeg }
    }
  }
  if image != nil, let map = gainMap { gainMap = try? editedGainMap(map, by: transform, geometry, job) }
  try stop.check()
  meter.photo(0.8)

  let rewritten = try surgery.rewritten(
    image: image, transform: image == nil ? .identity : transform, projection: plan?.projection,
    // Where the picture could not be turned a flag turns it.
    orientation: image == nil ? transform.then(display) : display, identifier: job.identifier,
    thumbnail: thumbnail,
    gainMap: image == nil ? nil : gainMap)
  try write(half, stop, meter) { try $0.write(rewritten.bytes) }
  return RenderResult(photo: method, removals: rewritten.removals, notes: notes)
}

/// Writes the rendered photo, and makes sure that it can be shown.
private func write<Result>(
  _ half: RenderJob.Half, _ stop: StopSignal, _ meter: ProgressMeter, _ body: (OutputFile) throws -> Result
) throws -> Result {
  let sink = try OutputFile(half.output, stop)
  let result = try body(sink)
  try sink.close()
  try checkRendered(photo: half.output)
  meter.photo(1)
  return result
}

/// Sends the photo through all stages; the new thumbnail is made from the result.
private func editPhoto(
  _ picture: [UInt8], _ job: RenderJob, _ scale: Double, _ stages: [FrameStage],
  _ transform: Orientation, _ thumbnail: [UInt8]?
) throws -> (image: [UInt8], thumbnail: [UInt8]?) {
  let context = FrameContext(kind: .still, time: try stillTime(job), renderScale: scale)
  var smaller: PlanarFrame?
  // A thumbnail that cannot be decoded is removed, and named, by the surgery.
  let old = thumbnail.flatMap { try? JPEGCodec.decode($0) }
  let image = try JPEGCodec.edit(picture, by: transform, quality: job.settings.quality) { frame in
    let edited = try stages.apply(to: frame, context)
    if let old {
      smaller = edited.reduced(toFit: max(old.format.width, old.format.height))
    }
    return edited
  }
  return (image, try smaller.map { try JPEGCodec.encode($0, quality: 80) })
}

/// A gain map turned and cropped like its picture. Light and colours do not change it: see
/// Documentation/GainMaps.md.
private func editedGainMap(
  _ map: [UInt8], by transform: Orientation, _ geometry: JobGeometry, _ job: RenderJob
) throws -> [UInt8] {
  let file = try JPEGFile(map)
  let picture = file.untilEOI
  let stored = file.header.frame
  let plan = try geometry.photoPlan(
    RenderJob.Size(turning: (stored.width, stored.height), by: transform),
    sampling: transform.swapsAxes ? stored.sampling.transposed : stored.sampling)
  let image: [UInt8]
  if let plan {
    image = try JPEGCodec.edit(picture, by: transform, quality: job.settings.quality) { frame in
      try plan.stage(frame, FrameContext(kind: .still, time: 0))
    }
  } else if transform == .identity {
    return map
  } else {
    image = try JPEGCodec.turn(picture, by: transform, quality: job.settings.quality).jpeg
  }
  return try JPEGSurgery.rewrittenGainMap(map, image: image, transform: transform)
}

/// The moment of the movie that the photo was taken at; 0 where that is not known.
private func stillTime(_ job: RenderJob) throws -> Double {
  guard let movie = job.movie, let source = try? FileByteSource(path: movie.source) else { return 0 }
  return (try? Movie(source))?.stillImageTime ?? 0
}

/// Turns a HEIC photo by its properties, which every reader of HEIC applies.
private func turnHEIC(
  _ photo: Photo, _ half: RenderJob.Half, _ job: RenderJob, stop: StopSignal, meter: ProgressMeter
) throws -> RenderResult {
  let surgery = try HEIFSurgery(photo)
  let removals = try write(half, stop, meter) {
    try surgery.write(turn: job.edit.orientation, identifier: job.identifier, to: $0)
  }
  return RenderResult(photo: .copied, removals: removals)
}

/// Edits the pixels of a HEIC photo.
private func editHEIC(
  _ photo: Photo, _ half: RenderJob.Half, _ job: RenderJob, geometry: JobGeometry,
  stages: [FrameStage], isUpright: Bool, stop: StopSignal, meter: ProgressMeter
) throws -> RenderResult {
  let render = try HEICRender(photo, job, geometry, isUpright: isUpright, stop: stop)
  let edited = try render.edited(by: stages, time: try stillTime(job))
  try stop.check()
  meter.photo(0.3)
  let removals = try write(half, stop, meter) { try render.write(edited, to: $0) }
  return RenderResult(photo: .encoded, removals: removals, notes: try profileNotes(photo, job))
}

/// Makes a JPEG of a HEIC photo.
private func convertHEIC(
  _ photo: Photo, _ half: RenderJob.Half, _ job: RenderJob, geometry: JobGeometry,
  placement: PixelPlacement, stages: [FrameStage], stop: StopSignal, meter: ProgressMeter
) throws -> RenderResult {
  let render = try HEICRender(photo, job, geometry, isUpright: !placement.isKept, stop: stop)
  let edited = try render.edited(by: stages, time: try stillTime(job))
  try stop.check()
  meter.photo(0.5)
  let result = try render.jpeg(edited)
  try write(half, stop, meter) { try $0.write(result.bytes) }
  return RenderResult(photo: .encoded, removals: result.removals, notes: try profileNotes(photo, job))
}

/// The note on a photo whose profile cannot be used by an edit that needs it.
private func profileNotes(_ photo: Photo, _ job: RenderJob) throws -> [String] {
  guard !job.edit.keepsColors, let profile = try photo.iccProfile(), !ColorTable.canUse(profile: profile)
  else { return [] }
  return ["The photo's colour profile cannot be used: its colours were taken for sRGB."]
}
