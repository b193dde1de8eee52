/// A displayable description of a movie track.
package struct TrackInspection: Encodable, Hashable, Sendable {
  /// An entry in the edit list.
  package struct EditEntry: Encodable, Hashable, Sendable {
    /// The duration in ticks of the movie's time scale.
    package let duration: UInt64
    /// The start in ticks of the track's time scale, or -1 for an empty edit (a pause).
    package let mediaTime: Int64
    /// The playback rate.
    package let rate: Double
  }

  /// A reference to other tracks.
  package struct Reference: Encodable, Hashable, Sendable {
    /// The type of reference, such as `cdsc` or `cdep`.
    package let type: String
    /// The IDs of the referenced tracks. Tracks with these IDs need not exist.
    package let tracks: [UInt32]
  }

  /// A key of a timed metadata track.
  package struct TimedKey: Encodable, Hashable, Sendable {
    /// The number that samples use to refer to the key.
    package let localID: UInt32
    /// The key's name.
    package let name: String
    /// The type of the key's values: the name of a well-known type or a reverse-DNS name.
    package let dataType: String
    /// The number of samples that contain the key, or nil if the samples were too large to read.
    package let sampleCount: Int?
    /// The value in the first sample that contains the key, if the value has a well-known type.
    package let firstValue: MetadataValue?
  }

  /// The track's ID.
  package let number: UInt32
  /// The track's handler, such as `vide`, `soun` or `meta`.
  package let handler: String
  /// The handler's name, such as “Core Media Video”.
  package let handlerName: String
  /// The format of the track's samples, such as `avc1`, `hvc1`, `lpcm` or `mebx`.
  package let format: String
  /// Whether the track is enabled.
  package let isEnabled: Bool
  /// The creation date in UTC, or nil if the file does not contain a creation date.
  package let created: String?
  /// The modification date in UTC, or nil if the file does not contain a modification date.
  package let modified: String?
  /// The language, as a three-letter code (ISO 639-2) or as a Macintosh language number.
  package let language: String
  /// The media's time scale, in ticks per second.
  package let timeScale: UInt32
  /// The duration of the media in ticks.
  package let duration: UInt64
  /// The duration of the media in seconds.
  package let seconds: Double
  /// The number of samples (frames in a video track).
  package let sampleCount: Int
  /// The total size of all samples in bytes.
  package let mediaBytes: Int
  /// The track's edit list, which is empty if the track does not have an edit list.
  package let editList: [EditEntry]
  /// The track's references to other tracks.
  package let references: [Reference]
  /// The track's metadata.
  package let keys: [KeyInspection]
  /// A description of a video track.
  package let video: VideoInspection?
  /// A description of an audio track.
  package let sound: SoundInspection?
  /// The keys of a timed metadata track.
  package let timedKeys: [TimedKey]
  /// The paths of the unknown atoms, relative to the track.
  package let unknownAtoms: [String]
}

/// A description of a video track.
package struct VideoInspection: Encodable, Hashable, Sendable {
  /// A width and a height.
  package struct Size: Encodable, Hashable, Sendable {
    /// The width or height in pixels.
    package let width: Double
    /// The width or height in pixels.
    package let height: Double
  }

  /// The size of the stored frames.
  package let storedSize: Size
  /// The frame size stated in the track header, before the matrix is applied.
  package let trackSize: Size
  /// The orientation in which frames are displayed, as an Exif value, or nil if the track's matrix scales or shears the
  /// picture.
  package let orientation: Int?
  /// The nine entries of the matrix: a, b, u, c, d, v, x, y, w.
  package let matrix: [Double]
  /// The position of the frame's top-left corner after the matrix is applied, usually 0, 0.
  package let origin: [Double]
  /// The clean aperture (`clap`).
  package let cleanAperture: FrameAperture?
  /// The track apertures (`tapt`): `clef`, `prof` and `enof`.
  package let trackApertures: [String: Size]
  /// The colour description (`colr`).
  package let color: VideoColor?
  /// The horizontal and vertical spacing of pixels (`pasp`).
  package let pixelAspect: [UInt32]?
  /// The average frame rate in frames per second.
  package let frameRate: Double
  /// The lowest frame rate in frames per second, calculated from the longest frame duration.
  package let leastFrameRate: Double
  /// The highest frame rate in frames per second, calculated from the shortest frame duration.
  package let greatestFrameRate: Double
  /// The number of frames that can be decoded independently.
  package let syncFrameCount: Int
  /// Whether the display order of the frames differs from their storage order.
  package let isReordered: Bool
  /// The extensions of the sample description, such as `avcC` or `colr`.
  package let extensions: [String]
}

/// A description of an audio track.
package struct SoundInspection: Encodable, Hashable, Sendable {
  /// The version of the sample description.
  package let version: Int
  /// The number of channels.
  package let channels: Int
  /// The number of bits per sample, or 0 if compressed audio does not state the number.
  package let bits: Int
  /// The number of samples per second, or 0 if the file does not state a valid number.
  package let sampleRate: Double
}
