import Basics
import EditModel
import Workflows

/// The way in which an editing command changes edits.
protocol EditChange: Sendable {
  /// The change as a function of the edit before and of the files that it is applied to. Files that the command line
  /// names are read here, before anything is edited.
  func function() throws(EditError) -> @Sendable (Edit, EditSource) throws(EditError) -> Edit

  /// True if doing it again changes the edit further.
  var isRelative: Bool { get }
  /// True if it decodes pictures: then each edit is found when it is the asset's turn.
  var needsPictures: Bool { get }
  /// True if it changes what files say of the capture: then sidecars are read, unless that is declined.
  var changesFacts: Bool { get }
}

extension EditChange {
  var isRelative: Bool { false }
  var needsPictures: Bool { false }
  var changesFacts: Bool { false }
}

/// The arguments of an editing command.
struct EditRequest: Sendable {
  /// The way in which edits are changed.
  var change: any EditChange
  /// The settings that were asked for.
  var settings: SettingsChange
  /// The part that sidecars have.
  var sidecars: SidecarUse
  /// The folder of `-o`.
  var output: String?
  /// The files.
  var selection: FileSelection

  private static let output = OptionDeclaration(
    name: "output", letter: "o", type: .folder, placeholder: "DIR",
    synonyms: OptionDeclaration.synonymsOfOutput,
    help: "write to DIR without recording a version")
  private static let videoCodec = OptionDeclaration(
    name: "video-codec", type: .word(RenderSettings.VideoCodec.self), placeholder: "CODEC",
    synonyms: ["codec", "vcodec", "encoder"],
    synonymsOfValues: [
      "x264": "h264", "avc": "h264", "h.264": "h264", "x265": "hevc", "h265": "hevc", "h.265": "hevc",
    ],
    help: "the movie's codec: \(RenderSettings.VideoCodec.words.alternatives) (default: the original's)")
  private static let photoFormat = OptionDeclaration(
    name: "photo-format", type: .word(RenderSettings.PhotoFormat.self), placeholder: "FORMAT",
    standard: RenderSettings.standard.photoFormat.rawValue, synonyms: ["format", "convert"],
    synonymsOfValues: ["jpg": "jpeg", "heif": "heic", "original": "same"],
    help: "the photo's format: same, heic or jpeg (default: same as the original)")
  private static let quality = OptionDeclaration(
    name: "quality", type: .word(RenderSettings.Quality.self), placeholder: "LEVEL",
    standard: RenderSettings.standard.quality.rawValue, synonyms: ["crf"],
    synonymsOfValues: [
      "best": "high", "max": "high", "maximum": "high", "good": "standard", "medium": "standard",
      "normal": "standard",
      "low": "small", "min": "small",
    ],
    help:
      "quality: \(RenderSettings.Quality.words.alternatives) (default: \(RenderSettings.standard.quality.rawValue))"
  )
  private static let speed = OptionDeclaration(
    name: "speed", type: .word(RenderSettings.Speed.self), placeholder: "SPEED",
    standard: RenderSettings.standard.speed.rawValue,
    synonymsOfValues: ["normal": "medium", "faster": "fast", "slower": "slow"],
    help: "encoding speed, slower for smaller movies: \(RenderSettings.Speed.words.alternatives) "
      + "(default: \(RenderSettings.standard.speed.rawValue))")
  private static let lossless = OptionDeclaration(
    name: "lossless", synonyms: ["no-encode"],
    help: "do not re-encode, now and in later edits, until --quality or a similar option is used")

  /// The option of the commands that change what files say of the capture.
  static let sidecars = OptionDeclaration(
    name: "sidecars", type: .word(SidecarUse.self), placeholder: "USE", standard: SidecarUse.read.rawValue,
    synonyms: ["sidecar", "xmp"],
    synonymsOfValues: ["on": "read", "yes": "read", "off": "ignore", "no": "ignore", "none": "ignore"],
    help: "read XMP sidecars of the originals (IMG_0001.JPG.xmp) into the edit, ignore them, "
      + "or also write one for the edited file")

  /// The options of every command that renders.
  static let renderOptions = [
    output, videoCodec, photoFormat, quality, speed, lossless,
  ]

  /// Reads the options that all commands that edit have.
  ///
  /// - Throws: ``UsageError`` when something is missing or too much.
  init(_ arguments: ParsedArguments, change: any EditChange) throws(UsageError) {
    self.change = change
    settings = SettingsChange(
      videoCodec: arguments.value(Self.videoCodec), quality: arguments.value(Self.quality),
      speed: arguments.value(Self.speed), isLossless: arguments.has(Self.lossless),
      photoFormat: arguments.value(Self.photoFormat))
    let encoding = [Self.videoCodec, Self.quality, Self.speed, Self.photoFormat]
    if settings.isLossless, let option = encoding.first(where: { arguments[$0] != nil }) {
      throw UsageError(message: "--\(option.name) cannot be used with --lossless, which does not re-encode")
    }
    sidecars = change.changesFacts ? arguments.value(Self.sidecars) ?? .read : .ignore
    output = arguments[Self.output]
    selection = try FileSelection(arguments)
  }
}
