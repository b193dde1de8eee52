import Basics
import EditModel

/// The command `perspective`.
enum PerspectiveCommand {
  private static let horizontal = OptionDeclaration(
    name: "horizontal", type: .number(Geometry.perspectives), placeholder: "N", synonyms: ["x"],
    help: "widen the left side and narrow the right, -1 to 1 (negative: the reverse)")
  private static let vertical = OptionDeclaration(
    name: "vertical", type: .number(Geometry.perspectives), placeholder: "N", synonyms: ["y"],
    help: "widen the top and narrow the bottom, -1 to 1 (negative: the reverse)")
  private static let reset = OptionDeclaration(
    name: "reset", synonyms: ["remove", "undo", "clear"], help: "remove both corrections")

  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    editing: "perspective", summary: "Correct the perspective.",
    forms: [.init(options: [horizontal]), .init(options: [vertical]), .init(options: [reset])],
    options: [horizontal, vertical, reset], synonyms: ["keystone", "skew", "distort"],
    related: ["straighten", "crop"],
    examples: [
      .init(
        "perspective --vertical 0.2 IMG_0001.JPG", "Widens the top, as for a tower seen from below."),
      .init("perspective --reset IMG_0001.JPG", "Removes both corrections; other edits stay."),
    ]
  ) { arguments throws(UsageError) in
    let isReset = arguments.has(reset)
    let (across, along) = (try arguments.number(horizontal), try arguments.number(vertical))
    guard (across == nil && along == nil) == isReset else {
      throw UsageError(message: "perspective needs --horizontal, --vertical, both, or --reset")
    }
    return GeometryChange { geometry in
      if isReset || across != nil { geometry.horizontalPerspective = across ?? 0 }
      if isReset || along != nil { geometry.verticalPerspective = along ?? 0 }
    }
  }
}
