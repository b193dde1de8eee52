import Basics
import EditModel
import LiveEdit

/// The arguments of `rotate` and `flip`.
enum RotateOptions: EditChange, Hashable {
  /// The displayed picture is turned or mirrored further.
  case further(Orientation)
  /// The original is turned like this, whatever was before.
  case to(Orientation)

  /// True if repeating it turns once more.
  var isRelative: Bool { if case .further = self { true } else { false } }

  private static let turns = ["90", "180", "270", "-90"]
  private static let degrees = OptionDeclaration(
    name: "degrees", type: .word(turns), placeholder: "N",
    help: "how far to turn clockwise: \(turns.alternatives)")

  private static let absoluteTurns = ["0", "90", "180", "270"]
  private static let to = OptionDeclaration(
    name: "to", type: .word(absoluteTurns), placeholder: "N",
    help: "turn the original so far, \(absoluteTurns.alternatives), whatever turned or mirrored it before")

  /// The command `rotate`.
  static let declaration = CommandDeclaration(
    editing: "rotate", summary: "Turn Live Photos clockwise, photo and movie.",
    usage: "rotate --degrees \(turns.joined(separator: "|")) | --to \(absoluteTurns.joined(separator: "|")) "
      + "[options] FILE…", options: [degrees, to],
    examples: [
      "rotate --degrees 90 IMG_0001.JPG", "rotate --degrees 180 --lossless IMG_0001.JPG",
      "rotate --to 90 -r Photos",
    ]
  ) { arguments throws(UsageError) in
    func turn(_ option: OptionDeclaration) -> Orientation? {
      arguments[option].flatMap { Int($0) }.map { Orientation(quarterTurns: $0 / 90) }
    }
    switch (turn(degrees), turn(to)) {
    case (let turn?, nil): return RotateOptions.further(turn)
    case (nil, let turn?): return RotateOptions.to(turn)
    default: throw UsageError(message: "rotate needs either --degrees \(turns.alternatives), or --to")
    }
  }

  private static let horizontal = OptionDeclaration(name: "horizontal", help: "left to right")
  private static let vertical = OptionDeclaration(name: "vertical", help: "top to bottom")

  /// The command `flip`.
  static let flip = CommandDeclaration(
    editing: "flip", summary: "Mirror Live Photos, photo and movie.",
    usage: "flip --horizontal|--vertical [options] FILE…", options: [horizontal, vertical],
    examples: ["flip --horizontal IMG_0001.JPG"]
  ) { arguments throws(UsageError) in
    switch (arguments.has(horizontal), arguments.has(vertical)) {
    case (true, false): RotateOptions.further(.flippedHorizontally)
    case (false, true): RotateOptions.further(.flippedVertically)
    default: throw UsageError(message: "flip needs either --horizontal or --vertical")
    }
  }

  func function() -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    { edit, _ in
      switch self {
      case .further(let orientation): return edit.turned(orientation)
      case .to(let orientation):
        let turn = Orientation.allCases.first { edit.orientation.then($0) == orientation }
        return edit.turned(turn ?? .identity)
      }
    }
  }
}

/// The arguments of `straighten`.
enum StraightenOptions {
  private static let degrees = OptionDeclaration(
    name: "degrees", type: .number(Geometry.angles, unit: "°"), placeholder: "N",
    help: "how far to turn clockwise from the unstraightened picture, -45 to 45; sets it, does not add")
  private static let reset = OptionDeclaration(name: "reset", help: "take it back, as --degrees 0 does")

  /// The command `straighten`.
  static let declaration = CommandDeclaration(
    editing: "straighten", summary: "Straighten Live Photos, photo and movie.",
    usage: "straighten --degrees N | --reset [options] FILE…", options: [degrees, reset],
    examples: ["straighten --degrees 2.5 IMG_0001.JPG", "straighten --reset IMG_0001.JPG"]
  ) { arguments throws(UsageError) in
    guard (arguments[degrees] == nil) == arguments.has(reset) else {
      throw UsageError(message: "straighten needs either --degrees, as in --degrees 2.5, or --reset")
    }
    let angle = try arguments.number(degrees) ?? 0
    return GeometryChange { $0.straighten = angle }
  }
}

/// The arguments of `perspective`.
enum PerspectiveOptions {
  private static let horizontal = OptionDeclaration(
    name: "horizontal", type: .number(Geometry.perspectives), placeholder: "N",
    help: "-1 to 1; positive widens the left side, narrows the right")
  private static let vertical = OptionDeclaration(
    name: "vertical", type: .number(Geometry.perspectives), placeholder: "N",
    help: "-1 to 1; positive widens the upper side, narrows the lower")
  private static let reset = OptionDeclaration(name: "reset", help: "take both back")

  /// The command `perspective`.
  static let declaration = CommandDeclaration(
    editing: "perspective", summary: "Correct the perspective of Live Photos, photo and movie.",
    usage: "perspective [--horizontal N] [--vertical N] | --reset [options] FILE…",
    options: [horizontal, vertical, reset],
    examples: ["perspective --vertical 0.2 IMG_0001.JPG", "perspective --reset IMG_0001.JPG"]
  ) { arguments throws(UsageError) in
    let isReset = arguments.has(reset)
    let (across, along) = (try arguments.number(horizontal), try arguments.number(vertical))
    guard (across == nil && along == nil) == isReset else {
      throw UsageError(message: "perspective needs --horizontal, --vertical or both, or else --reset")
    }
    return GeometryChange { geometry in
      if isReset || across != nil { geometry.horizontalPerspective = across ?? 0 }
      if isReset || along != nil { geometry.verticalPerspective = along ?? 0 }
    }
  }
}

/// A change of the geometry that depends on no file.
struct GeometryChange: EditChange {
  /// The change.
  let change: @Sendable (inout Geometry) -> Void

  func function() -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    { edit, _ in
      var edit = edit
      change(&edit.geometry)
      return edit
    }
  }
}
