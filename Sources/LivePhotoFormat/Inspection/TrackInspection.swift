/// A description of a movie's track for display.
public struct TrackInspection: Encodable, Hashable, Sendable {
  /// An entry of the edit list.
  public struct EditEntry: Encodable, Hashable, Sendable {
    /// Ticks of the movie's time scale.
    public let duration: UInt64
    /// Start in ticks of the track's time scale; -1 for a pause.
    public let mediaTime: Int64
    /// Playback rate.
    public let rate: Double
  }

  /// A reference to other tracks.
  public struct Reference: Encodable, Hashable, Sendable {
    /// `cdsc`, `cdep`, …
    public let type: String
    /// Numbers of tracks, which need not exist.
    public let tracks: [UInt32]
  }

  /// A key of a timed metadata track.
  public struct TimedKey: Encodable, Hashable, Sendable {
    /// The number by which samples refer to it.
    public let localID: UInt32
    /// Its name.
    public let name: String
    /// The type of its values: the name of a well-known type, or a name in reverse DNS form.
    public let dataType: String
    /// The number of samples that carry it; nil when the samples were too large to look into.
    public let sampleCount: Int?
    /// Its value in the first sample that carries it, where the type is a well-known one.
    public let firstValue: MetadataValue?
  }

  /// The track's number.
  public let number: UInt32
  /// `vide`, `soun`, `meta`, …
  public let handler: String
  /// The handler's name: “Core Media Video”.
  public let handlerName: String
  /// The format of its samples: `avc1`, `hvc1`, `lpcm`, `mebx`, …
  public let format: String
  /// True if it is switched on.
  public let isEnabled: Bool
  /// Time it was made, UTC; nil when the file does not say.
  public let created: String?
  /// Time it was changed, UTC; nil when the file does not say.
  public let modified: String?
  /// The language: three letters (ISO 639-2), or the number of a Macintosh language.
  public let language: String
  /// Ticks a second of the media.
  public let timeScale: UInt32
  /// Ticks of the media.
  public let duration: UInt64
  /// Seconds of the media.
  public let seconds: Double
  /// The number of its samples (frames).
  public let sampleCount: Int
  /// Bytes of all samples.
  public let mediaBytes: Int
  /// Its edit list; empty without one.
  public let editList: [EditEntry]
  /// Its references to other tracks.
  public let references: [Reference]
  /// Metadata of the track.
  public let keys: [KeyInspection]
  /// A description of a video track.
  public let video: VideoInspection?
  /// A description of a sound track.
  public let sound: SoundInspection?
  /// The keys of a timed metadata track.
  public let timedKeys: [TimedKey]
  /// Atoms that are not known, as paths within the track.
  public let unknownAtoms: [String]
}

/// A description of a video track.
public struct VideoInspection: Encodable, Hashable, Sendable {
  /// A width and a height.
  public struct Size: Encodable, Hashable, Sendable {
    /// Pixels.
    public let width: Double
    /// Pixels.
    public let height: Double
  }

  /// Size of the stored frames.
  public let storedSize: Size
  /// Size in the track header, before the matrix.
  public let trackSize: Size
  /// The turn by which frames are laid down, as the number of the Exif tag; nil for a matrix that scales or shears.
  public let orientation: Int?
  /// The nine numbers of the matrix: a, b, u, c, d, v, x, y, w.
  public let matrix: [Double]
  /// The place of the laid down picture's top left corner; 0, 0 as a rule.
  public let origin: [Double]
  /// The clean aperture, `clap`.
  public let cleanAperture: FrameAperture?
  /// The track apertures, `tapt`: `clef`, `prof`, `enof`.
  public let trackApertures: [String: Size]
  /// The colour description, `colr`.
  public let color: VideoColor?
  /// Horizontal and vertical spacing of pixels, `pasp`.
  public let pixelAspect: [UInt32]?
  /// Frames a second on average.
  public let frameRate: Double
  /// Frames a second where frames last longest.
  public let leastFrameRate: Double
  /// Frames a second where frames last shortest.
  public let greatestFrameRate: Double
  /// The number of frames that can be decoded alone.
  public let syncFrameCount: Int
  /// True if frames are shown in another order than they are stored in.
  public let isReordered: Bool
  /// Extensions of the sample description: `avcC`, `colr`, …
  public let extensions: [String]
}

/// A description of a sound track.
public struct SoundInspection: Encodable, Hashable, Sendable {
  /// Version of the sample description.
  public let version: Int
  /// The number of channels.
  public let channels: Int
  /// Bits a sample; 0 where compressed sound does not say.
  public let bits: Int
  /// Samples a second; 0 where the file says no number.
  public let sampleRate: Double
}
