import Basics
import EditModel
import LiveEdit

/// The arguments of `rotate` and `flip`: the displayed picture is turned or mirrored further.
struct RotateOptions: EditChange, Hashable {
  /// The turn.
  var orientation: Orientation

  private static let turns = ["90", "180", "270", "-90"]
  private static let degrees = OptionDeclaration(
    name: "degrees", type: .word(turns), placeholder: "N",
    help: "how far to turn clockwise: \(turns.alternatives)")

  /// The command `rotate`.
  static let declaration = CommandDeclaration(
    editing: "rotate", summary: "Turn Live Photos clockwise, photo and movie.",
    usage: "rotate --degrees \(turns.joined(separator: "|")) [options] FILE…", options: [degrees],
    examples: ["rotate --degrees 90 IMG_0001.JPG", "rotate --degrees 180 --lossless IMG_0001.JPG"]
  ) { arguments throws(UsageError) in
    guard let turn = arguments[degrees].flatMap({ Int($0) }) else {
      throw UsageError(message: "rotate needs --degrees \(turns.alternatives)")
    }
    return RotateOptions(orientation: Orientation(quarterTurns: turn / 90))
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
    case (true, false): RotateOptions(orientation: .flippedHorizontally)
    case (false, true): RotateOptions(orientation: .flippedVertically)
    default: throw UsageError(message: "flip needs either --horizontal or --vertical")
    }
  }

  func function() -> (Edit, EditSource) throws(EditError) -> Edit {
    { [orientation] edit, _ in edit.turned(orientation) }
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

  func function() -> (Edit, EditSource) throws(EditError) -> Edit {
    { edit, _ in
      var edit = edit
      change(&edit.geometry)
      return edit
    }
  }
}
