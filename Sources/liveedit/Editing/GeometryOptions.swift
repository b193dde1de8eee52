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
    synonyms: ["angle", "rotate", "by", "deg", "turn"],
    synonymsOfValues: [
      "right": "90", "cw": "90", "clockwise": "90", "left": "-90", "ccw": "-90", "counterclockwise": "-90",
      "half": "180", "+90": "90",
    ],
    help: "how far to turn clockwise: \(turns.alternatives)")

  private static let absoluteTurns = ["0", "90", "180", "270"]
  private static let to = OptionDeclaration(
    name: "to", type: .word(absoluteTurns), placeholder: "N",
    help: "turn the original so far, \(absoluteTurns.alternatives), whatever turned or mirrored it before")

  /// The command `rotate`.
  static let declaration = CommandDeclaration(
    editing: "rotate", summary: "Turn Live Photos clockwise, photo and movie.",
    about: """
      --degrees turns what is seen now further; repeated, it turns again. --to turns the original so far,
      whatever turned or mirrored it before, and can be repeated.
      """,
    forms: [.init(options: [degrees]), .init(options: [to])], options: [degrees, to],
    synonyms: ["turn", "spin", "orient", "orientation"], related: ["flip", "straighten"],
    examples: [
      .init("rotate --degrees 90 IMG_0001.JPG", "Turns the photo and its movie by a quarter, clockwise."),
      .init("rotate --degrees 180 --lossless IMG_0001.JPG", "Turns them upside down and decodes no pixel."),
      .init(
        "rotate --to 90 -r Photos",
        "Turns all originals below Photos by a quarter, however they are turned now."),
    ]
  ) { arguments throws(UsageError) in
    func turn(_ option: OptionDeclaration) -> Orientation? {
      arguments[option].flatMap { Int($0) }.map { Orientation(quarterTurns: $0 / 90) }
    }
    switch (turn(degrees), turn(to)) {
    case (let turn?, nil): return RotateOptions.further(turn)
    case (nil, let turn?): return RotateOptions.to(turn)
    default:
      throw UsageError(message: "rotate needs either --degrees \(turns.alternatives), or --to, as in --to 90")
    }
  }

  private static let horizontal = OptionDeclaration(
    name: "horizontal", synonyms: ["x", "mirror", "left-right"], help: "left to right")
  private static let vertical = OptionDeclaration(
    name: "vertical", synonyms: ["y", "upside-down", "top-bottom"], help: "top to bottom")

  /// The command `flip`.
  static let flip = CommandDeclaration(
    editing: "flip", summary: "Mirror Live Photos, photo and movie.",
    forms: [.init(options: [horizontal]), .init(options: [vertical])], options: [horizontal, vertical],
    synonyms: ["mirror", "flop", "invert"], related: ["rotate"],
    examples: [
      .init("flip --horizontal IMG_0001.JPG", "Mirrors the photo and its movie, left to right."),
      .init("flip --vertical -o out IMG_0001.JPG", "Puts a copy mirrored top to bottom into the folder out."),
    ]
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
    synonyms: ["angle", "rotate", "by", "deg"],
    help: "how far to turn clockwise from the unstraightened picture, -45 to 45; sets it, does not add")
  private static let reset = OptionDeclaration(
    name: "reset", synonyms: ["remove", "undo", "clear"], help: "take it back, as --degrees 0 does")

  /// The command `straighten`.
  static let declaration = CommandDeclaration(
    editing: "straighten", summary: "Straighten Live Photos, photo and movie.",
    about: """
      The picture is turned by a small angle and cut to the largest rectangle of its shape that has no empty
      corner. The angle counts from the unstraightened picture: it is set and does not add. liveedit auto
      finds a level horizon by itself.
      """,
    forms: [.init(options: [degrees]), .init(options: [reset])], options: [degrees, reset],
    synonyms: ["level", "horizon", "tilt"], related: ["rotate", "perspective", "auto"],
    examples: [
      .init("straighten --degrees 2.5 IMG_0001.JPG", "Turns by two and a half degrees clockwise."),
      .init("straighten --reset IMG_0001.JPG", "Takes that back; other edits stay."),
    ]
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
    name: "horizontal", type: .number(Geometry.perspectives), placeholder: "N", synonyms: ["x"],
    help: "-1 to 1; positive widens the left side, narrows the right")
  private static let vertical = OptionDeclaration(
    name: "vertical", type: .number(Geometry.perspectives), placeholder: "N", synonyms: ["y"],
    help: "-1 to 1; positive widens the upper side, narrows the lower")
  private static let reset = OptionDeclaration(
    name: "reset", synonyms: ["remove", "undo", "clear"], help: "take both back")

  /// The command `perspective`.
  static let declaration = CommandDeclaration(
    editing: "perspective", summary: "Correct the perspective of Live Photos, photo and movie.",
    forms: [.init(options: [horizontal]), .init(options: [vertical]), .init(options: [reset])],
    options: [horizontal, vertical, reset], synonyms: ["keystone", "skew", "distort"],
    related: ["straighten", "crop"],
    examples: [
      .init(
        "perspective --vertical 0.2 IMG_0001.JPG", "Widens the upper side, as of a tower seen from below."),
      .init("perspective --reset IMG_0001.JPG", "Takes both corrections back; other edits stay."),
    ]
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
