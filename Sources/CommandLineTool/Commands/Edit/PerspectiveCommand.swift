import Basics
import EditModel

/// The command `perspective`.
enum PerspectiveCommand {
  private static let horizontal = OptionDeclaration(
    name: "horizontal", type: .number(Geometry.perspectives), placeholder: "N", synonyms: ["x"],
    help: "-1 to 1; positive widens the left side, narrows the right")
  private static let vertical = OptionDeclaration(
    name: "vertical", type: .number(Geometry.perspectives), placeholder: "N", synonyms: ["y"],
    help: "-1 to 1; positive widens the upper side, narrows the lower")
  private static let reset = OptionDeclaration(
    name: "reset", synonyms: ["remove", "undo", "clear"], help: "take both back")

  /// Its name, options and help.
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
