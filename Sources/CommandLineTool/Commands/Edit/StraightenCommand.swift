import Basics
import EditModel

/// The command `straighten`.
enum StraightenCommand {
  private static let degrees = OptionDeclaration(
    name: "degrees", type: .number(Geometry.angles, unit: "°"), placeholder: "N",
    synonyms: ["angle", "rotate", "by", "deg"],
    help: "clockwise angle from -45 to 45; replaces the earlier angle")
  private static let reset = OptionDeclaration(
    name: "reset", synonyms: ["remove", "undo", "clear"], help: "remove the straightening, like --degrees 0")

  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    editing: "straighten", summary: "Straighten by a small angle.",
    about: """
      The picture is rotated and cropped to the largest rectangle of the same shape without empty corners.
      liveedit auto finds a level horizon.
      """,
    forms: [.init(options: [degrees]), .init(options: [reset])], options: [degrees, reset],
    synonyms: ["level", "horizon", "tilt"], related: ["rotate", "perspective", "auto"],
    examples: [
      .init("straighten --degrees 2.5 IMG_0001.JPG", "Rotates by 2.5° clockwise."),
      .init("straighten --reset IMG_0001.JPG", "Removes the straightening; other edits stay."),
    ]
  ) { arguments throws(UsageError) in
    guard (arguments[degrees] == nil) == arguments.has(reset) else {
      throw UsageError(message: "straighten needs --degrees or --reset, for example --degrees 2.5")
    }
    let angle = try arguments.number(degrees) ?? 0
    return GeometryChange { $0.straighten = angle }
  }
}
