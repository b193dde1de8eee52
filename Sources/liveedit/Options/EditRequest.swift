import Basics
import EditModel
import LiveEdit

/// What an editing command asks for.
struct EditRequest: Hashable {
  /// What becomes of an edit.
  enum Change: Hashable {
    /// The displayed picture is turned or mirrored further.
    case turn(Orientation)
    /// The turned picture is cropped, straightened or set upright.
    case geometry(GeometryOptions)
    /// Light, colour, curve or look are set.
    case adjust(AdjustOptions)
    /// Presets or the edit of another asset are laid over it.
    case apply(ApplyOptions)
    /// Values are found by what the pictures show.
    case auto(AutoOptions)
  }

  /// What becomes of the edit.
  var change: Change
  /// The settings that were asked for.
  var settings: SettingsChange
  /// The folder of `-o`.
  var output: String?
  /// Whether each Live Photo is edited for itself, instead of all of a folder or none.
  var isEach: Bool
  /// Whether to print JSON.
  var isJSON: Bool
  /// The files that were named, at least one.
  var files: [String]

  /// Reads the command's own options.
  ///
  /// - Parameter arguments: of a command that edits.
  /// - Throws: ``UsageError`` when something is missing or too much.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    change = try Self.change(arguments)
    settings = SettingsChange(
      videoCodec: arguments.options["video-codec"].flatMap { RenderSettings.VideoCodec(rawValue: $0) },
      quality: arguments.options["quality"].flatMap { RenderSettings.Quality(rawValue: $0) },
      speed: arguments.options["speed"].flatMap { RenderSettings.Speed(rawValue: $0) },
      isLossless: arguments.options["lossless"] != nil,
      photoFormat: arguments.options["photo-format"].flatMap { RenderSettings.PhotoFormat(rawValue: $0) })
    let encoding = ["video-codec", "quality", "speed", "photo-format"].filter { arguments.options[$0] != nil }
    if settings.isLossless, let option = encoding.first {
      throw UsageError(message: "--lossless encodes nothing, so --\(option) cannot go with it")
    }
    output = arguments.options["output"]
    isEach = arguments.options["each"] != nil
    isJSON = arguments.isJSON
    files = try arguments.namedFiles
  }

  private static func change(_ arguments: ParsedArguments) throws(UsageError) -> Change {
    switch arguments.command {
    case "adjust": return .adjust(try AdjustOptions(arguments))
    case "apply": return .apply(try ApplyOptions(arguments))
    case "auto": return .auto(try AutoOptions(arguments))
    case "crop", "straighten", "perspective": return .geometry(try GeometryOptions(arguments))
    case "rotate":
      guard let degrees = arguments.options["degrees"].flatMap({ Int($0) }) else {
        throw UsageError(message: "rotate needs --degrees 90, 180, 270 or -90")
      }
      return .turn(Orientation(quarterTurns: degrees / 90))
    default:
      switch (arguments.options["horizontal"], arguments.options["vertical"]) {
      case (_?, nil): return .turn(.flippedHorizontally)
      case (nil, _?): return .turn(.flippedVertically)
      default: throw UsageError(message: "flip needs either --horizontal or --vertical")
      }
    }
  }
}

extension EditRequest.Change {
  /// The change as a function of the edit before and of what it is applied to. Files that it names are read here,
  /// before anything is edited.
  func function() throws(EditError) -> (Edit, EditSource) throws(EditError) -> Edit {
    switch self {
    case .turn(let orientation): return { edit, _ in edit.turned(orientation) }
    case .geometry(let options):
      return { edit, source throws(EditError) in try options.applied(to: edit, of: source) }
    case .adjust(let options):
      let partial = try options.resolved()
      return { edit, _ in partial.applied(to: edit) }
    case .apply(let options):
      let layers = try options.resolved()
      return { edit, _ in layers.reduce(edit) { $1.applied(to: $0) } }
    case .auto(let options): return try options.function()
    }
  }
}
