import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// A photo created from a movie frame at the movie's full quality, or from a picture that another program made from the
/// photo.
struct KeyPhoto: Sendable {
  /// The photo that the camera took, with its metadata updated to describe the frame. The photo's own picture is no
  /// longer used.
  let photo: Photo
  /// The time of the frame on the movie's timeline, in seconds, or nil for a picture by another program.
  let seconds: Double?
  /// The metadata that the photo no longer contains.
  let removals: [Removal]
  /// A sentence for the user about the origin of the photo's picture.
  let note: Message
  /// The clean aperture of the frame as displayed, in the colour coding that photos use.
  private let frame: PlanarFrame

  /// Decodes the frame that an edit uses as the key photo.
  ///
  /// - Returns: Nil if the original key photo is kept.
  /// - Throws: ``EditError`` if the photo or the movie is missing, or if one of them cannot be read or decoded.
  init?(of job: RenderJob, _ original: OpenedPhoto?) throws(EditError) {
    guard job.edit.motion.keyPhoto != nil else { return nil }
    guard let path = job.movie?.source ?? job.frameSource, let half = job.photo, let original else {
      throw EditError(
        .invalidEdit, file: job.photo?.source ?? job.movie?.source,
        job.photo == nil
          ? "the key photo cannot be changed: the photo is missing"
          : "the key photo cannot be changed: the movie is missing",
        remedy: "specify a Live Photo")
    }
    let distance: Int
    let moment: Double
    do {
      let movie = try Movie(FileByteSource(path: path), photoAt: job.stillPlace)
      guard let shown = try movie.keyFrame(of: job.edit.motion) else {
        throw MediaError("the movie does not show its key photo")
      }
      let isJPEG = job.settings.renderedPhotoFormat == .jpeg || (try? original.get().kind) == .jpeg
      let taken = try Self.frame(shown, of: movie, path: path, isJPEG: isJPEG)
      frame =
        try AdoptedEdit(of: job, turnedBy: .identity, isUpright: true)?.applied(to: taken, at: shown.seconds)
        ?? taken
      moment = shown.seconds
      seconds = moment
      // The duration of the movie limits both times, so an overflow is impossible.
      let still = try movie.shownStillTime ?? shown.seconds
      distance = Int(exactly: ((shown.seconds - still) * 1_000_000).rounded()) ?? 0
    } catch {
      throw EditError(reading: path, error)
    }
    do {
      let old = try original.get()
      try old.source.checkPhotoSize()
      let size = try old.metadata()
      let described = MemoryByteSink()
      removals = try old.write(
        describing: KeyFrame(
          distance: distance, profile: ICCProfileWriter.profile(of: frame.format.color),
          profileOfSRGB: ICCProfileWriter.sRGB),
        to: described)
      photo = try Photo(MemoryByteSource(described.bytes))
      note =
        "The photo was made from the movie frame at \(decimal: "\((moment * 1000).rounded() / 1000)") s, which has "
        + "\(frame.format.width)x\(frame.format.height) pixels; the original photo has \(size.width)x\(size.height)."
    } catch {
      throw EditError(rendering: half, error)
    }
  }

  /// Decodes another program's picture that a job uses as the photo.
  ///
  /// - Returns: Nil if the photo file itself comes from the other program, or if the photo's picture is kept.
  /// - Throws: ``EditError`` if the picture or the photo cannot be read or decoded.
  init?(adoptedBy job: RenderJob, _ original: OpenedPhoto?) throws(EditError) {
    guard let path = job.adopted?.picture, let half = job.photo, let original else { return nil }
    let picture: (frame: PlanarFrame, profile: [UInt8]?)
    do {
      let decoded = try DecodedPhoto(anyPicture: path)
      picture = (try decoded.upright, decoded.profile)
    } catch {
      throw EditError(reading: path, error)
    }
    do {
      let old = try original.get()
      try old.source.checkPhotoSize()
      frame = try old.kind == .jpeg ? picture.frame : Self.withHalvedChroma(picture.frame)
      let described = MemoryByteSink()
      removals = try old.write(
        describing: KeyFrame(distance: 0, profile: picture.profile, profileOfSRGB: ICCProfileWriter.sRGB),
        to: described)
      photo = try Photo(MemoryByteSource(described.bytes))
      seconds = nil
      note = "The photo was encoded only once, from \(FilePath.split(path).name)."
    } catch {
      throw EditError(rendering: half, error)
    }
  }

  /// Returns a picture with the chroma subsampling that phones can decode in HEIC.
  private static func withHalvedChroma(_ frame: PlanarFrame) throws -> PlanarFrame {
    let format = frame.format
    guard format.sampling != .yuv420, format.sampling != .grey else { return frame }
    guard let scaled = frame.scaled(to: format.size, sampling: .yuv420, bitDepth: format.bitDepth) else {
      throw MediaError("the chroma layout is not supported", isUnsupported: true)
    }
    return scaled
  }

  /// Returns the size of ``picture(storedFor:)``.
  func size(storedFor orientation: Orientation) -> PixelSize {
    frame.format.size.turned(by: orientation.inverse)
  }

  /// Returns the frame in the orientation in which a photo with the given display orientation stores its picture.
  func picture(storedFor orientation: Orientation) -> PlanarFrame { frame.turned(by: orientation.inverse) }

  /// Decodes a frame, crops it to its visible part, makes its pixels square and rotates it upright.
  ///
  /// - Parameter isJPEG: Whether the frame will be stored in a JPEG.
  fileprivate static func frame(
    _ shown: ShownFrame, of movie: Movie, path: String, isJPEG: Bool
  ) throws -> PlanarFrame {
    let summary = try MovieSummary(movie)
    let frames = try movie.frames
    // If several frames are shown at the same moment, the first of these frames is found.
    guard frames.indices.contains(shown.number),
      let number = frames.firstIndex(where: { $0.time == frames[shown.number].time })
    else {
      throw MediaError("the sample tables contradict each other")
    }
    var frame = try MovieFrames.frame(number, of: frames, path: path, trackID: summary.videoTrackID)
    frame = try frame.shown(in: summary.layout)
    if isJPEG { frame = try centred(frame) }
    return frame.turned(by: summary.orientation).forJPEG()
  }

  /// Moves a frame's chroma samples from the left position used in movies to the centred position used in JPEGs.
  private static func centred(_ frame: PlanarFrame) throws -> PlanarFrame {
    let format = frame.format
    guard format.sampling != .grey, format.color.chromaLocation != .center else { return frame }
    var color = format.color
    color.chromaLocation = color.chromaLocation ?? .left
    let centred = frame.described(as: color).scaled(
      to: format.size, sampling: format.sampling, bitDepth: format.bitDepth)
    guard let centred else { throw MediaError("the chroma layout is not supported", isUnsupported: true) }
    return centred
  }
}

extension DecodedPhoto {
  /// Decodes the movie frame that an edit uses as the key photo.
  ///
  /// - Parameters:
  ///   - motion: The edit's settings for time and audio.
  ///   - path: The path of the movie.
  /// - Throws: ``MediaError`` if the movie does not show the key photo's moment, or if it is damaged.
  init(keyFrame motion: Motion, of path: String) throws {
    let movie = try Movie(FileByteSource(path: path))
    guard let shown = try movie.keyFrame(of: motion) else {
      throw MediaError("the movie does not show its key photo")
    }
    let frame = try KeyPhoto.frame(shown, of: movie, path: path, isJPEG: true)
    self.init(frame, .identity, profile: ICCProfileWriter.profile(of: frame.format.color))
  }
}
