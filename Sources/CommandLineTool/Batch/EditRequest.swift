import Basics
import EditModel
import Workflows

/// The change that an editing command applies to edits.
protocol EditChange: Sendable {
  /// Returns the change as a function of the last edit and the edit's files. Files named on the command line are read
  /// here, before any edit is made.
  func function() throws(EditError) -> @Sendable (Edit, EditSource) throws(EditError) -> Edit

  /// Whether repeating the change would change the edit further.
  var isRelative: Bool { get }
  /// Whether the change decodes pictures. In that case, each edit is determined only when its asset is processed.
  var needsPictures: Bool { get }
  /// Whether the change affects capture metadata. In that case, sidecars are read unless the user disables this.
  var changesFacts: Bool { get }
}

extension EditChange {
  var isRelative: Bool { false }
  var needsPictures: Bool { false }
  var changesFacts: Bool { false }
}

/// The arguments of an editing command.
struct EditRequest: Sendable {
  /// The change that is applied to the edits.
  var change: any EditChange
  /// The requested render settings.
  var settings: SettingsChange
  /// Whether and how sidecars are used.
  var sidecars: SidecarUse
  /// The output folder that was given with `-o`.
  var output: String?
  /// The selected files.
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
    help: "\(RenderSettings.Speed.words.alternatives) encoding; slow makes smaller files "
      + "(default: \(RenderSettings.standard.speed.rawValue))")
  private static let lossless = OptionDeclaration(
    name: "lossless", synonyms: ["no-encode"],
    help: "do not re-encode, now or in later edits, until --quality is used")

  /// The sidecar option of commands that change capture metadata.
  static let sidecars = OptionDeclaration(
    name: "sidecars", type: .word(SidecarUse.self), placeholder: "USE", standard: SidecarUse.read.rawValue,
    synonyms: ["sidecar", "xmp"],
    synonymsOfValues: ["on": "read", "yes": "read", "off": "ignore", "no": "ignore", "none": "ignore"],
    help: "read XMP sidecars of the originals (IMG_0001.JPG.xmp) into the edit, ignore them, "
      + "or also write a sidecar for the edited file")

  /// The options that all rendering commands share.
  static let renderOptions = [
    output, videoCodec, photoFormat, quality, speed, lossless,
  ]

  /// Reads the options that all editing commands share.
  ///
  /// - Throws: ``UsageError`` if an argument is missing or superfluous.
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
