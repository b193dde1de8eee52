public import Basics

/// A job for rendering an edit: the source files, the edit and the output files. The render helper reads the job as
/// JSON.
public struct RenderJob: Codable, Hashable, Sendable {
  /// One half of the pair: the file to read and the file to write.
  public struct Half: Codable, Hashable, Sendable {
    /// The path of the file that the edit is applied to. The file is only read.
    public var source: String
    /// The path of the file to write. The file must not exist yet; it is deleted if the render fails.
    public var output: String

    /// - Parameters:
    ///   - source: The path of the file that the edit is applied to.
    ///   - output: The path of the file to write.
    public init(source: String, output: String) {
      self.source = source
      self.output = output
    }
  }

  /// The files of the photo; nil if the asset has no photo.
  public var photo: Half?
  /// The files of the movie; nil if the asset has no movie.
  public var movie: Half?
  /// The photo's time on the movie's timeline, if the movie itself does not mark this time.
  package var stillPlace: StillPlace?
  /// The path of the movie that supplies the frames for the photo, if that movie is not itself rendered.
  public var frameSource: String?
  /// The edit, relative to the displayed pictures.
  public var edit: Edit
  /// The edit that the photo already contains but the movie does not. This edit is applied to the movie before the
  /// job's own edit.
  public var adopted: Adopted?
  /// The settings of the render.
  public var settings: RenderSettings
  /// The content identifier that pairs the rendered halves: an upper-case UUID. If this is nil, as for a photo or movie
  /// alone, no identifier is written.
  public var identifier: String?

  /// The factor for the volume of the movie's audio: 1 leaves the audio bit-identical, 0 removes the audio.
  public var audioVolume: Double
  /// The size in pixels that the displayed pictures must fit into, for a preview; nil renders at full size.
  public var fittingSize: PixelSize?

  /// An edit that another program made to the photo.
  public struct Adopted: Codable, Hashable, Sendable {
    /// The edit made by the other program. Its timing and audio changes apply only where the job's own edit changes
    /// nothing.
    public var edit: Edit
    /// The path of the photo before that edit. The file is only read.
    public var photo: String?
    /// The path of a PNG, TIFF or WebP picture that replaces the picture in ``RenderJob/photo``. The file is only read.
    public var picture: String?

    /// - Parameters:
    ///   - edit: The edit made by the other program.
    ///   - photo: The path of the photo before that edit.
    ///   - picture: The path of the picture that replaces the photo's picture.
    public init(edit: Edit, photo: String?, picture: String? = nil) {
      (self.edit, self.photo, self.picture) = (edit, photo, picture)
    }
  }

  /// The timing and audio changes to the movie.
  package var movieMotion: Motion { adopted.map { edit.motion.laid(over: $0.edit.motion) } ?? edit.motion }

  /// Returns the scale of the rendered picture relative to full size.
  ///
  /// - Parameter picture: The displayed size of the full picture.
  public func scale(of picture: PixelSize) -> Double {
    guard let fittingSize, picture.width > 0 else { return 1 }
    return Double(fittingSize.fitting(picture).width) / Double(picture.width)
  }

  /// - Parameters:
  ///   - photo: The files of the photo; nil if the asset has no photo.
  ///   - movie: The files of the movie; nil if the asset has no movie.
  ///   - frameSource: The path of the movie that supplies the frame for the photo, if that movie is not rendered.
  ///   - edit: The edit to render.
  ///   - adopted: The edit that the photo already contains but the movie does not.
  ///   - settings: The settings of the render.
  ///   - identifier: The content identifier of the rendered halves.
  ///   - audioVolume: The factor for the volume of the movie's audio, from 0 to 1.
  ///   - fittingSize: The size that the displayed pictures must fit into; nil renders at full size.
  public init(
    photo: Half?, movie: Half?, frameSource: String? = nil, edit: Edit, adopted: Adopted? = nil,
    settings: RenderSettings, identifier: String?, audioVolume: Double = 1, fittingSize: PixelSize? = nil
  ) {
    self.photo = photo
    self.movie = movie
    self.frameSource = frameSource
    self.edit = edit
    self.adopted = adopted
    self.settings = settings
    self.identifier = identifier
    self.audioVolume = audioVolume
    self.fittingSize = fittingSize
  }
}

/// A part of the original that is missing in the rendered file, because the part would no longer be correct.
public struct Removal: Codable, Hashable, Sendable {
  /// The half that the part was removed from.
  public var half: HalfKind
  /// The name of the part as other tools print it: a metadata key, an Exif or XMP group, or a track.
  public var name: String
  /// The reason for the removal, as the end of a sentence: “describes places in the picture”.
  public var reason: Message

  /// - Parameters:
  ///   - half: The half that the part was removed from.
  ///   - name: The name of the part as other tools print it.
  ///   - reason: The reason for the removal.
  public init(half: HalfKind, name: String, reason: Message) {
    self.half = half
    self.name = name
    self.reason = reason
  }
}

/// The result of a render, including how the halves were produced.
public struct RenderResult: Codable, Hashable, Sendable {
  /// How a half's picture was produced.
  public enum Method: String, Codable, Hashable, Sendable {
    /// The compressed picture is bit-identical to the original picture.
    case copied
    /// Rotated or mirrored in the DCT domain, without generation loss.
    case lossless
    /// Decoded, edited and re-encoded.
    case encoded
  }

  /// How the photo was produced; nil if the asset has no photo.
  public var photo: Method?
  /// How the movie was produced; nil if the asset has no movie.
  public var movie: Method?
  /// The photo's time on the timeline of the rendered movie, in seconds; nil if that time is not known.
  package var stillTime: Double?
  /// The parts of the originals that were not carried over to the rendered files.
  public var removals: [Removal]
  /// Other notes for the user, one sentence each.
  public var notes: [Message]
  /// The versions of liveedit and of the libraries that liveedit used. Besides the job, these versions alone determine
  /// the rendered bytes, so equal builds render identical bytes. The text is empty if the renderer does not guarantee
  /// this.
  public var build: String

  /// - Parameters:
  ///   - photo: How the photo was produced.
  ///   - movie: How the movie was produced.
  ///   - removals: The parts of the originals that were not carried over to the rendered files.
  ///   - notes: Other notes for the user.
  ///   - build: The versions of liveedit and of the libraries, which determine the rendered bytes.
  public init(
    photo: Method? = nil, movie: Method? = nil, removals: [Removal] = [], notes: [Message] = [],
    build: String = ""
  ) {
    self.photo = photo
    self.movie = movie
    self.removals = removals
    self.notes = notes
    self.build = build
  }
}

/// The progress of a render.
public struct RenderProgress: Codable, Hashable, Sendable {
  /// The fraction of the render that is complete, for both halves together, from 0 to 1.
  public var fraction: Double

  /// - Parameter fraction: The fraction of the render that is complete, from 0 to 1.
  public init(fraction: Double) {
    self.fraction = fraction
  }
}
