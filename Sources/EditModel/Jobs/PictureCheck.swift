import Basics

/// Asks whether pictures and sound can be decoded. The helper reads it as JSON.
public struct PictureCheckJob: Codable, Hashable, Sendable {
  /// Path of the photo to decode.
  public var photo: String?
  /// Path of the movie, or Motion Photo, whose frames and sound are decoded.
  public var movie: String?
  /// The number of the movie's video track.
  public var videoTrack: Int
  /// The numbers of the movie's sound tracks.
  public var soundTracks: [Int]

  /// - Parameters:
  ///   - photo: path of the photo to decode.
  ///   - movie: path of the movie, or Motion Photo, whose frames and sound are decoded.
  ///   - videoTrack: the number of its video track.
  ///   - soundTracks: the numbers of its sound tracks.
  public init(photo: String? = nil, movie: String? = nil, videoTrack: Int = 0, soundTracks: [Int] = []) {
    self.photo = photo
    self.movie = movie
    self.videoTrack = videoTrack
    self.soundTracks = soundTracks
  }
}

/// Whoever decodes pictures to see whether they can be.
public protocol PictureChecker: Sendable {
  /// Decodes a photo or the frames of a movie, and writes nothing.
  ///
  /// - Parameters:
  ///   - job: the files.
  ///   - isCancelled: asked now and then, from any thread; true stops the work.
  /// - Returns: what decoding showed. A damaged file is no error.
  /// - Throws: ``Basics/EditError`` when a file cannot be opened, or when the work was stopped.
  func check(
    _ job: PictureCheckJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> PictureCheck
}

/// The findings of decoding a photo and a movie.
public struct PictureCheck: Codable, Hashable, Sendable {
  /// The outcome of a check.
  public enum Outcome: Codable, Hashable, Sendable {
    /// Everything was decoded.
    case decoded
    /// It is damaged: a clause about the file.
    case damaged(String)
    /// It is of a kind that is not handled, and may be sound: a clause about the file.
    case unsupported(String)
  }

  /// The state of the thumbnail that a photo carries.
  public enum Thumbnail: Codable, Hashable, Sendable {
    /// It cannot be decoded.
    case unreadable
    /// How like the photo it is: the peak signal-to-noise ratio of both at 48 by 48 pixels, in dB.
    case likeness(Double)

    /// The likeness in dB that two pictures of one scene exceed once both are tiny.
    package static var leastLikeness: Double { 22 }
  }

  /// The findings of decoding a photo.
  public struct Photo: Codable, Hashable, Sendable {
    /// Its outcome.
    public var outcome: Outcome
    /// Its thumbnail; nil without one.
    public var thumbnail: Thumbnail?

    /// - Parameters:
    ///   - outcome: how it ended.
    ///   - thumbnail: what is known of its thumbnail.
    public init(outcome: Outcome, thumbnail: Thumbnail? = nil) {
      self.outcome = outcome
      self.thumbnail = thumbnail
    }
  }

  /// The findings of decoding a movie.
  public struct Movie: Codable, Hashable, Sendable {
    /// Its outcome.
    public var outcome: Outcome
    /// The number of frames that were decoded.
    public var frameCount: Int
    /// Key frames among them, counted from 0 in the order of showing.
    public var keyFrames: [Int]
    /// Damaged frames, where they are known, in the order of showing.
    public var damage = MediaDamage()
    /// The findings of decoding its sound tracks.
    public var sound: [Sound] = []

    /// - Parameters:
    ///   - outcome: how it ended.
    ///   - frameCount: how many frames were decoded.
    ///   - keyFrames: which of them are key frames.
    public init(outcome: Outcome, frameCount: Int = 0, keyFrames: [Int] = []) {
      self.outcome = outcome
      self.frameCount = frameCount
      self.keyFrames = keyFrames
    }
  }

  /// The findings of decoding a sound track.
  public struct Sound: Codable, Hashable, Sendable {
    /// The number of the track.
    public var track: Int
    /// Its outcome.
    public var outcome: Outcome
    /// The number of packets of the track.
    public var packetCount = 0
    /// Those of them that cannot be decoded.
    public var damage = MediaDamage()
    /// The end of what was decoded, where it lies before the end of the track: both in seconds behind the beginning of the track.
    public var stop: Stop?

    /// The end of sound that is shorter than its track.
    public struct Stop: Codable, Hashable, Sendable {
      /// The time at which decoded sound ends.
      public var seconds: Double
      /// The time at which the track ends.
      public var end: Double

      /// - Parameters:
      ///   - seconds: the time at which decoded sound ends.
      ///   - end: the time at which the track ends.
      public init(seconds: Double, end: Double) { (self.seconds, self.end) = (seconds, end) }
    }

    /// - Parameters:
    ///   - track: the number of the track.
    ///   - outcome: how it ended.
    public init(track: Int, outcome: Outcome) { (self.track, self.outcome) = (track, outcome) }
  }

  /// The photo; nil when none was asked for.
  public var photo: Photo?
  /// The movie; nil when none was asked for.
  public var movie: Movie?

  /// - Parameters:
  ///   - photo: what decoding the photo showed.
  ///   - movie: what decoding the movie showed.
  public init(photo: Photo? = nil, movie: Movie? = nil) {
    self.photo = photo
    self.movie = movie
  }
}
