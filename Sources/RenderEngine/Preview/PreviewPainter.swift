import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// Renders edited pictures of an asset at screen size, by applying the steps of a full render to a reduced picture.
/// Results that depend only on a part of the edit are cached until this part changes.
final class PreviewPainter {
  private let job: PreviewJob
  private let photo: OpenedPhoto?
  /// The photo as displayed, at full size.
  private lazy var decoded = Result { () throws -> (frame: PlanarFrame, profile: [UInt8]?) in
    guard let photo = try photo?.get() else { throw MediaError("the photo is missing") }
    try photo.source.checkPhotoSize()
    let decoded = try DecodedPhoto(photo)
    return (try decoded.upright, try photo.iccProfile())
  }

  /// The photo's colours, as its headers state them.
  private lazy var stored = Result { try photo.map { try StoredPicture($0.get()) } }

  /// Everything that determines the positions of pixels in a picture.
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

  /// A photo, or a frame and the frames before it, after rotating, cropping and scaling.
  private struct Placed {
    let place: Place
    let frames: [PlanarFrame]
    /// The noise of the last picture, once it has been measured.
    var noise: PictureNoise?
    /// The last picture after noise reduction, and the amount of noise reduction that was used.
    var clean: (value: Double, frame: PlanarFrame)?
  }
  private var placed: Placed?
  /// The colour table of an edit. The table is nil if the colours do not change.
  private var table: (edit: Edit, format: FrameFormat, table: ColorTable?)?

  /// The JPEG quality on the IJG scale, high enough that compression removes nothing visible while the user drags a
  /// control.
  private static let quality = 99
  /// The number of frames before the requested movie frame that are used to estimate the frame's noise and light.
  private static let framesBefore = 5

  /// - Parameters:
  ///   - job: The files.
  ///   - photo: The opened photo, or nil if the job has no photo.
  init(_ job: PreviewJob, _ photo: OpenedPhoto?) {
    (self.job, self.photo) = (job, photo)
  }

  /// Renders a picture.
  ///
  /// - Returns: A JPEG or, if exact colours were requested, a PNG. A photo keeps its own colour space; a frame is
  ///   converted to sRGB.
  func file(_ picture: PreviewPicture) throws -> [UInt8] {
    let isFrame = picture.time != nil
    var painted = try edited(picture)
    if picture.isExact {
      let longer = max(painted.format.width, painted.format.height)
      if painted.format.sampling != .grey {
        // Like a render, decode the picture at full size before reducing it.
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
    // The error of JPEG compression would be as large as all other differences between the picture and a render. A grey
    // profile cannot be used for an RGB picture.
    if picture.isExact, painted.format.sampling != .grey, let pixels = PackedPixels(painted) {
      return try ForeignPhoto.png(StillEncoder.png(pixels), exif: nil, profile: profile)
    }
    return try ForeignPhoto.jpeg(
      JPEGCodec.encode(painted.forJPEG(), quality: Self.quality), exif: nil, profile: profile)
  }

  /// Returns the picture after all stages of its edit.
  private func edited(_ picture: PreviewPicture) throws -> PlanarFrame {
    let (edit, isFrame) = (picture.edit, picture.time != nil)
    // The frames before the requested frame matter only to stages that use earlier frames.
    let looksBack = edit[.noiseReduction] != 0 || LocalLight(edit) != nil
    var frames = try placedFrames(picture).suffix(looksBack ? .max : 1).map { $0.turned(by: .identity) }
    guard var painted = frames.last else { throw MediaError("the movie has no frames") }
    for stage in EditStage.allCases {
      switch stage {
      case .noise: try removeNoise(&frames, picture)
      case .light:
        var history = isFrame ? LocalLight.History() : nil
        let profile = isFrame ? nil : try decoded.get().profile
        if let light = LocalLight(edit) {
          for frame in frames { light.apply(to: frame, profile: profile, after: &history) }
        }
        painted = frames[frames.count - 1]
      case .color: painted = try colored(painted, edit, isFrame: isFrame)
      // Previews omit local gains; see `PreviewSession.missing`.
      case .localGains: break
      case .detail: painted = try detailed(painted, edit, isFrame: isFrame)
      }
    }
    return painted
  }

  private func detailed(_ frame: PlanarFrame, _ edit: Edit, isFrame: Bool) throws -> PlanarFrame {
    guard let passes = DetailPasses(edit) else { return frame }
    // Grain has the same position as in a render, where grain is applied to the stored picture.
    let display = edit[.grain] > 0 ? try display(of: edit, isFrame: isFrame) : .identity
    let stored = display == .identity ? frame : frame.turned(by: display.inverse)
    passes.apply(to: stored)
    return display == .identity ? stored : stored.turned(by: display)
  }

  /// Returns the orientation in which the render of an edit is displayed.
  private func display(of edit: Edit, isFrame: Bool) throws -> Orientation {
    let job = RenderJob(photo: nil, movie: nil, edit: edit, settings: .standard, identifier: nil)
    let placement = PixelPlacement(job, isUpright: false)
    if isFrame {
      guard let path = self.job.movie else { return .identity }
      return placement.movie(try MovieSummary(FileByteSource(path: path)).orientation).display
    }
    guard let photo = try photo?.get() else { return .identity }
    let own = try photo.metadata().orientation
    // HEIC readers always rotate the stored picture as its properties specify.
    return photo.kind == .heif ? own.then(edit.orientation) : placement.photo(own).display
  }

  /// Returns the photo's new ICC profile after an edit, or nil if the photo keeps its own colours.
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

// MARK: - Before the stages

extension PreviewPainter {
  /// Returns the photo, or a frame and the frames before it, after rotating, cropping and scaling.
  private func placedFrames(_ picture: PreviewPicture) throws -> [PlanarFrame] {
    let place = Place(picture)
    if let placed, placed.place == place { return placed.frames }
    let frames =
      if let time = picture.time { try movieFrames(picture.edit, side: place.side, time: time) } else {
        [try reduced(picture.edit, side: place.side)]
      }
    placed = Placed(place: place, frames: frames)
    return frames
  }

  /// Removes noise from copies of the placed frames. The photo without noise and the measured noise are cached for the
  /// next picture.
  private func removeNoise(_ frames: inout [PlanarFrame], _ picture: PreviewPicture) throws {
    let (value, isFrame) = (picture.edit[.noiseReduction], picture.time != nil)
    let pieces = isFrame ? 1 : HostSystem.processors
    guard
      let reduction = NoiseReduction(picture.edit, pieces: pieces, sideBySide: WorkerThread.runSideBySide)
    else { return }
    guard !isFrame else {
      for frame in frames { reduction.apply(to: frame, FrameContext(half: .movie, time: 0)) }
      return
    }
    if let clean = placed?.clean, clean.value == value {
      frames = [clean.frame.turned(by: .identity)]
    } else {
      let noise = placed?.noise ?? PictureNoise(frames[0])
      placed?.noise = noise
      reduction.clean(frames[0], noise)
      placed?.clean = (value, frames[0].turned(by: .identity))
    }
  }

  /// Returns the photo after rotating, cropping and reducing it. The photo is reduced before it is cropped, which gives
  /// the same result in less time.
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
    return try plan.stage(frame, FrameContext(half: .photo, time: 0))
  }
}

extension PlanarFrame {
  /// Reduces the picture by a factor below 1. The result has full-resolution chroma (4:4:4) and two more bits per
  /// sample, so that rounding happens only once. If the factor is 1 or greater, the picture itself is returned.
  fileprivate func fitted(by factor: Double) throws -> PlanarFrame {
    factor < 1 ? try resampled(by: factor) : self
  }

  /// Scales the picture by a factor of at most 1. The result has full-resolution chroma (4:4:4) and two more bits per
  /// sample.
  fileprivate func resampled(by factor: Double) throws -> PlanarFrame {
    func shorter(_ count: Int) -> Int { max(1, Int((Double(count) * factor).rounded())) }
    let size = PixelSize(width: shorter(format.width), height: shorter(format.height))
    guard let scaled = scaled(to: size, sampling: .yuv444, bitDepth: max(10, format.bitDepth)) else {
      throw MediaError("the picture cannot be scaled to \(size.width)x\(size.height)")
    }
    return scaled
  }
}

// MARK: - A frame of the movie

extension PreviewPainter {
  /// Returns the frame at a given time and some of the frames before this frame, all rotated, cropped and reduced.
  private func movieFrames(_ edit: Edit, side: Int, time: Double) throws -> [PlanarFrame] {
    guard let path = job.movie else { throw MediaError("the movie is missing") }
    let summary = try MovieSummary(FileByteSource(path: path))
    var found: [PlanarFrame] = []
    try StillPictures.frames(of: path, isCancelled: { false }) { frame, seconds in
      // A small tolerance allows for rounded times.
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
      if let plan { frame = try plan.stage(frame, FrameContext(half: .movie, time: time)) }
      let longer = max(frame.format.width, frame.format.height)
      return try frame.fitted(by: Double(side) / Double(longer))
    }
  }
}
