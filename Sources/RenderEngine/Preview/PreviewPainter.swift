import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// Paints pictures of an asset with an edit, as large as a screen has them: what renders do, after the picture was made
/// smaller. What follows from some parts of an edit alone is kept until those change.
final class PreviewPainter {
  private let job: PreviewJob
  private let photo: OpenedPhoto?
  /// The photo as it is displayed, of full size.
  private lazy var decoded = Result { () throws -> (frame: PlanarFrame, profile: [UInt8]?) in
    guard let photo = try photo?.get() else { throw MediaError("it has no photo") }
    try photo.source.checkPhotoSize()
    let decoded = try DecodedPhoto(photo)
    return (try decoded.upright, try photo.iccProfile())
  }

  /// The photo's colours, as its headers tell them.
  private lazy var stored = Result { try photo.map { try StoredPicture($0.get()) } }

  /// Everything that decides about the places of a picture.
  private struct Place: Equatable {
    let orientation: Orientation
    let geometry: Geometry
    let side: Int
    let time: Double?

    init(_ picture: PreviewPicture) {
      (orientation, geometry) = (picture.edit.orientation, picture.edit.geometry)
      (side, time) = (picture.isExact ? .max : picture.side, picture.time)
    }
  }

  /// A picture, or a frame and those before it, turned, cropped and as large as they are wanted.
  private struct Placed {
    let place: Place
    let frames: [PlanarFrame]
    /// The noise of the last one, once it was asked for.
    var noise: PictureNoise?
    /// The last one without it, and the value that it was taken out with.
    var clean: (value: Double, frame: PlanarFrame)?
  }
  private var placed: Placed?
  /// The table of the colours of an edit; nil where they stay as they are.
  private var table: (edit: Edit, format: FrameFormat, table: ColorTable?)?

  /// On the IJG scale: coding is to take nothing away that can be seen while something moves.
  private static let quality = 99
  /// Frames of a movie before the one that is wanted: as many as tell noise and light from it.
  private static let framesBefore = 5

  /// - Parameters:
  ///   - job: the files.
  ///   - photo: the photo, opened; nil without one.
  init(_ job: PreviewJob, _ photo: OpenedPhoto?) {
    (self.job, self.photo) = (job, photo)
  }

  /// Paints a picture.
  ///
  /// - Returns: a JPEG, or a PNG of colours that were made smaller exactly: of the photo in its own colours, of a frame in sRGB.
  func file(_ picture: PreviewPicture) throws -> [UInt8] {
    let isFrame = picture.time != nil
    var painted = try colored(isFrame ? frame(picture) : still(picture), picture.edit, isFrame: isFrame)
    if let passes = DetailPasses(picture.edit) {
      // Grain lies as it lies in renders: on the picture as it is stored there.
      let display = picture.edit[.grain] > 0 ? try display(of: picture.edit, isFrame: isFrame) : .identity
      if display != .identity { painted = painted.turned(by: display.inverse) }
      passes.apply(to: painted)
      if display != .identity { painted = painted.turned(by: display) }
    }
    if picture.isExact {
      let longer = max(painted.format.width, painted.format.height)
      if painted.format.sampling != .grey {
        // A render is decoded in full size before it is made smaller.
        painted = try painted.resampled(by: 1)
        painted.clipColors()
      }
      painted = try painted.fitted(by: Double(picture.side) / Double(longer))
    }
    var profile: [UInt8]?
    if isFrame {
      let format = painted.format
      let table = try ColorTable(from: format.color, to: .sRGBJPEG, bitDepth: format.bitDepth)
      painted = try table.apply(to: painted).described(as: .sRGBJPEG)
    } else {
      profile =
        try newProfile(picture.edit) ?? decoded.get().profile
        ?? ICCProfileWriter.profile(of: painted.format.color)
    }
    // What a JPEG takes away is as much again as all else in which the picture differs from a render. A profile of grey is of
    // no use to red, green and blue.
    if picture.isExact, painted.format.sampling != .grey, let pixels = PackedPixels(painted) {
      return try ForeignPhoto.png(StillEncoder.png(pixels), exif: nil, profile: profile)
    }
    return try ForeignPhoto.jpeg(
      JPEGCodec.encode(painted.forJPEG(), quality: Self.quality), exif: nil, profile: profile)
  }

  /// How a render of an edit is displayed.
  private func display(of edit: Edit, isFrame: Bool) throws -> Orientation {
    let job = RenderJob(photo: nil, movie: nil, edit: edit, settings: .standard, identifier: nil)
    let placement = PixelPlacement(job, isUpright: false)
    if isFrame {
      guard let path = self.job.movie else { return .identity }
      return placement.movie(try MovieSummary(FileByteSource(path: path)).orientation).display
    }
    guard let photo = try photo?.get() else { return .identity }
    let own = try photo.metadata().orientation
    // Readers of HEIC turn what is stored, whatever is done to it.
    return photo.kind == .heif ? own.then(edit.orientation) : placement.photo(own).display
  }

  /// The ICC profile that the photo gets with an edit; nil where it keeps its own colours.
  private func newProfile(_ edit: Edit) throws -> [UInt8]? {
    guard edit.look?.isWide ?? false else { return nil }
    return try stored.get()?.profile(after: edit)
  }

  private func colored(_ frame: PlanarFrame, _ edit: Edit, isFrame: Bool) throws -> PlanarFrame {
    guard !edit.keepsColors else { return frame }
    let alone = edit.colorsAlone
    let made: ColorTable?
    if let known = table, known.edit == alone, known.format == frame.format {
      made = known.table
    } else {
      made = try ColorTable(
        edit, color: frame.format.color, bitDepth: frame.format.bitDepth,
        profile: isFrame ? nil : decoded.get().profile, newProfile: isFrame ? nil : newProfile(edit),
        pieces: HostSystem.processors,
        by: WorkerThread.runSideBySide)
      table = (alone, frame.format, made)
    }
    return try made?.apply(to: frame) ?? frame
  }
}

// MARK: - The photo

extension PreviewPainter {
  /// The photo without noise and in its new light.
  private func still(_ picture: PreviewPicture) throws -> PlanarFrame {
    let (edit, place) = (picture.edit, Place(picture))
    var known: Placed
    if let placed, placed.place == place {
      known = placed
    } else {
      known = Placed(place: place, frames: [try reduced(edit, side: place.side)])
    }
    defer { placed = known }
    var frame = known.frames[0]
    let value = edit[.noiseReduction]
    let reduction = NoiseReduction(
      edit, pieces: HostSystem.processors, sideBySide: WorkerThread.runSideBySide)
    if let clean = known.clean, clean.value == value {
      frame = clean.frame.turned(by: .identity)
    } else if let reduction {
      let noise = known.noise ?? PictureNoise(frame)
      known.noise = noise
      frame = frame.turned(by: .identity)
      reduction.clean(frame, noise)
      known.clean = (value, frame.turned(by: .identity))
    } else {
      frame = frame.turned(by: .identity)
    }
    var none: LocalLight.History?
    LocalLight(edit)?.apply(to: frame, profile: try decoded.get().profile, after: &none)
    return frame
  }

  /// The photo turned, cropped and made smaller. The smaller one is cropped, which is no different and quicker.
  private func reduced(_ edit: Edit, side: Int) throws -> PlanarFrame {
    var frame = try decoded.get().frame.turned(by: edit.orientation)
    let job = RenderJob(photo: nil, movie: nil, edit: edit, settings: .standard, identifier: nil)
    let geometry = try JobGeometry(job, photo)
    let whole = try geometry.photoPlan(frame.format.size, sampling: frame.format.sampling)
    let size = whole?.outputSize ?? frame.format.size
    frame = try frame.fitted(by: Double(side) / Double(max(size.width, size.height)))
    guard let plan = try geometry.photoPlan(frame.format.size, sampling: frame.format.sampling) else {
      return frame
    }
    return try plan.stage(frame, FrameContext(kind: .still, time: 0))
  }
}

extension PlanarFrame {
  /// The picture by a factor smaller, with chroma for each pixel and two bits more, so that it is rounded once; this one
  /// from 1 on.
  fileprivate func fitted(by factor: Double) throws -> PlanarFrame {
    factor < 1 ? try resampled(by: factor) : self
  }

  /// The picture by a factor of 1 or less smaller, with chroma for each pixel and two bits more.
  fileprivate func resampled(by factor: Double) throws -> PlanarFrame {
    func shorter(_ count: Int) -> Int { max(1, Int((Double(count) * factor).rounded())) }
    let size = PixelSize(width: shorter(format.width), height: shorter(format.height))
    guard let scaled = scaled(to: size, sampling: .yuv444, bitDepth: max(10, format.bitDepth)) else {
      throw MediaError("it cannot be made \(size.width)x\(size.height)")
    }
    return scaled
  }
}

// MARK: - A frame of the movie

extension PreviewPainter {
  /// The frame of a time without noise and in its new light, as both follow from the frames before.
  private func frame(_ picture: PreviewPicture) throws -> PlanarFrame {
    let (edit, place) = (picture.edit, Place(picture))
    let frames: [PlanarFrame]
    if let placed, placed.place == place {
      frames = placed.frames
    } else {
      frames = try movieFrames(edit, side: place.side, time: picture.time ?? 0)
      placed = Placed(place: place, frames: frames)
    }
    let reduction = NoiseReduction(edit, sideBySide: WorkerThread.runSideBySide)
    let light = LocalLight(edit)
    var history: LocalLight.History? = LocalLight.History()
    var last: PlanarFrame?
    // Where nothing looks back the last one is enough.
    for frame in reduction == nil && light == nil ? frames.suffix(1) : frames[...] {
      let frame = frame.turned(by: .identity)
      reduction?.apply(to: frame, FrameContext(kind: .video, time: 0))
      light?.apply(to: frame, after: &history)
      last = frame
    }
    guard let last else { throw MediaError("it has no frames") }
    return last
  }

  /// The frame of a time behind some of those before it, turned, cropped and made smaller.
  private func movieFrames(_ edit: Edit, side: Int, time: Double) throws -> [PlanarFrame] {
    guard let path = job.movie else { throw MediaError("it has no movie") }
    let summary = try MovieSummary(FileByteSource(path: path))
    var found: [PlanarFrame] = []
    try StillPictures.frames(of: path, isCancelled: { false }) { frame, seconds in
      // A hair's breadth for times that were rounded.
      if !found.isEmpty, seconds > time + 0.0005 { return false }
      found.append(frame)
      if found.count > Self.framesBefore + 1 { found.removeFirst() }
      return true
    }
    let transform = summary.orientation.then(edit.orientation)
    let job = RenderJob(photo: nil, movie: nil, edit: edit, settings: .standard, identifier: nil)
    let plan = try JobGeometry(job, photo).moviePlan(summary, turnedBy: transform)
    return try found.map { frame in
      var frame = frame.turned(by: transform)
      if let plan { frame = try plan.stage(frame, FrameContext(kind: .video, time: time)) }
      let longer = max(frame.format.width, frame.format.height)
      return try frame.fitted(by: Double(side) / Double(longer))
    }
  }
}
