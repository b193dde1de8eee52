import Basics
import EditModel
import LiveEdit

/// What `adjust` asks for.
struct AdjustOptions: Hashable {
  /// What is set and taken back; the look is in ``look``.
  var partial = PartialEdit()
  /// The look's name or file; nil when none was asked for.
  var look: String?
  /// How much of the look shows.
  var lookIntensity = 1.0

  /// The command.
  static let command = CommandSpecification(
    name: "adjust", summary: "Set light, colour, look, detail and effects of Live Photos, photo and movie.",
    usage: "adjust [--exposure 0.5] [--warmth -0.2] … [options] FILE…",
    options: sliders + [
      OptionSpecification(
        name: "curve", value: "X:Y,X:Y,…",
        help: "the tone curve by its points, 0 to 1, as in 0:0.05,0.5:0.6,1:1"),
      OptionSpecification(
        name: "look", value: "LOOK",
        help: "a .cube file, or " + BuiltInLook.allCases.map(\.rawValue).joined(separator: ", ")),
      OptionSpecification(
        name: "look-intensity", value: "N", help: "how much of the look shows, 0 to 1; 1 unless given"),
      OptionSpecification(
        name: "reset", value: "NAME", isRepeatable: true,
        help:
          "take a slider back, or light, color, black-and-white, curve, look, detail, effects; all takes back all of these"
      ),
    ], command: EditCommand.self)

  /// An option for each parameter.
  static let sliders = Parameter.allCases.map { parameter in
    let about = parameter.description
    let (least, greatest) = (about.range.lowerBound, about.range.upperBound)
    let neutral = about.neutral == 0 ? "" : ", neutral \(TextNumber.short(about.neutral))"
    let unit = about.unit.map { " " + $0 } ?? ""
    return OptionSpecification(
      name: parameter.rawValue.dashed, value: "N",
      help:
        "\(about.summary) (\(TextNumber.short(least)) to \(TextNumber.short(greatest))\(unit)\(neutral))")
  }

  /// - Parameter arguments: of the command `adjust`.
  /// - Throws: ``UsageError`` for a value that is out of range or no value, and when nothing is asked for.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    for name in arguments.lists["reset"] ?? [] { try reset(name) }
    for parameter in Parameter.allCases {
      let name = parameter.rawValue.dashed
      guard let text = arguments.options[name] else { continue }
      let value = try OptionNumber.value(text, of: name)
      do throws(EditError) {
        partial.values[parameter] = try parameter.checked(value)
      } catch {
        throw UsageError(message: "--\(name) cannot be \(text)" + (error.remedy.map { "; " + $0 } ?? ""))
      }
    }
    if let text = arguments.options["curve"] { partial.curve = try Self.curve(text) }
    look = arguments.options["look"]
    let looks = BuiltInLook.allCases.map(\.rawValue)
    if let look, !look.lowercased().hasSuffix(".cube"), !looks.contains(look) {
      let hint = Suggestion.sentence(for: look, among: looks)
      throw UsageError(
        message: "there is no look “\(look)”"
          + (hint.isEmpty ? "; give a .cube file or one of \(looks.joined(separator: ", "))" : hint))
    }
    if let text = arguments.options["look-intensity"] {
      guard look != nil else { throw UsageError(message: "--look-intensity needs --look") }
      lookIntensity = try OptionNumber.share(text, of: "look-intensity")
    }
    if partial.isEmpty, look == nil {
      throw UsageError(message: "adjust needs something to set or --reset, for instance --exposure 0.5")
    }
  }

  private mutating func reset(_ name: String) throws(UsageError) {
    if name == "all" {
      partial.resets.formUnion(EditPart.appearance)
    } else if let part = EditPart.appearance.first(where: {
      [$0.rawValue, $0.rawValue.dashed].contains(name)
    }) {
      partial.resets.insert(part)
    } else if let parameter = Parameter.allCases.first(where: {
      [$0.rawValue, $0.rawValue.dashed].contains(name)
    }) {
      partial.values[parameter] = parameter.description.neutral
    } else {
      let known =
        ["all"] + EditPart.allCases.filter(EditPart.appearance.contains).map(\.rawValue.dashed)
        + Parameter.allCases.map(\.rawValue.dashed)
      throw UsageError(
        message: "--reset does not know “\(name)”" + Suggestion.sentence(for: name, among: known))
    }
  }

  private static func curve(_ text: String) throws(UsageError) -> ToneCurve {
    var points: [ToneCurve.Point] = []
    for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
      let numbers = pair.split(separator: ":", omittingEmptySubsequences: false).compactMap { Double($0) }
      guard numbers.count == 2, numbers.allSatisfy({ 0...1 ~= $0 }),
        pair.split(separator: ":", omittingEmptySubsequences: false).count == 2
      else {
        throw UsageError(
          message: "--curve does not take “\(pair)”; give points from 0 to 1, as in 0:0.05,0.5:0.6,1:1")
      }
      points.append(
        ToneCurve.Point(x: Int((numbers[0] * 1000).rounded()), y: Int((numbers[1] * 1000).rounded())))
    }
    do throws(EditError) {
      return try ToneCurve(points)
    } catch {
      throw UsageError(message: "--curve: \(error)")
    }
  }

  /// All of it, the look read.
  func resolved() throws(EditError) -> PartialEdit {
    var partial = partial
    if let look {
      partial.look = Look(try LookSource.named(look), intensity: lookIntensity)
      if partial.look == nil { partial.resets.insert(.look) }
    }
    return partial
  }
}

/// Numbers of options.
enum OptionNumber {
  /// - Parameters:
  ///   - text: what was typed.
  ///   - option: the option's name.
  static func value(_ text: String, of option: String) throws(UsageError) -> Double {
    guard text.utf8.count <= 40, let value = Double(text), value.isFinite else {
      throw UsageError(message: "--\(option) takes a number, not “\(text)”")
    }
    return value
  }

  /// A number from 0 to 1.
  static func share(_ text: String, of option: String) throws(UsageError) -> Double {
    let value = try value(text, of: option)
    guard 0...1 ~= value else {
      throw UsageError(message: "--\(option) cannot be \(text); give a number from 0 to 1")
    }
    return value
  }
}

extension String {
  /// `blackPoint` as it is typed: `black-point`.
  var dashed: String {
    reduce(into: "") { text, letter in text += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
    }
  }
}
