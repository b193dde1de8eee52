import Basics
import EditModel

/// The command `straighten`.
enum StraightenCommand {
  private static let degrees = OptionDeclaration(
    name: "degrees", type: .number(Geometry.angles, unit: "°"), placeholder: "N",
    synonyms: ["angle", "rotate", "by", "deg"],
    help: "how far to turn clockwise from the unstraightened picture, -45 to 45; sets it, does not add")
  private static let reset = OptionDeclaration(
    name: "reset", synonyms: ["remove", "undo", "clear"], help: "take it back, as --degrees 0 does")

  /// Its name, options and help.
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
