import Basics

/// A job besides rendering that needs a codec: for making Live Photos and taking them apart. The helper reads it as JSON.
public enum ConversionJob: Codable, Hashable, Sendable {
  /// Put a movie into another container; frames and sound are copied where they fit there, encoded anew where not.
  case movie(MovieConversion)
  /// Find the photo's place in a movie by comparing pictures; the answers are ``ConversionResult/stillTime`` and
  /// ``ConversionResult/likeness``.
  case stillTime(photo: String, movie: String)
  /// Find the frame of a movie that would make the best photo, among those of a part in seconds, if one is given, and
  /// near a time; the answer is ``ConversionResult/stillTime``.
  case bestFrame(movie: String, part: ClosedRange<Double>?, near: Double?)
  /// Write the frame that is shown at a time as a JPEG without metadata.
  case frame(movie: String, seconds: Double, output: String)
  /// Write a looping preview of a movie: a WebP or GIF animation.
  case preview(movie: String, output: String, kind: AnimationKind)
  /// Write a PNG, TIFF or WebP picture as a JPEG, laid over white where it is transparent, with its Exif, XMP and IPTC and its
  /// colour profile.
  case picture(source: String, output: String)
  /// Write a photo, or a movie's first frame, as a picture for websites.
  case image(ImageConversion)
  /// Write a movie that every browser plays.
  case video(VideoConversion)
  /// Make the pictures of one asset for a contact sheet; the answers are ``ConversionResult/pictures`` and
  /// ``ConversionResult/failures``.
  case sheetPictures(SheetPictures)
  /// Write pictures that were made before as one, with captions.
  case sheet(SheetConversion)
  /// Reduce the picture of a file to what it can be compared by; the answer is ``ConversionResult/grids``.
  case grid(PictureGrid.Source)
}

/// A kind of looping preview.
public enum AnimationKind: String, Codable, Hashable, Sendable {
  /// GIF 89a, with one palette of 255 colours.
  case gif
  /// WebP (RFC 9649).
  case webp
}

/// A movie on its way into another container.
public struct MovieConversion: Codable, Hashable, Sendable {
  /// A container.
  public enum Container: String, Codable, CaseIterable, Hashable, Sendable {
    /// QuickTime.
    case mov
    /// MP4 (ISO/IEC 14496-14).
    case mp4
  }

  /// Path of the movie. Only read.
  public var source: String
  /// Path of the file to write. It must not exist yet; after a failure it is gone again.
  public var output: String
  /// The container.
  public var container: Container
  /// The part that is kept, in seconds on the movie's timeline; nil keeps all. A part is encoded anew, to begin where
  /// it shall.
  public var range: ClosedRange<Double>?

  /// - Parameters:
  ///   - source: path of the movie.
  ///   - output: path of the file to write.
  ///   - container: the container.
  ///   - range: the part that is kept, in seconds; nil keeps all.
  public init(source: String, output: String, container: Container, range: ClosedRange<Double>? = nil) {
    self.source = source
    self.output = output
    self.container = container
    self.range = range
  }
}

/// The result of a conversion.
public struct ConversionResult: Codable, Hashable, Sendable {
  /// The way the frames were made.
  public var method: RenderResult.Method?
  /// The photo's place in the movie in seconds, or that of the frame that was written.
  public var stillTime: Double?
  /// The likeness of what is fine in a photo to what is fine in a movie at its mark of the photo's place, or where it
  /// resembles it most if it has none: from -1 to 1.
  public var likeness: Double?
  /// Columns and rows of the picture or the frames that were written; nil where they stay as they were.
  public var size: PixelSize?
  /// Further remarks for people, one sentence each.
  public var notes: [Message]
  /// The pictures for a contact sheet, by their places in the job.
  public var pictures: [Int: SheetPictures.Picture] = [:]
  /// Reasons why pictures for a contact sheet could not be made, by their places in the job.
  public var failures: [Int: EditError] = [:]
  /// The pictures by which a file is compared, reduced: one, or two of a movie that stores more than is shown; none where they are
  /// too small.
  public var grids: [PictureGrid] = []

  /// - Parameters:
  ///   - method: how the frames were made.
  ///   - stillTime: the photo's place in the movie in seconds.
  ///   - size: columns and rows of what was written.
  ///   - notes: further remarks for people.
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

/// A program or library that does the jobs that need a codec.
public protocol MediaConverter: PictureChecker {
  /// Does a job, and returns when its output is written.
  ///
  /// - Parameters:
  ///   - job: what to do.
  ///   - isCancelled: asked now and then, from any thread; true stops the work.
  /// - Throws: ``Basics/EditError``; the output is gone then.
  func convert(
    _ job: ConversionJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> ConversionResult
}

extension ConversionJob {
  /// Path of the file that is read.
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

  /// Path of the file that is written; nil where none is.
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

  /// The job with another path for the file that it writes.
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
