import Basics
import EditModel

/// The command `flip`.
enum FlipCommand {
  private static let horizontal = OptionDeclaration(
    name: "horizontal", synonyms: ["x", "mirror", "left-right"], help: "mirror left to right")
  private static let vertical = OptionDeclaration(
    name: "vertical", synonyms: ["y", "upside-down", "top-bottom"], help: "mirror top to bottom")

  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    editing: "flip", summary: "Mirror horizontally or vertically.",
    forms: [.init(options: [horizontal]), .init(options: [vertical])], options: [horizontal, vertical],
    synonyms: ["mirror", "flop", "invert"], related: ["rotate"],
    examples: [
      .init("flip --horizontal IMG_0001.JPG", "Mirrors the photo and its movie left to right."),
      .init(
        "flip --vertical -o out IMG_0001.JPG", "Writes a copy to the folder out, mirrored top to bottom."),
    ]
  ) { arguments throws(UsageError) in
    switch (arguments.has(horizontal), arguments.has(vertical)) {
    case (true, false): RotateCommand.further(.flippedHorizontally)
    case (false, true): RotateCommand.further(.flippedVertically)
    default: throw UsageError(message: "flip needs either --horizontal or --vertical")
    }
  }
}
