import Basics
import EditModel
import RenderClient
import Workflows

/// The command `adjust`.
struct AdjustCommand: EditChange, Hashable {
  /// The values to set and the values to reset. The look is stored in ``look``.
  var partial = PartialEdit()
  /// The name or file of the look; nil if no look was requested.
  var look: String?
  /// The position in the picture that should become neutral grey; nil if no position was given.
  var greyPlace: AutoJob.Place?
  /// The intensity of the look, from 0 to 1.
  var lookIntensity = 1.0

  private static let looks = BuiltInLook.words
  private static let curve = OptionDeclaration(
    name: "curve", type: .text, placeholder: "X:Y,X:Y,…", synonyms: ["curves", "tone-curve"],
    help: "tone curve: points from 0 to 1, such as 0:0.05,0.5:0.6,1:1")
  private static let channelCurves = ToneCurve.Channel.allCases.map { channel in
    OptionDeclaration(
      name: "curve-\(channel.rawValue)", type: .text, placeholder: "X:Y,X:Y,…",
      help: "tone curve of \(channel.rawValue) only", family: "tone curve of one channel")
  }
  private static let whiteAt = OptionDeclaration(
    name: "white-at", type: .text, placeholder: "X,Y",
    synonyms: ["grey-at", "gray-at", "pick-white", "neutral-at"],
    help:
      "make this point of the unedited picture grey (0.5,0.5 is the centre)")
  private static let look = OptionDeclaration(
    name: "look", type: .name(looks), placeholder: "LOOK", synonyms: ["lut", "style", "film"],
    help: ".cube file, or \(looks.joined(separator: ", "))")
  private static let lookIntensity = OptionDeclaration(
    name: "look-intensity", type: .number(0...1), placeholder: "N", standard: "1",
    help: "strength of the look, 0 to 1 (default 1)")
  private static let parts = EditPart.allCases.filter(EditPart.appearance.contains).map(\.rawValue.dashed)
  private static let resettable = ["all"] + parts + Parameter.words
  private static let reset = OptionDeclaration(
    name: "reset", type: .name(resettable), placeholder: "NAME", isRepeatable: true,
    synonyms: ["remove", "clear", "undo"], proposal: .words(resettable),
    help: "reset a slider, or light, color, black-and-white, curve, look, detail, effects, "
      + "or all of these")

  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    editing: "adjust",
    summary: "Adjust light, colour, detail and effects, and apply looks.",
    about: """
      A slider's new value replaces its old one; other sliders stay. 0 is neutral unless stated otherwise.
      """,
    forms: [.init()],
    options: Parameter.allCases.map(slider) + [curve] + channelCurves + [
      whiteAt, look, lookIntensity, reset,
    ],
    synonyms: [
      "edit", "light", "color", "colour", "change", "modify", "tune", "develop", "set", "lighten", "darken",
    ],
    related: ["auto", "apply", "preset"],
    examples: [
      .init(
        "adjust --exposure 0.5 --warmth -0.2 IMG_0001.JPG",
        "Makes photo and movie half a stop brighter, and cooler."),
      .init(
        "adjust --look film --look-intensity 0.5 IMG_0001.JPG", "Applies the look film at half strength."
      ),
      .init(
        "adjust --white-at 0.9,0.9 IMG_0001.JPG",
        "Sets the white balance so that this point becomes grey."),
    ]
  ) { arguments throws(UsageError) in try AdjustCommand(arguments) }

  /// Whether the edit depends on the picture.
  var needsPictures: Bool { greyPlace != nil }

  private static let synonyms: [Parameter: [String]] = [
    .exposure: ["ev", "light"], .warmth: ["white-balance", "wb"], .temperature: ["temp", "kelvin"],
    .highlights: ["highlight"],
    .shadows: ["shadow"], .saturation: ["sat", "color", "colour"], .blackPoint: ["blacks", "black"],
    .monochrome: ["grayscale", "greyscale", "bw", "mono"], .definition: ["clarity", "structure"],
    .dehaze: ["haze", "fog"], .whites: ["white", "white-point"],
    .sharpness: ["sharpen", "sharp"], .noiseReduction: ["denoise", "noise"],
  ]

  /// Returns the option for a parameter.
  static func slider(_ parameter: Parameter) -> OptionDeclaration {
    let about = parameter.description
    let (least, greatest) = (
      TextNumber.short(about.range.lowerBound), TextNumber.short(about.range.upperBound)
    )
    let neutral = TextNumber.short(about.neutral)
    let unit = about.unit.map { ($0 == "°" ? "" : " ") + $0 } ?? ""
    return OptionDeclaration(
      name: parameter.rawValue.dashed, type: .number(about.range, unit: about.unit), placeholder: "N",
      standard: neutral, synonyms: synonyms[parameter] ?? [],
      help: about.neutral == 0
        ? "\(about.summary), \(decimal: least) to \(decimal: greatest)\(unit)"
        : "\(about.summary), \(decimal: least) to \(decimal: greatest)\(unit), neutral \(decimal: neutral)",
      family: family(parameter))
  }

  /// The help text that a slider shares with the sliders for other colours or tones.
  private static func family(_ parameter: Parameter) -> Message? {
    if Parameter.hueRanges.contains(where: { $0.hue == parameter }) {
      return "shift the hue of this colour by up to 30°, -1 to 1"
    }
    if Parameter.hueRanges.contains(where: { $0.saturation == parameter }) {
      return "strengthen or weaken this colour, -1 to 1"
    }
    if Parameter.hueRanges.contains(where: { $0.luminance == parameter }) {
      return "brighten or darken this colour, -1 to 1"
    }
    if Parameter.grades.contains(where: { $0.hue == parameter }) {
      return "hue of the tint, 0 to 359°: 30 red, 55 orange, 105 yellow, 145 green, 260 blue"
    }
    if Parameter.grades.contains(where: { $0.saturation == parameter }) {
      return "strength of the tint in these tones, 0 to 1"
    }
    if Parameter.grades.contains(where: { $0.luminance == parameter }) {
      return "brighten or darken these tones, -1 to 1"
    }
    let channels: [Parameter] = [.monochromeRed, .monochromeGreen, .monochromeBlue]
    return channels.contains(parameter) ? "weight of this colour in a black-and-white picture, -1 to 1" : nil
  }

  /// - Parameter arguments: The arguments of the command `adjust`.
  /// - Throws: ``UsageError`` if a value is not valid or is out of range, or if no change is requested.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    for name in arguments.all(Self.reset) { try reset(name) }
    for parameter in Parameter.allCases {
      let slider = Self.slider(parameter)
      guard let value = try arguments.anyNumber(slider) else { continue }
      do throws(EditError) {
        partial.values[parameter] = try parameter.checked(value)
      } catch {
        let text = arguments[slider] ?? ""
        throw UsageError(
          message: error.refusing("--\(slider.name)", text))
      }
    }
    if let text = arguments[Self.curve] { partial.curve = try Self.points(text, of: Self.curve) }
    for (channel, option) in zip(ToneCurve.Channel.allCases, Self.channelCurves) {
      if let text = arguments[option] { partial.channelCurves[channel] = try Self.points(text, of: option) }
    }
    if let text = arguments[Self.whiteAt] { greyPlace = try Self.place(text) }
    look = arguments[Self.look]
    if let look, !look.lowercased().hasSuffix(".cube"), !Self.looks.contains(look) {
      var hint = Suggestion.sentence(for: look, among: Self.looks)
      if hint.isEmpty { hint = "; use a .cube file or one of \(Self.looks.joined(separator: ", "))" }
      throw UsageError(
        message: "unknown look “\(look)”"
          + "\(hint)")
    }
    if arguments[Self.lookIntensity] != nil, look == nil {
      throw UsageError(message: "--look-intensity needs --look, for example --look film --look-intensity 0.5")
    }
    lookIntensity = try arguments.number(Self.lookIntensity) ?? 1
    if partial.isEmpty, look == nil, greyPlace == nil {
      throw UsageError(message: "adjust needs a setting or --reset, for example --exposure 0.5")
    }
  }

  private mutating func reset(_ name: String) throws(UsageError) {
    if name == "all" {
      partial.resets.formUnion(EditPart.appearance)
    } else if let part = EditPart.appearance.first(where: { $0.isTyped(name) }) {
      partial.resets.insert(part)
    } else if let parameter = Parameter.allCases.first(where: { $0.isTyped(name) }) {
      partial.values[parameter] = parameter.description.neutral
    } else {
      throw UsageError(
        message: "--reset does not accept “\(name)”; give a slider, all, \(Self.parts.alternatives)"
          + "\(Suggestion.sentence(for: name, among: Self.resettable))")
    }
  }

  private static func place(_ text: String) throws(UsageError) -> AutoJob.Place {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 2, let x = numbers[0], let y = numbers[1], 0...1 ~= x, 0...1 ~= y else {
      throw UsageError(
        message: "--\(whiteAt.name) cannot be \(text); give two fractions from 0 to 1, such as 0.5,0.25")
    }
    return AutoJob.Place(x: x, y: y)
  }

  private static func points(_ text: String, of option: OptionDeclaration) throws(UsageError) -> ToneCurve {
    var points: [ToneCurve.Point] = []
    for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
      let numbers = pair.split(separator: ":", omittingEmptySubsequences: false).compactMap { Double($0) }
      guard numbers.count == 2, numbers.allSatisfy({ 0...1 ~= $0 }),
        pair.split(separator: ":", omittingEmptySubsequences: false).count == 2
      else {
        throw UsageError(
          message:
            "--\(option.name) does not accept “\(pair)”; give points from 0 to 1, such as 0:0.05,0.5:0.6,1:1")
      }
      points.append(
        ToneCurve.Point(x: Int((numbers[0] * 1000).rounded()), y: Int((numbers[1] * 1000).rounded())))
    }
    do throws(EditError) {
      return try ToneCurve(points)
    } catch {
      throw UsageError(message: "--\(option.name): \(error)")
    }
  }

  /// Returns all requested changes, including the content of the look's file.
  func resolved() throws(EditError) -> PartialEdit {
    var partial = partial
    if let look {
      partial.look = Look(try LookSource.named(look), intensity: lookIntensity)
      if partial.look == nil { partial.resets.insert(.look) }
    }
    return partial
  }

  func function() throws(EditError) -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    let partial = try resolved()
    guard let greyPlace else { return { edit, _ in partial.applied(to: edit) } }
    let helper = try HelperRenderer()
    return { edit, source throws(EditError) in
      let proposal = try helper.proposal(for: source, greyPlace: greyPlace)
      var edit = edit
      edit[.warmth] = 0
      for parameter in [Parameter.temperature, .tint] { edit[parameter] = proposal.values[parameter] }
      return partial.applied(to: edit)
    }
  }
}
