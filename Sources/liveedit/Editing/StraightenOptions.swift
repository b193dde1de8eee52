import Basics
import EditModel
import LiveEdit

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
