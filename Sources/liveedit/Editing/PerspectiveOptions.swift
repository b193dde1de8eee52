import Basics
import EditModel
import LiveEdit

/// The arguments of `perspective`; nil leaves a direction as it is.
struct PerspectiveOptions: EditChange {
  /// The correction from left to right.
  var horizontal: Double?
  /// The correction from top to bottom.
  var vertical: Double?

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
    let values = (try arguments.number(horizontal), try arguments.number(vertical))
    guard arguments.has(reset) else {
      if values.0 == nil, values.1 == nil { throw missing }
      return PerspectiveOptions(horizontal: values.0, vertical: values.1)
    }
    if values.0 != nil || values.1 != nil { throw missing }
    return PerspectiveOptions(horizontal: 0, vertical: 0)
  }

  private static let missing = UsageError(
    message: "perspective needs --horizontal, --vertical or both, or else --reset")

  func function() -> (Edit, EditSource) throws(EditError) -> Edit {
    { [horizontal, vertical] edit, _ in
      var edit = edit
      if let horizontal { edit.geometry.horizontalPerspective = horizontal }
      if let vertical { edit.geometry.verticalPerspective = vertical }
      return edit
    }
  }
}
