import Basics
import EditModel
import Workflows

/// The command `rotate`. Its change of orientation is also used by the command `flip`.
enum RotateCommand: EditChange, Hashable {
  /// Rotates or mirrors the displayed picture further.
  case further(Orientation)
  /// Sets the total rotation of the original, regardless of any earlier rotation.
  case to(Orientation)

  /// Whether repeating the change rotates or mirrors the picture again.
  var isRelative: Bool { if case .further = self { true } else { false } }

  private static let turns = ["90", "180", "270", "-90"]
  private static let degrees = OptionDeclaration(
    name: "degrees", type: .word(turns), placeholder: "N",
    synonyms: ["angle", "rotate", "by", "deg", "turn"],
    synonymsOfValues: [
      "right": "90", "cw": "90", "clockwise": "90", "left": "-90", "ccw": "-90", "counterclockwise": "-90",
      "half": "180", "+90": "90",
    ],
    help: "rotate the current picture clockwise by \(turns.alternatives) degrees")

  private static let absoluteTurns = ["0", "90", "180", "270"]
  private static let to = OptionDeclaration(
    name: "to", type: .word(absoluteTurns), placeholder: "N",
    help: "set the total rotation of the original to \(absoluteTurns.alternatives) degrees; undoes mirroring")

  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    editing: "rotate", summary: "Rotate in steps of 90°.",
    about: """
      If repeated, --degrees rotates further; --to has no further effect.
      """,
    forms: [.init(options: [degrees]), .init(options: [to])], options: [degrees, to],
    synonyms: ["turn", "spin", "orient", "orientation"], related: ["flip", "straighten"],
    examples: [
      .init("rotate --degrees 90 IMG_0001.JPG", "Rotates the photo and its movie by 90° clockwise."),
      .init(
        "rotate --degrees 180 --lossless IMG_0001.JPG", "Rotates photo and movie by 180° without re-encoding."
      ),
      .init(
        "rotate --to 90 -r Photos",
        "Rotates all originals under Photos by 90°, regardless of earlier rotations."),
    ]
  ) { arguments throws(UsageError) in
    func turn(_ option: OptionDeclaration) -> Orientation? {
      arguments[option].flatMap { Int($0) }.map { Orientation(quarterTurns: $0 / 90) }
    }
    switch (turn(degrees), turn(to)) {
    case (let turn?, nil): return RotateCommand.further(turn)
    case (nil, let turn?): return RotateCommand.to(turn)
    default:
      throw UsageError(
        message: "rotate needs either --degrees \(turns.alternatives), or --to, for example --to 90")
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
