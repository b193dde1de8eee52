/// What a codec is needed for besides rendering: making Live Photos and taking them apart. The helper reads it as JSON.
public enum ConversionJob: Codable, Hashable, Sendable {
  /// Put a movie into another container; frames and sound are copied where they fit there, encoded anew where not.
  case movie(MovieConversion)
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

/// What a conversion did.
public struct ConversionResult: Codable, Hashable, Sendable {
  /// How the frames were made.
  public var method: RenderResult.Method?
  /// Further remarks for people, one sentence each.
  public var notes: [String]

  /// - Parameters:
  ///   - method: how the frames were made.
  ///   - notes: further remarks for people.
  public init(method: RenderResult.Method? = nil, notes: [String] = []) {
    self.method = method
    self.notes = notes
  }
}

/// Whoever does what a codec is needed for.
public protocol MediaConverter: Sendable {
  /// Does a job, and returns when its output is written.
  ///
  /// - Parameters:
  ///   - job: what to do.
  ///   - isCancelled: asked now and then, from any thread; true stops the work.
  /// - Throws: ``EditError``; the output is gone then.
  func convert(
    _ job: ConversionJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> ConversionResult
}

extension ConversionJob {
  /// Path of the file that is read.
  public var source: String {
    switch self {
    case .movie(let job): job.source
    }
  }

  /// Path of the file that is written; nil where none is.
  public var output: String? {
    switch self {
    case .movie(let job): job.output
    }
  }
}
