import Basics
import Codecs
package import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// The files of a ``PreviewJob``, with cached information about these files. A session replies to requests for
/// everything that a shader needs to show an edit.
///
/// Only one thread may use a session at a time.
package final class PreviewSession {
  /// The files that the client named.
  private let asked: PreviewJob
  /// The parts of a Motion Photo, which are used in place of its file.
  private let parts: MotionPhotoFiles?
  /// The files that the session reads.
  private let job: PreviewJob
  private lazy var photo = job.photo.map { OpenedPhoto(path: $0) }
  private lazy var photoSource = Result { try photo.map { try StoredPicture($0.get()) } }
  private lazy var movieColor = Result { try job.movie.map { try PlayableVideo.color(ofMovie: $0) } }
  private lazy var movie = Result { try job.movie.map { try MovieSummary(FileByteSource(path: $0)) } }
  private lazy var painter = PreviewPainter(job, photo)
  /// The small picture of the photo, with its path.
  private var picture: (path: String, frame: PlanarFrame)?

  /// - Parameter job: The files. Each is opened when it is first needed.
  package init(_ job: PreviewJob) {
    asked = job
    // Problems with the photo are reported when it is opened.
    parts = job.movie == nil ? job.photo.flatMap { try? MotionPhotoFiles(path: $0) } : nil
    self.job = parts.map { PreviewJob(photo: $0.photo.path, movie: $0.movie.path) } ?? job
  }

  /// Returns the reply to a request.
  ///
  /// - Parameter question: The request.
  /// - Returns: The bytes of a ``PreviewAnswer``, or a JPEG.
  /// - Throws: ``EditError`` if the files cannot be read, or if the edit cannot be applied.
  package func answer(_ question: PreviewQuestion) throws(EditError) -> [UInt8] {
    switch question {
    case .parts(let request): return try answer(request)
    case .picture(let picture):
      do { return try painter.file(picture) } catch {
        throw self.error(error, picture.time == nil ? asked.photo : asked.movie)
      }
    }
  }

  /// Returns the reply to a request for everything that a shader needs.
  ///
  /// - Parameter request: The edit, and the half to show.
  /// - Returns: The bytes of a ``PreviewAnswer``.
  /// - Throws: ``EditError`` if the files cannot be read, or if the edit cannot be applied.
  package func answer(_ request: PreviewRequest) throws(EditError) -> [UInt8] {
    let file = request.half == .photo ? job.photo : job.movie
    do {
      guard let file else {
        throw EditError(
          .notFound, file: asked.photo ?? asked.movie,
          request.half == .photo ? "has no photo" : "has no movie",
          remedy: "request the other half")
      }
      return try withExtendedLifetime(file) { try parts(request).bytes }
    } catch {
      throw self.error(error, request.half == .photo ? asked.photo : asked.movie)
    }
  }

  /// Creates an error about a half of the Live Photo. The error names the file from the request.
  private func error(_ error: any Error, _ file: String?) -> EditError {
    var error = EditError(reading: file ?? asked.photo ?? "", error)
    if parts != nil { error.file = asked.photo }
    return error
  }

  private func parts(_ request: PreviewRequest) throws -> PreviewAnswer {
    let edit = request.edit
    let place = try place(of: edit, on: request.half)
    var answer = PreviewAnswer(
      half: request.half, size: place.size, place: place.projection, vignette: PreviewVignette(edit))
    let colors: PreviewColors
    switch request.half {
    case .photo:
      guard let source = try photoSource.get() else { throw MediaError("the photo is missing") }
      colors = PreviewColors(
        photo: source.color, profile: source.profile, isGrey: source.sampling == .grey)
      answer.light = PreviewLight(edit, color: source.color, profile: source.profile)
      answer.areas = try areas(request) { try self.areas(of: $0, source, for: edit) }
    case .movie:
      guard let color = try movieColor.get() else { throw MediaError("the movie is missing") }
      colors = PreviewColors(movie: color)
      // The light areas of an HDR movie differ from those of the small movie, whose highlights were compressed below
      // white.
      if ![16, 18].contains(color.transfer) {
        answer.light = PreviewLight(edit, color: color)
        answer.areas = try areas(request) { request.isRough ? nil : try movieAreas(in: $0, for: edit) }
      }
    }
    let nodes = request.isRough ? PreviewTable.rough : PreviewTable.fine
    let name = "table-" + Self.name(colors, request.colors, nodes, edit.colorsAlone)
    let isKnown = request.known.contains(name)
    answer.table = PreviewAnswer.Part(
      name: name,
      value: isKnown
        ? nil
        : PreviewTable(
          edit, of: colors, on: request.colors, nodes: nodes, pieces: HostSystem.processors,
          by: WorkerThread.runSideBySide)
    )
    answer.missing = missing(edit, answer, request.half)
    return answer
  }

  /// Returns the light areas of the picture or movie that the page displays, or nil if they are not needed or not
  /// available. They are not needed if the edit does not change light. They are not available if they are neither known
  /// nor computed.
  private func areas(
    _ request: PreviewRequest, make: (String) throws -> [PreviewAnswer.Areas]?
  ) throws -> PreviewAnswer.Part<[PreviewAnswer.Areas]>? {
    let edit = request.edit
    guard !edit.keepsAreas, let path = request.picture else { return nil }
    let name = "areas-" + Self.name(path, edit.orientation, edit.geometry, PreviewLight.kind(edit))
    if request.known.contains(name) { return PreviewAnswer.Part(name: name, value: nil) }
    return try make(path).map { PreviewAnswer.Part(name: name, value: $0) }
  }

  /// Returns the names of effects that the reply omits, because only a render shows these effects.
  private func missing(
    _ edit: Edit, _ answer: PreviewAnswer, _ half: HalfKind
  ) -> [String] {
    var missing = [Parameter.noiseReduction, .sharpness, .grain].filter { edit[$0] > 0 }.map(\.rawValue)
    if answer.areas == nil, !edit.keepsAreas { missing.append("light") }
    if edit.local != nil { missing.append("local") }
    if half == .photo {
      if edit.motion.keyPhoto != nil { missing.append("keyPhoto") }
      if edit.motion.effect == .longExposure { missing.append("effect") }
    } else if edit.motion.effect.changesMovie {
      missing.append("effect")
    }
    return missing
  }

  /// Returns a name for a result that depends on the given values. The name is valid as long as the process runs.
  private static func name(_ values: any Hashable...) -> String {
    var hasher = Hasher()
    for value in values { hasher.combine(value) }
    return String(UInt(bitPattern: hasher.finalize()), radix: 36)
  }
}

// MARK: - Places

extension PreviewSession {
  /// Returns the size of the rendered picture, and the mapping from positions in this picture to positions in the
  /// upright picture before the edit.
  private func place(
    of edit: Edit, on half: HalfKind
  ) throws -> (size: PixelSize, projection: PictureProjection) {
    let job = RenderJob(photo: nil, movie: nil, edit: edit, settings: .standard, identifier: nil)
    let geometry = try JobGeometry(job, photo)
    let back = PictureProjection(edit.orientation.inverse)
    switch half {
    case .photo:
      guard let source = try photoSource.get() else { throw MediaError("the photo is missing") }
      let size = source.size.turned(by: edit.orientation)
      let sampling = edit.orientation.swapsAxes ? source.sampling.transposed : source.sampling
      guard let plan = try geometry.photoPlan(size, sampling: sampling) else { return (size, back) }
      return (plan.outputSize, plan.sources.then(back))
    case .movie:
      guard let summary = try movie.get() else { throw MediaError("the movie is missing") }
      let transform = summary.orientation.then(edit.orientation)
      let size = PixelSize(turning: (summary.storedWidth, summary.storedHeight), by: transform)
      guard let plan = try geometry.moviePlan(summary, turnedBy: transform) else { return (size, back) }
      // The small movie shows the whole frame, but the plan uses coordinates relative to the scene within the frame.
      let whole = SIMD2(Double(size.width), Double(size.height))
      let scene = plan.picture.scene
      let within = PictureProjection(
        scale: SIMD2(scene.z, scene.w) / whole, shift: SIMD2(scene.x, scene.y) / whole)
      return (plan.outputSize, plan.sources.then(within).then(back))
    }
  }

  /// Returns the light areas of the small picture after the edit's rotation and crop.
  private func areas(
    of path: String, _ source: StoredPicture, for edit: Edit
  ) throws -> [PreviewAnswer.Areas]? {
    var frame = try small(path, source).turned(by: edit.orientation)
    let job = RenderJob(photo: nil, movie: nil, edit: edit, settings: .standard, identifier: nil)
    if let plan = try JobGeometry(job, photo).photoPlan(frame.format.size, sampling: frame.format.sampling) {
      frame = try plan.stage(frame, FrameContext(half: .photo, time: 0))
    }
    var none: LocalLight.History?
    return PreviewLight.areas(of: frame, profile: source.profile, for: edit, after: &none).map { [(0, $0)] }
  }

  /// The maximum number of movie frames whose areas are computed, and the maximum interval between them in seconds.
  private static let (mostFrames, longestStep) = (48, 0.15)

  /// Returns the light areas of frames from the small movie after the edit's rotation and crop. Returns nil if the
  /// movie is so long that the frames would be too far apart.
  private func movieAreas(in path: String, for edit: Edit) throws -> [PreviewAnswer.Areas]? {
    guard let summary = try movie.get() else { return nil }
    do {
      let small = try MovieSummary(FileByteSource(path: path))
      let step = max(1, (small.frameCount + Self.mostFrames - 1) / Self.mostFrames)
      guard small.duration * Double(step) <= Self.longestStep * Double(small.frameCount) else { return nil }
      let job = RenderJob(photo: nil, movie: nil, edit: edit, settings: .standard, identifier: nil)
      let plan = try JobGeometry(job, photo).moviePlan(
        summary, turnedBy: summary.orientation.then(edit.orientation))
      var found: [PreviewAnswer.Areas] = []
      var history: LocalLight.History? = LocalLight.History()
      var number = 0
      try StillPictures.frames(of: path, isCancelled: { false }) { frame, seconds in
        defer { number += 1 }
        guard number % step == 0 else { return true }
        var frame = frame.turned(by: edit.orientation)
        if let plan { frame = try plan.stage(frame, FrameContext(half: .movie, time: seconds)) }
        if let areas = PreviewLight.areas(of: frame, for: edit, after: &history) {
          found.append((seconds, areas))
        }
        return true
      }
      return found
    } catch {
      throw EditError(reading: path, error)
    }
  }

  /// Returns the small picture of the photo. The picture is decoded only once.
  private func small(_ path: String, _ source: StoredPicture) throws -> PlanarFrame {
    if let picture, picture.path == path { return picture.frame }
    var color = source.color
    // A JPEG has the BT.601 matrix and full range, regardless of the photo's format.
    (color.matrix, color.isFullRange) = (ColorDescription.jpeg.matrix, true)
    color.chromaLocation = .center
    let decoded: PlanarFrame
    do { decoded = try DecodedPhoto(path: path).upright } catch { throw EditError(reading: path, error) }
    let frame = decoded.described(as: color)
    picture = (path, frame)
    return frame
  }
}

extension Edit {
  /// The part of the edit that determines the colour table.
  var colorsAlone: Edit {
    var edit = Edit(adjustments: adjustments, curve: curve, channelCurves: channelCurves, look: look)
    let others: [Parameter] = [
      .shadows, .highlights, .brilliance, .dehaze, .definition, .sharpness, .noiseReduction, .vignette,
      .vignetteRadius, .vignetteSoftness, .grain, .grainSize,
    ]
    for parameter in others { edit[parameter] = parameter.description.neutral }
    return edit
  }
}
