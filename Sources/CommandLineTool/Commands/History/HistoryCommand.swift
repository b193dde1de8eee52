import Basics
import EditModel
import FileSystem
import FoundationEssentials
import Workflows

/// The command that lists the versions of assets.
struct HistoryCommand: Command {
  /// The selected files.
  let selection: FileSelection

  /// The declaration of the command `history`.
  static let declaration = CommandDeclaration(
    name: "history", summary: "List the versions of Live Photos.",
    about: """
      For each version, shows its number, edit, base version and files, the program that made it and the
      date. A plain revert or redo skips versions marked “only by revert --to”.
      """,
    kind: .versions, forms: [.init()], selects: true, synonyms: ["log", "versions", "changes", "edits"],
    endings: .ofAnswers, related: ["revert", "redo"],
    examples: [
      .init("history IMG_0001.JPG", "Lists the versions of one Live Photo."),
      .init(
        "history -r --filter edited Photos",
        "Lists the versions of everything edited in Photos and its subfolders."),
    ]
  ) { arguments throws(UsageError) in HistoryCommand(selection: try FileSelection(arguments)) }

  /// Prints the versions of each asset.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    for file in try selection.files({ tally.fail($0, file: $1) }).paths where !StandardStream.hasFailed {
      do throws(EditError) {
        let history = try AssetHistory(
          path: file, layout: selection.layout, report: { Report.notice($0) })
        tally.print(
          Answer(
            .listed, file: file, originals: Answer.Originals(history.record, in: history.folder),
            content: HistoryAnswer(history)), Self.lines(history))
      } catch {
        tally.fail(error, file: file)
      }
    }
    return tally.readStatus
  }

  private static func lines(_ history: AssetHistory) -> [Message] {
    let record = history.record
    var columns = TextColumns()
    columns.heading(
      "\(record.originals.map { FilePath.joined(history.folder, $0.name) }.joined(separator: " + "))")
    func add(_ name: Message, _ number: Int, _ parts: [Message]) {
      let words = parts.joined(separator: "; ")
      columns.add(name, number == record.current ? "(current) \(words)" : words)
    }
    add("original", 0, [size(record.originals)])
    for version in record.versions {
      let words = history.words(version)
      let base: Message = version.base == 0 ? "based on the original" : "based on version \(version.base)"
      var state: Message = version.files.isEmpty ? "no files" : size(version.files)
      if !version.hasFiles, !version.files.isEmpty {
        state = record.canRender(version) ? "rendered again when needed" : "files are lost"
      }
      var parts: [Message] = [
        version.ownEdit == nil ? words : "\(words), \(base)", state,
        "\(editor(version)), \(version.timeText)",
      ]
      if version.isAside { parts.append("only by revert --to") }
      add("version \(version.number)", version.number, parts)
    }
    for note in history.notes { columns.add("note", note) }
    return columns.lines
  }

  private static func size(_ files: [VersionFile]) -> Message {
    files.map { file -> Message in "\(file.name) (\(Message.size(file.fingerprint.size)))" }
      .joined(separator: ", ")
  }

  private static func editor(_ version: Version) -> Message {
    let format = version.adjustment?.formatIdentifier
    if version.origin != .rendered, let format {
      return "\(version.editor.isEmpty ? format : "\(version.editor) (\(format))")"
    }
    return version.editor.isEmpty ? "unknown program" : "\(version.editor)"
  }
}
