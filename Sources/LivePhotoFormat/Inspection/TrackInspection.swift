/// A description of a movie's track for display.
package struct TrackInspection: Encodable, Hashable, Sendable {
  /// An entry of the edit list.
  package struct EditEntry: Encodable, Hashable, Sendable {
    /// Ticks of the movie's time scale.
    package let duration: UInt64
    /// Start in ticks of the track's time scale; -1 for a pause.
    package let mediaTime: Int64
    /// Playback rate.
    package let rate: Double
  }

  /// A reference to other tracks.
  package struct Reference: Encodable, Hashable, Sendable {
    /// `cdsc`, `cdep`, …
    package let type: String
    /// Numbers of tracks, which need not exist.
    package let tracks: [UInt32]
  }

  /// A key of a timed metadata track.
  package struct TimedKey: Encodable, Hashable, Sendable {
    /// The number by which samples refer to it.
    package let localID: UInt32
    /// Its name.
    package let name: String
    /// The type of its values: the name of a well-known type, or a name in reverse DNS form.
    package let dataType: String
    /// The number of samples that carry it; nil when the samples were too large to look into.
    package let sampleCount: Int?
    /// Its value in the first sample that carries it, where the type is a well-known one.
    package let firstValue: MetadataValue?
  }

  /// The track's number.
  package let number: UInt32
  /// `vide`, `soun`, `meta`, …
  package let handler: String
  /// The handler's name: “Core Media Video”.
  package let handlerName: String
  /// The format of its samples: `avc1`, `hvc1`, `lpcm`, `mebx`, …
  package let format: String
  /// True if it is switched on.
  package let isEnabled: Bool
  /// Time it was made, UTC; nil when the file does not say.
  package let created: String?
  /// Time it was changed, UTC; nil when the file does not say.
  package let modified: String?
  /// The language: three letters (ISO 639-2), or the number of a Macintosh language.
  package let language: String
  /// Ticks a second of the media.
  package let timeScale: UInt32
  /// Ticks of the media.
  package let duration: UInt64
  /// Seconds of the media.
  package let seconds: Double
  /// The number of its samples (frames).
  package let sampleCount: Int
  /// Bytes of all samples.
  package let mediaBytes: Int
  /// Its edit list; empty without one.
  package let editList: [EditEntry]
  /// Its references to other tracks.
  package let references: [Reference]
  /// Metadata of the track.
  package let keys: [KeyInspection]
  /// A description of a video track.
  package let video: VideoInspection?
  /// A description of a sound track.
  package let sound: SoundInspection?
  /// The keys of a timed metadata track.
  package let timedKeys: [TimedKey]
  /// Atoms that are not known, as paths within the track.
  package let unknownAtoms: [String]
}

/// A description of a video track.
package struct VideoInspection: Encodable, Hashable, Sendable {
  /// A width and a height.
  package struct Size: Encodable, Hashable, Sendable {
    /// Pixels.
    package let width: Double
    /// Pixels.
    package let height: Double
  }

  /// Size of the stored frames.
  package let storedSize: Size
  /// Size in the track header, before the matrix.
  package let trackSize: Size
  /// The turn by which frames are laid down, as the number of the Exif tag; nil for a matrix that scales or shears.
  package let orientation: Int?
  /// The nine numbers of the matrix: a, b, u, c, d, v, x, y, w.
  package let matrix: [Double]
  /// The place of the laid down picture's top left corner; 0, 0 as a rule.
  package let origin: [Double]
  /// The clean aperture, `clap`.
  package let cleanAperture: FrameAperture?
  /// The track apertures, `tapt`: `clef`, `prof`, `enof`.
  package let trackApertures: [String: Size]
  /// The colour description, `colr`.
  package let color: VideoColor?
  /// Horizontal and vertical spacing of pixels, `pasp`.
  package let pixelAspect: [UInt32]?
  /// Frames a second on average.
  package let frameRate: Double
  /// Frames a second where frames last longest.
  package let leastFrameRate: Double
  /// Frames a second where frames last shortest.
  package let greatestFrameRate: Double
  /// The number of frames that can be decoded alone.
  package let syncFrameCount: Int
  /// True if frames are shown in another order than they are stored in.
  package let isReordered: Bool
  /// Extensions of the sample description: `avcC`, `colr`, …
  package let extensions: [String]
}

/// A description of a sound track.
package struct SoundInspection: Encodable, Hashable, Sendable {
  /// Version of the sample description.
  package let version: Int
  /// The number of channels.
  package let channels: Int
  /// Bits a sample; 0 where compressed sound does not say.
  package let bits: Int
  /// Samples a second; 0 where the file says no number.
  package let sampleRate: Double
}
