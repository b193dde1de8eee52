import Basics
import EditModel
import LiveEdit

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
