import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// A photo that is made of a frame of the movie, at the movie's full quality, or of a picture that another program made of
/// it.
struct KeyPhoto: Sendable {
  /// The photo that was taken, with metadata that is true of the frame. Its own picture is not shown any more.
  let photo: Photo
  /// The time of the frame on the movie's timeline, in seconds; nil for a picture.
  let seconds: Double?
  /// The metadata that the photo does not carry any more.
  let removals: [Removal]
  /// A sentence that says what it is made of, for people.
  let note: Message
  /// The clean aperture of the frame as it is displayed, coded as photos are.
  private let frame: PlanarFrame

  /// Decodes the frame that an edit makes the photo of.
  ///
  /// - Returns: nil where the photo stays the one that was taken.
  /// - Throws: ``EditError`` when there is no photo or no movie, or when one of them cannot be read or decoded.
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
      // The movie's length bounds both; other numbers are nobody's.
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

  /// Decodes the picture of another program that a job makes the photo of.
  ///
  /// - Returns: nil where the photo is a file of that program, or its picture stays.
  /// - Throws: ``EditError`` when the picture or the photo cannot be read or decoded.
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

  /// A picture with as much chroma as phones decode in HEIC.
  private static func withHalvedChroma(_ frame: PlanarFrame) throws -> PlanarFrame {
    let format = frame.format
    guard format.sampling != .yuv420, format.sampling != .grey else { return frame }
    guard let scaled = frame.scaled(to: format.size, sampling: .yuv420, bitDepth: format.bitDepth) else {
      throw MediaError("the chroma layout is not supported", isUnsupported: true)
    }
    return scaled
  }

  /// Columns and rows of ``picture(storedFor:)``.
  func size(storedFor orientation: Orientation) -> PixelSize {
    frame.format.size.turned(by: orientation.inverse)
  }

  /// The frame as a photo stores it that is displayed in some way.
  func picture(storedFor orientation: Orientation) -> PlanarFrame { frame.turned(by: orientation.inverse) }

  /// Decodes a frame, cuts out what is shown of it, makes its pixels square and turns it upright.
  ///
  /// - Parameter isJPEG: whether it goes into a JPEG.
  fileprivate static func frame(
    _ shown: ShownFrame, of movie: Movie, path: String, isJPEG: Bool
  ) throws -> PlanarFrame {
    let summary = try MovieSummary(movie)
    let frames = try movie.frames
    // Of frames for one moment the first is found.
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

  /// A frame with chroma in the middle of the pixels that share it, as JPEGs have it; movies have it on the left.
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
  /// Decodes the frame of a movie that an edit makes the photo of.
  ///
  /// - Parameters:
  ///   - motion: the edit's time and sound.
  ///   - path: the movie.
  /// - Throws: ``MediaError`` when it does not show that moment, or is damaged.
  init(keyFrame motion: Motion, of path: String) throws {
    let movie = try Movie(FileByteSource(path: path))
    guard let shown = try movie.keyFrame(of: motion) else {
      throw MediaError("the movie does not show its key photo")
    }
    let frame = try KeyPhoto.frame(shown, of: movie, path: path, isJPEG: true)
    self.init(frame, .identity, profile: ICCProfileWriter.profile(of: frame.format.color))
  }
}
