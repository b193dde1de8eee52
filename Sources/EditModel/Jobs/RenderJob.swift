public import Basics

/// One render: which files, which edit, where the results go. The helper reads it as JSON.
public struct RenderJob: Codable, Hashable, Sendable {
  /// One half of the pair: the file to read and the file to write.
  public struct Half: Codable, Hashable, Sendable {
    /// Path of the file that the edit is applied to. Only read.
    public var source: String
    /// Path of the file to write. It must not exist yet; when the render fails it is gone again.
    public var output: String

    /// - Parameters:
    ///   - source: path of the file that the edit is applied to.
    ///   - output: path of the file to write.
    public init(source: String, output: String) {
      self.source = source
      self.output = output
    }
  }

  /// The photo, if the asset has one.
  public var photo: Half?
  /// The movie, if the asset has one.
  public var movie: Half?
  /// Where the photo lies on the movie's timeline, where it is not the movie that marks it.
  package var stillPlace: StillPlace?
  /// Path of the movie whose frames the photo is made of, where that movie is not rendered.
  public var frameSource: String?
  /// The edit, as seen on the displayed pictures.
  public var edit: Edit
  /// The edit that the photo has already and its movie has not: the movie gets it first.
  public var adopted: Adopted?
  /// The way it is rendered.
  public var settings: RenderSettings
  /// The content identifier that ties the rendered halves: an upper-case UUID. nil leaves the halves
  /// without one (a plain photo or movie that had none).
  public var identifier: String?

  /// The factor that the movie's sound is multiplied with: 1 leaves its bits as they are, 0 leaves it out.
  public var audioVolume: Double
  /// A size in pixels that the displayed pictures must fit into, for a preview; nil renders them in full.
  public var fittingSize: PixelSize?

  /// An edit that another program made of the photo.
  public struct Adopted: Codable, Hashable, Sendable {
    /// The edit. Of its time and sound counts what the job's own edit leaves as it is.
    public var edit: Edit
    /// Path of the photo that it was made of. Only read.
    public var photo: String?
    /// Path of the PNG, TIFF or WebP picture that takes the place of the picture in ``RenderJob/photo``. Only read.
    public var picture: String?

    /// - Parameters:
    ///   - edit: the edit.
    ///   - photo: path of the photo that it was made of.
    ///   - picture: path of the picture that takes the place of the photo's.
    public init(edit: Edit, photo: String?, picture: String? = nil) {
      (self.edit, self.photo, self.picture) = (edit, photo, picture)
    }
  }

  /// The time and sound of the movie.
  package var movieMotion: Motion { adopted.map { edit.motion.laid(over: $0.edit.motion) } ?? edit.motion }

  /// The size of the rendered picture as a part of the full one.
  ///
  /// - Parameter picture: the size of the full picture as displayed.
  public func scale(of picture: PixelSize) -> Double {
    guard let fittingSize, picture.width > 0 else { return 1 }
    return Double(fittingSize.fitting(picture).width) / Double(picture.width)
  }

  /// - Parameters:
  ///   - photo: the photo, if the asset has one.
  ///   - movie: the movie, if the asset has one.
  ///   - frameSource: path of the movie that the photo is made of a frame of, where that movie is not rendered.
  ///   - edit: what to do.
  ///   - adopted: the edit that the photo has already and its movie has not.
  ///   - settings: how to do it.
  ///   - identifier: the content identifier of the rendered halves.
  ///   - audioVolume: what the movie's sound is multiplied with, from 0 to 1.
  ///   - fittingSize: a size that the displayed pictures must fit into; nil renders them in full.
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

/// Something of the original that the rendered file does not carry, because it would not be true there.
public struct Removal: Codable, Hashable, Sendable {
  /// Half that it was removed from.
  public var half: HalfKind
  /// Its name as other tools print it: a metadata key, an Exif or XMP group, a track.
  public var name: String
  /// Reason why it could not stay, as the end of a sentence: “describes places in the picture”.
  public var reason: Message

  /// - Parameters:
  ///   - half: which half it was removed from.
  ///   - name: its name as other tools print it.
  ///   - reason: why it could not stay.
  public init(half: HalfKind, name: String, reason: Message) {
    self.half = half
    self.name = name
    self.reason = reason
  }
}

/// The result of a render: how the halves were made.
public struct RenderResult: Codable, Hashable, Sendable {
  /// The way a half's picture was made.
  public enum Method: String, Codable, Hashable, Sendable {
    /// The compressed picture is the original's, bit for bit.
    case copied
    /// Turned in the DCT domain: no generation loss.
    case lossless
    /// Decoded, edited and encoded again.
    case encoded
  }

  /// The way the photo was made; nil when there is none.
  public var photo: Method?
  /// The way the movie was made; nil when there is none.
  public var movie: Method?
  /// Where the photo lies on the timeline of the rendered movie, in seconds; nil when that is not known.
  package var stillTime: Double?
  /// The parts of the originals that the render could not carry over.
  public var removals: [Removal]
  /// Further remarks for people, one sentence each.
  public var notes: [Message]
  /// Everything that decides the bytes besides the job: the versions of liveedit and of the libraries that it used.
  /// Equal builds render equal bytes; empty when the renderer does not promise that.
  public var build: String

  /// - Parameters:
  ///   - photo: how the photo was made.
  ///   - movie: how the movie was made.
  ///   - removals: what the render could not carry over.
  ///   - notes: further remarks for people.
  ///   - build: everything that decides the bytes besides the job.
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
  /// From 0 to 1, over both halves.
  public var fraction: Double

  /// - Parameter fraction: from 0 to 1.
  public init(fraction: Double) {
    self.fraction = fraction
  }
}
