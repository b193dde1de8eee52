import Basics

/// A job other than rendering that requires a codec. These jobs create, compare, convert and show Live Photos. The
/// render helper reads the job as JSON.
public enum ConversionJob: Codable, Hashable, Sendable {
  /// Converts a movie to another container. Frames and audio are copied if the container supports them, and re-encoded
  /// otherwise.
  case movie(MovieConversion)
  /// Finds the photo's time in a movie by comparing pictures. The results are ``ConversionResult/stillTime`` and
  /// ``ConversionResult/likeness``.
  case stillTime(photo: String, movie: String)
  /// Finds the frame that would make the best photo. The search can be limited to a part of the movie, in seconds, and
  /// can prefer frames near a given time. The result is ``ConversionResult/stillTime``.
  case bestFrame(movie: String, part: ClosedRange<Double>?, near: Double?)
  /// Writes the frame at a given time as a JPEG without metadata.
  case frame(movie: String, seconds: Double, output: String)
  /// Writes a looping preview of a movie as a WebP or GIF animation.
  case preview(movie: String, output: String, kind: AnimationKind)
  /// Writes a PNG, TIFF or WebP picture as a JPEG. Transparent areas are drawn on white. Exif, XMP, IPTC and the colour
  /// profile are kept.
  case picture(source: String, output: String)
  /// Writes a photo, or the first frame of a movie, as a picture for websites.
  case image(ImageConversion)
  /// Writes a movie that plays in every browser.
  case video(VideoConversion)
  /// Renders the pictures of one asset for a contact sheet. The results are ``ConversionResult/pictures`` and
  /// ``ConversionResult/failures``.
  case sheetPictures(SheetPictures)
  /// Writes a contact sheet with captions, using pictures that were rendered earlier.
  case sheet(SheetConversion)
  /// Reduces the picture in a file to samples for comparison. The result is ``ConversionResult/grids``.
  case grid(PictureGrid.Source)
}

/// The file format of a looping preview.
public enum AnimationKind: String, Codable, Hashable, Sendable {
  /// GIF 89a, with one palette of 255 colours.
  case gif
  /// WebP (RFC 9649).
  case webp
}

/// A conversion of a movie to another container.
public struct MovieConversion: Codable, Hashable, Sendable {
  /// A movie container format.
  public enum Container: String, Codable, CaseIterable, Hashable, Sendable {
    /// QuickTime (`.mov`).
    case mov
    /// MP4 (ISO/IEC 14496-14).
    case mp4
  }

  /// The path of the movie. The movie is only read.
  public var source: String
  /// The path of the file to write. The file must not exist yet; it is deleted if the conversion fails.
  public var output: String
  /// The container of the new file.
  public var container: Container
  /// The part to keep, in seconds on the movie's timeline; nil keeps the whole movie. A part is re-encoded, so that it
  /// begins at exactly the requested time.
  public var range: ClosedRange<Double>?

  /// - Parameters:
  ///   - source: The path of the movie.
  ///   - output: The path of the file to write.
  ///   - container: The container of the new file.
  ///   - range: The part to keep, in seconds; nil keeps the whole movie.
  public init(source: String, output: String, container: Container, range: ClosedRange<Double>? = nil) {
    self.source = source
    self.output = output
    self.container = container
    self.range = range
  }
}

/// The result of a conversion.
public struct ConversionResult: Codable, Hashable, Sendable {
  /// How the frames were produced.
  public var method: RenderResult.Method?
  /// The time, in seconds, of the photo in the movie, or of the frame that was written.
  public var stillTime: Double?
  /// The similarity of fine detail between the photo and a movie frame, from -1 to 1. The frame is the one marked as
  /// the photo's time; if no frame is marked, it is the most similar frame.
  public var likeness: Double?
  /// The size in pixels of the written picture or frames; nil if the size was not changed.
  public var size: PixelSize?
  /// Other notes for the user, one sentence each.
  public var notes: [Message]
  /// The pictures for a contact sheet, by their index in the job.
  public var pictures: [Int: SheetPictures.Picture] = [:]
  /// The errors for contact sheet pictures that could not be rendered, by their index in the job.
  public var failures: [Int: EditError] = [:]
  /// The reduced pictures for comparing a file: usually one; two for a movie that stores more pixels than it displays;
  /// none if the pictures are too small.
  public var grids: [PictureGrid] = []

  /// - Parameters:
  ///   - method: How the frames were produced.
  ///   - stillTime: The time, in seconds, of the photo in the movie, or of the frame that was written.
  ///   - size: The size in pixels of the written picture or frames.
  ///   - notes: Other notes for the user.
  public init(
    method: RenderResult.Method? = nil, stillTime: Double? = nil, size: PixelSize? = nil,
    notes: [Message] = []
  ) {
    self.method = method
    self.stillTime = stillTime
    self.size = size
    self.notes = notes
  }
}

/// A program or library that performs jobs that require a codec.
public protocol MediaConverter: PictureChecker {
  /// Performs a job. Returns when the output is written.
  ///
  /// - Parameters:
  ///   - job: The job to perform.
  ///   - isCancelled: A closure that is called from time to time, from any thread; returning true stops the work.
  /// - Throws: ``Basics/EditError``. In that case, the output is deleted.
  func convert(
    _ job: ConversionJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> ConversionResult
}

extension ConversionJob {
  /// The path of the file that the job reads.
  public var source: String {
    switch self {
    case .movie(let job): job.source
    case .image(let job): job.source
    case .video(let job): job.source
    case .sheetPictures(let job): job.sources.first?.path ?? ""
    case .sheet(let job): job.pictures
    case .grid(let source): source.path
    case .bestFrame(let path, _, _): path
    case .stillTime(_, let path), .frame(let path, _, _), .preview(let path, _, _), .picture(let path, _):
      path
    }
  }

  /// The path of the file that the job writes; nil if the job writes no file.
  public var output: String? {
    switch self {
    case .movie(let job): job.output
    case .image(let job): job.output
    case .video(let job): job.output
    case .sheet(let job): job.output
    case .stillTime, .bestFrame, .sheetPictures, .grid: nil
    case .frame(_, _, let path), .preview(_, let path, _), .picture(_, let path): path
    }
  }

  /// Returns the job with another output path.
  func writing(to path: String) -> ConversionJob {
    switch self {
    case .movie(var job):
      job.output = path
      return .movie(job)
    case .image(var job):
      job.output = path
      return .image(job)
    case .video(var job):
      job.output = path
      return .video(job)
    case .sheet(var job):
      job.output = path
      return .sheet(job)
    case .frame(let movie, let seconds, _): return .frame(movie: movie, seconds: seconds, output: path)
    case .preview(let movie, _, let kind): return .preview(movie: movie, output: path, kind: kind)
    case .picture(let source, _): return .picture(source: source, output: path)
    case .stillTime, .bestFrame, .sheetPictures, .grid: return self
    }
  }
}
