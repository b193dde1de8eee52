import Basics
import EditModel
import LiveEdit

/// What `apply` asks for.
struct ApplyOptions: Hashable {
  /// What is laid over the edits.
  enum Source: Hashable {
    /// Presets in their order, each with this intensity.
    case presets([String], intensity: Double)
    /// Parts of the edit of another asset.
    case edit(of: String, Set<EditPart>)
  }

  /// What is laid over the edits.
  var source: Source

  /// The command.
  static let command = CommandSpecification(
    name: "apply", summary: "Lay presets, or the edit of another Live Photo, over the edits of Live Photos.",
    usage: "apply --preset NAME|FILE.json|FILE.cube … | --from OTHER [--only PARTS] [options] FILE…",
    options: [
      OptionSpecification(
        name: "preset", value: "PRESET", isRepeatable: true,
        help: "a name that preset list shows, a .json or a .cube file; several apply in order"),
      OptionSpecification(
        name: "intensity", value: "N", help: "how much of the presets shows, 0 to 1; 1 unless given"),
      OptionSpecification(
        name: "from", value: "FILE",
        help: "copy the edit of this Live Photo; what is neutral there is taken back"
      ),
      OptionSpecification(
        name: "only", value: "PARTS",
        help: "copy only these: " + EditPart.allCases.map(\.rawValue.dashed).joined(separator: ",")),
    ], command: EditCommand.self)

  /// - Parameter arguments: of the command `apply`.
  /// - Throws: ``UsageError`` when something is missing or too much.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    let intensity = try arguments.options["intensity"].map { text throws(UsageError) in
      try OptionNumber.share(text, of: "intensity")
    }
    switch (arguments.lists["preset"], arguments.options["from"]) {
    case (let presets?, nil):
      if arguments.options["only"] != nil { throw UsageError(message: "--only needs --from") }
      source = .presets(presets, intensity: intensity ?? 1)
    case (nil, let file?):
      if intensity != nil { throw UsageError(message: "--intensity needs --preset") }
      source = .edit(of: file, try EditPart.named(arguments.options["only"], among: EditPart.allCases))
    default: throw UsageError(message: "apply needs either --preset or --from")
    }
  }

  /// What is laid over each edit, in this order.
  ///
  /// - Throws: ``EditError`` when a preset does not exist or is broken, or the other asset has no edit to copy.
  func resolved() throws(EditError) -> [PartialEdit] {
    switch source {
    case .edit(let file, let parts):
      let history = try AssetHistory(path: file, report: { Report.notice($0) })
      return [PartialEdit(parts, of: try history.editToCopy())]
    case .presets(let names, let intensity):
      let library = PresetLibrary()
      return try names.map { name throws(EditError) in
        try PresetCommand.find(name, in: library).edit.scaled(by: intensity)
      }
    }
  }
}
