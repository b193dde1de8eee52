import EditModel

/// The arguments of `flip`.
enum FlipOptions {
  private static let horizontal = OptionDeclaration(name: "horizontal", help: "left to right")
  private static let vertical = OptionDeclaration(name: "vertical", help: "top to bottom")

  /// The command `flip`.
  static let declaration = CommandDeclaration(
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
}
