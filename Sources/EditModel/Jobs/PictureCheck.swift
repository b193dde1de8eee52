import Basics

/// A request to check whether pictures and audio can be decoded. The render helper reads the request as JSON.
public struct PictureCheckJob: Codable, Hashable, Sendable {
  /// The path of the photo to decode.
  public var photo: String?
  /// The path of the movie, or Motion Photo, whose frames and audio are decoded.
  public var movie: String?
  /// The number of the movie's video track to decode.
  public var videoTrack: Int
  /// The numbers of the movie's audio tracks to decode.
  public var soundTracks: [Int]

  /// - Parameters:
  ///   - photo: The path of the photo to decode.
  ///   - movie: The path of the movie, or Motion Photo, whose frames and audio are decoded.
  ///   - videoTrack: The number of the movie's video track.
  ///   - soundTracks: The numbers of the movie's audio tracks.
  public init(photo: String? = nil, movie: String? = nil, videoTrack: Int = 0, soundTracks: [Int] = []) {
    self.photo = photo
    self.movie = movie
    self.videoTrack = videoTrack
    self.soundTracks = soundTracks
  }
}

/// A program or library that decodes pictures to find out whether they are intact.
public protocol PictureChecker: Sendable {
  /// Decodes a photo or the frames of a movie, without writing files.
  ///
  /// - Parameters:
  ///   - job: The files to decode.
  ///   - isCancelled: A closure that is called from time to time, from any thread; returning true stops the work.
  /// - Returns: The findings. A damaged file is not an error.
  /// - Throws: ``Basics/EditError`` if a file cannot be opened, or if the work was stopped.
  func check(
    _ job: PictureCheckJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> PictureCheck
}

/// The findings from decoding a photo and a movie.
public struct PictureCheck: Codable, Hashable, Sendable {
  /// The outcome of a check.
  public enum Outcome: Codable, Hashable, Sendable {
    /// Everything in the file was decoded.
    case decoded
    /// The file is damaged. The text is a clause that describes the damage.
    case damaged(String)
    /// The file is of an unsupported kind and may be intact. The text is a clause that describes the problem.
    case unsupported(String)
  }

  /// The state of a photo's thumbnail.
  public enum Thumbnail: Codable, Hashable, Sendable {
    /// The thumbnail cannot be decoded.
    case unreadable
    /// The similarity of the thumbnail to the photo: their peak signal-to-noise ratio at 48 by 48 pixels, in dB.
    case likeness(Double)

    /// The minimum similarity, in dB, of two pictures of the same scene after both pictures have been reduced to a tiny
    /// size.
    package static var leastLikeness: Double { 22 }
  }

  /// The findings from decoding a photo.
  public struct Photo: Codable, Hashable, Sendable {
    /// The outcome of decoding.
    public var outcome: Outcome
    /// The state of the thumbnail; nil if the photo has no thumbnail.
    public var thumbnail: Thumbnail?

    /// - Parameters:
    ///   - outcome: The outcome of decoding.
    ///   - thumbnail: The state of the thumbnail.
    public init(outcome: Outcome, thumbnail: Thumbnail? = nil) {
      self.outcome = outcome
      self.thumbnail = thumbnail
    }
  }

  /// The findings from decoding a movie.
  public struct Movie: Codable, Hashable, Sendable {
    /// The outcome of decoding.
    public var outcome: Outcome
    /// The number of decoded frames.
    public var frameCount: Int
    /// The numbers of the keyframes among the decoded frames, counted from 0 in display order.
    public var keyFrames: [Int]
    /// The damaged frames in display order, if the damage is known.
    public var damage = MediaDamage()
    /// The findings from decoding the audio tracks.
    public var sound: [Sound] = []

    /// - Parameters:
    ///   - outcome: The outcome of decoding.
    ///   - frameCount: The number of decoded frames.
    ///   - keyFrames: The numbers of the keyframes among the decoded frames.
    public init(outcome: Outcome, frameCount: Int = 0, keyFrames: [Int] = []) {
      self.outcome = outcome
      self.frameCount = frameCount
      self.keyFrames = keyFrames
    }
  }

  /// The findings from decoding an audio track.
  public struct Sound: Codable, Hashable, Sendable {
    /// The number of the track.
    public var track: Int
    /// The outcome of decoding.
    public var outcome: Outcome
    /// The number of packets in the track.
    public var packetCount = 0
    /// The packets that cannot be decoded.
    public var damage = MediaDamage()
    /// The time at which the decoded audio ends, if that time is before the end of the track.
    public var stop: Stop?

    /// The end times of audio that is shorter than its track. Both times are in seconds from the beginning of the
    /// track.
    public struct Stop: Codable, Hashable, Sendable {
      /// The time at which the decoded audio ends.
      public var seconds: Double
      /// The time at which the track ends.
      public var end: Double

      /// - Parameters:
      ///   - seconds: The time at which the decoded audio ends.
      ///   - end: The time at which the track ends.
      public init(seconds: Double, end: Double) { (self.seconds, self.end) = (seconds, end) }
    }

    /// - Parameters:
    ///   - track: The number of the track.
    ///   - outcome: The outcome of decoding.
    public init(track: Int, outcome: Outcome) { (self.track, self.outcome) = (track, outcome) }
  }

  /// The findings for the photo; nil if no photo was checked.
  public var photo: Photo?
  /// The findings for the movie; nil if no movie was checked.
  public var movie: Movie?

  /// - Parameters:
  ///   - photo: The findings for the photo.
  ///   - movie: The findings for the movie.
  public init(photo: Photo? = nil, movie: Movie? = nil) {
    self.photo = photo
    self.movie = movie
  }
}
