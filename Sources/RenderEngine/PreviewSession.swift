import Basics
import Codecs
package import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// The files of a ``PreviewJob``, and what was found out about them: answers what a shader must know of an edit.
///
/// To be asked by one thread at a time.
package final class PreviewSession {
  private let job: PreviewJob
  private lazy var photo = job.photo.map { OpenedPhoto(path: $0) }
  private lazy var photoSource = Result { try PhotoSource(photo) }
  private lazy var movieColor = Result { try job.movie.map { try PlayableVideo.color(ofMovie: $0) } }
  private lazy var movie = Result { try job.movie.map { try MovieSummary(FileByteSource(path: $0)) } }
  /// The small picture of the photo, by its path.
  private var picture: (path: String, frame: PlanarFrame)?

  /// - Parameter job: the files. They are opened when they are first needed.
  package init(_ job: PreviewJob) {
    self.job = job
  }

  /// What a shader must know.
  ///
  /// - Parameter request: the edit and the half.
  /// - Returns: ``PreviewAnswer`` as bytes.
  /// - Throws: ``EditError`` when the files cannot be read, or the edit cannot be made.
  package func answer(_ request: PreviewRequest) throws(EditError) -> [UInt8] {
    let file = request.half == .photo ? job.photo : job.movie
    do {
      guard let file else {
        throw EditError(
          .notFound, file: job.photo ?? job.movie, "has no \(request.half.rawValue)",
          remedy: "ask for the other half")
      }
      return try withExtendedLifetime(file) { try parts(request).bytes }
    } catch {
      throw EditError(reading: file ?? "", error)
    }
  }

  /// The photo's size and colours, as its headers tell them.
  private struct PhotoSource {
    let size: RenderJob.Size
    let sampling: ChromaSampling
    let color: ColorDescription
    let profile: [UInt8]?

    init?(_ opened: OpenedPhoto?) throws {
      guard let photo = try opened?.get() else { return nil }
      guard let kind = photo.kind else { throw MediaError("it is not a photo", remedy: "name a photo") }
      let metadata = try photo.metadata()
      size = RenderJob.Size(width: metadata.width, height: metadata.height)
      profile = try photo.iccProfile()
      switch kind {
      case .jpeg:
        (sampling, color) = (try JPEGHeader(reading: photo.source).frame.sampling, .jpeg)
      case .heif:
        sampling = .yuv420
        color =
          try HEIFPicture(HEIFFile(photo)).codePoints.map {
            ColorDescription(
              primaries: $0.primaries, transfer: $0.transfer, matrix: $0.matrix, isFullRange: $0.isFullRange)
          } ?? .jpeg
      }
    }
  }

  private func parts(_ request: PreviewRequest) throws -> PreviewAnswer {
    let edit = request.edit
    let place = try place(of: edit, on: request.half)
    var answer = PreviewAnswer(
      half: request.half, size: place.size, place: place.projection, vignette: PreviewVignette(edit))
    let colors: PreviewColors
    switch request.half {
    case .photo:
      guard let source = try photoSource.get() else { throw MediaError("it has no photo") }
      colors = PreviewColors(
        photo: source.color, profile: source.profile, isGrey: source.sampling == .grey)
      if let light = PreviewLight(edit, color: source.color, profile: source.profile) {
        answer.light = light
        if let path = request.picture {
          let name = "areas-" + Self.name(path, edit.orientation, edit.geometry, PreviewLight.kind(edit))
          let isKnown = request.known.contains(name)
          answer.areas = PreviewAnswer.Part(
            name: name, value: isKnown ? nil : try areas(of: path, source, for: edit))
        }
      }
    case .movie:
      guard let color = try movieColor.get() else { throw MediaError("it has no movie") }
      colors = PreviewColors(movie: color)
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

  /// What an edit does that the answer does not say: only a render shows it.
  private func missing(
    _ edit: Edit, _ answer: PreviewAnswer, _ half: PreviewRequest.Half
  ) -> [String] {
    var missing = [Parameter.noiseReduction, .sharpness, .grain].filter { edit[$0] > 0 }.map(\.rawValue)
    if answer.areas == nil, !edit.keepsAreas { missing.append("light") }
    if half == .photo {
      if edit.motion.keyPhoto != nil { missing.append("keyPhoto") }
      if edit.motion.effect == .longExposure { missing.append("effect") }
    } else if edit.motion.effect.changesMovie {
      missing.append("effect")
    }
    return missing
  }

  /// A name for what follows from some values. It holds as long as the process.
  private static func name(_ values: any Hashable...) -> String {
    var hasher = Hasher()
    for value in values { hasher.combine(value) }
    return String(UInt(bitPattern: hasher.finalize()), radix: 36)
  }
}

// MARK: - Places

extension PreviewSession {
  /// The size of what a render makes, and the way from its places to those of the upright picture before the edit.
  private func place(
    of edit: Edit, on half: PreviewRequest.Half
  ) throws -> (size: RenderJob.Size, projection: PictureProjection) {
    let job = RenderJob(photo: nil, movie: nil, edit: edit, settings: .standard, identifier: nil)
    let geometry = JobGeometry(job, photo)
    let back = PictureProjection(edit.orientation.inverse)
    switch half {
    case .photo:
      guard let source = try photoSource.get() else { throw MediaError("it has no photo") }
      let size = source.size.turned(by: edit.orientation)
      let sampling = edit.orientation.swapsAxes ? source.sampling.transposed : source.sampling
      guard let plan = try geometry.photoPlan(size, sampling: sampling) else { return (size, back) }
      return (plan.outputSize, plan.sources.then(back))
    case .movie:
      guard let summary = try movie.get() else { throw MediaError("it has no movie") }
      let transform = summary.orientation.then(edit.orientation)
      let size = RenderJob.Size(turning: (summary.storedWidth, summary.storedHeight), by: transform)
      guard let plan = try geometry.moviePlan(summary, turnedBy: transform) else { return (size, back) }
      // The small movie shows all of a frame, the plan counts from the scene in it.
      let whole = SIMD2(Double(size.width), Double(size.height))
      let scene = plan.picture.scene
      let within = PictureProjection(
        scale: SIMD2(scene.z, scene.w) / whole, shift: SIMD2(scene.x, scene.y) / whole)
      return (plan.outputSize, plan.sources.then(within).then(back))
    }
  }

  /// The areas of light in the small picture as the edit turns and crops it.
  private func areas(of path: String, _ source: PhotoSource, for edit: Edit) throws -> PreviewLight.Areas? {
    var frame = try small(path, source).turned(by: edit.orientation)
    if !edit.geometry.isNeutral {
      let size = frame.format.size
      let job = RenderJob(photo: nil, movie: nil, edit: edit, settings: .standard, identifier: nil)
      if let plan = try JobGeometry(job, photo).photoPlan(size, sampling: frame.format.sampling) {
        frame = try plan.stage(frame, FrameContext(kind: .still, time: 0))
      }
    }
    return PreviewLight.areas(of: frame, profile: source.profile, for: edit)
  }

  /// The small picture, decoded once.
  private func small(_ path: String, _ source: PhotoSource) throws -> PlanarFrame {
    if let picture, picture.path == path { return picture.frame }
    var color = source.color
    // JPEG has the matrix of BT.601 and the full range, whatever the photo has.
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
  /// The part that a colour table is made of.
  fileprivate var colorsAlone: Edit {
    var edit = Edit(adjustments: adjustments, curve: curve, channelCurves: channelCurves, look: look)
    let others: [Parameter] = [
      .shadows, .highlights, .brilliance, .dehaze, .definition, .sharpness, .noiseReduction, .vignette,
      .vignetteRadius, .vignetteSoftness, .grain, .grainSize,
    ]
    for parameter in others { edit[parameter] = parameter.description.neutral }
    return edit
  }
}
