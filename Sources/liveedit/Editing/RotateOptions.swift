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
