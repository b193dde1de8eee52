import Basics
import EditModel
import FileSystem
import Workflows

/// The command that manages presets.
struct PresetCommand: Command {
  private enum Action: String {
    case list, show, save, delete
  }

  private let action: Action
  private let names: [String]
  private let source: String
  private let isDryRun: Bool
  private let layout: LibraryLayout

  private static let from = OptionDeclaration(
    name: "from", type: .file, placeholder: "FILE", synonyms: ["source", "of", "file"],
    help: "save the edit of this Live Photo")

  /// The declaration of the command `preset`.
  static let declaration = CommandDeclaration(
    "preset", summary: "List, show, save and delete presets.",
    about: """
      A preset is a JSON file with settings for light, colour, curve, look or the movie's effect; liveedit
      apply adds them to an edit. Your own presets replace built-in presets of the same name.
      """,
    kind: .presets, synonyms: ["presets", "filters", "styles"], related: ["apply", "adjust"],
    subcommands: [list, show, save, delete])

  private static let list = CommandDeclaration(
    name: "preset list", summary: "List the built-in presets and your own.", kind: .presets,
    forms: [.init(operands: "")], operands: [.nothing], synonyms: ["ls", "all"], endings: .ofAnswers,
    files: [.presets],
    examples: [
      .init("preset list", "Lists all presets by name, each with a summary."),
      .init("preset list --json", "Prints all presets with their settings as JSON."),
    ]
  ) { arguments throws(UsageError) in try PresetCommand(.list, arguments) }

  private static let show = CommandDeclaration(
    name: "preset show", summary: "Show the settings of presets.", kind: .presets,
    forms: [.init(operands: "NAME…")],
    operands: [.presets], synonyms: ["info", "print", "cat", "inspect", "describe"], endings: .ofAnswers,
    files: [.presets],
    examples: [
      .init("preset show vivid", "Describes the settings of vivid."),
      .init("preset show --json vivid", "Prints the settings of vivid as JSON."),
    ]
  ) { arguments throws(UsageError) in try PresetCommand(.show, arguments) }

  private static let save = CommandDeclaration(
    name: "preset save", summary: "Save the edit of a Live Photo as a preset.",
    about: """
      Omits settings that suit only one Live Photo: rotation, crop, straightening, trim, key photo, volume
      and live off.
      """, kind: .presets,
    forms: [.init(options: [from], operands: "NAME")], options: [from, BatchOptions.dryRun, .library],
    operands: [.nothing], synonyms: ["create", "new", "add", "make", "store"], endings: .ofAnswers,
    files: [.presets],
    examples: [
      .init("preset save mine --from IMG_0001.JPG", "Saves the edit of IMG_0001.JPG as the preset mine."),
      .init("preset save mine --from IMG_0001.JPG --dry-run", "Shows which file would be written."),
    ]
  ) { arguments throws(UsageError) in try PresetCommand(.save, arguments) }

  private static let delete = CommandDeclaration(
    name: "preset delete", summary: "Delete your own presets.",
    about: "Edits made with the presets do not change.", kind: .presets,
    forms: [.init(operands: "NAME…")],
    options: [BatchOptions.dryRun], operands: [.presets], synonyms: ["rm", "remove", "forget"],
    endings: .ofAnswers,
    files: [.presets],
    examples: [
      .init("preset delete mine", "Deletes the preset mine."),
      .init("preset delete --dry-run mine", "Shows whether the preset mine could be deleted."),
    ]
  ) { arguments throws(UsageError) in try PresetCommand(.delete, arguments) }

  private init(_ action: Action, _ arguments: ParsedArguments) throws(UsageError) {
    self.action = action
    names = arguments.files
    source = arguments[Self.from] ?? ""
    isDryRun = arguments.has(BatchOptions.dryRun)
    layout = arguments.layout
    switch action {
    case .list:
      if !names.isEmpty {
        throw UsageError(message: "preset list accepts no names; use liveedit preset show NAME")
      }
    case .show, .delete:
      if names.isEmpty {
        throw UsageError(
          message: "preset \(action) needs the name of a preset; liveedit preset list shows the names")
      }
    case .save:
      if names.count != 1 || source.isEmpty {
        throw UsageError(
          message: "preset save needs one name and --from FILE, the Live Photo whose edit to save")
      }
    }
  }

  /// Runs the command and prints its result.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    let library = PresetLibrary()
    switch action {
    case .list: try list(library, &tally)
    case .save: try save(library, &tally)
    case .show, .delete:
      for name in names {
        do throws(EditError) {
          if action == .show {
            show(try Self.find(name, in: library), &tally)
          } else {
            if isDryRun { try library.checkDeletable(name) } else { try library.delete(name) }
            answer(.deleted, name, &tally)
          }
        } catch {
          tally.fail(error)
        }
      }
    }
    return tally.readStatus
  }

  /// Finds a preset by its name or file. If the name is mistyped, a similar name is suggested.
  static func find(_ name: String, in library: PresetLibrary) throws(EditError) -> Preset {
    do throws(EditError) {
      return try library.preset(name)
    } catch {
      guard error.code == .notFound, error.file == nil else { throw error }
      let known = try library.ownNames() + PresetLibrary.builtIn().map(\.name)
      let hint = Suggestion.sentence(for: name, among: known)
      var error = error
      if !hint.isEmpty { error.remedy = Message(String(hint.description.dropFirst(2))) }
      throw error
    }
  }

  private func list(_ library: PresetLibrary, _ tally: inout Tally) throws(EditError) {
    var rows: [(preset: Preset, isOwn: Bool)] = []
    let ownNames = try library.ownNames()
    rows += try PresetLibrary.builtIn().filter { !ownNames.contains($0.name) }.map { ($0, false) }
    for name in ownNames {
      do throws(EditError) {
        rows.append((try library.own(name), true))
      } catch {
        tally.fail(error)
      }
    }
    let width = rows.map { TerminalText.width($0.preset.name) }.max() ?? 0
    for (preset, isOwn) in rows {
      let name = TerminalText.padded(preset.name, to: width + 2)
      tally.print(
        Answer(.listed, Self.members(preset).merging(["isOwn": .boolean(isOwn)]) { $1 }),
        [isOwn ? "\(name)\(Self.summary(preset)) (your own)" : "\(name)\(Self.summary(preset))"])
    }
  }

  /// Returns the summary of a preset. If the preset was saved from an edit, its stored summary is an English
  /// description of the edit. This description is returned in a form that can be translated.
  private static func summary(_ preset: Preset) -> Message {
    let words = preset.edit.applied(to: .identity).words
    return preset.summary == words.description ? words : Message(preset.summary)
  }

  private static func members(_ preset: Preset) -> [String: JSONValue] {
    [
      "preset": .string(preset.name), "summary": .string(preset.summary), "edit": preset.edit.canonicalJSON,
    ]
  }

  private func show(_ preset: Preset, _ tally: inout Tally) {
    tally.print(
      Answer(.shown, Self.members(preset)),
      [
        "\(preset.name): \(Self.summary(preset))",
        Report.indented(preset.edit.applied(to: .identity).words),
      ])
  }

  private func save(_ library: PresetLibrary, _ tally: inout Tally) throws(EditError) {
    let edit = try AssetHistory(path: source, layout: layout, report: { Report.notice($0) }).editToCopy()
    // Rotation and mirroring are specific to one picture, so they are not saved.
    var partial = PartialEdit(EditPart.appearance, of: edit)
    partial.resets = []
    if edit.motion.effect != .none { partial.effect = edit.motion.effect }
    guard !partial.isEmpty else {
      throw EditError(
        .invalidEdit, file: source, "has no edit that a preset can store",
        remedy: "adjust the photo first, or name another file")
    }
    let words = partial.applied(to: .identity).words.description
    let preset = Preset(name: names[0], summary: words, edit: partial)
    answer(.saved, try library.write(preset, isPlanOnly: isDryRun), &tally)
  }

  private func answer(_ status: Answer.Status, _ subject: String, _ tally: inout Tally) {
    tally.print(
      Answer(isDryRun ? .planned : status, ["preset": .string(subject)]),
      [status == .deleted ? "\(subject): deleted" : "\(subject): saved"])
  }
}
