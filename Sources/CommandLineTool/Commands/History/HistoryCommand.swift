import Basics
import EditModel
import FileSystem
import FoundationEssentials
import Workflows

/// The command that lists the versions of assets.
struct HistoryCommand: Command {
  /// The files.
  let selection: FileSelection

  /// The command `history`.
  static let declaration = CommandDeclaration(
    name: "history", summary: "List the versions of Live Photos.",
    about: """
      Each version with its number, its edit in words, what it builds on, its files, the program that made it
      and when. “not on the line of revert and redo” has the versions that revert --to alone reaches.
      """,
    kind: .versions, forms: [.init()], selects: true, synonyms: ["log", "versions", "changes", "edits"],
    endings: .ofAnswers, related: ["revert", "redo"],
    examples: [
      .init("history IMG_0001.JPG", "Lists the versions of one Live Photo."),
      .init("history -r --filter edited Photos", "Lists those of all that are edited below Photos."),
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
      let base: Message = version.base == 0 ? "of the original" : "of version \(version.base)"
      var state: Message = version.files.isEmpty ? "no files" : size(version.files)
      if !version.hasFiles, !version.files.isEmpty {
        state = record.canRender(version) ? "rendered again when needed" : "files are lost"
      }
      var parts: [Message] = [
        version.ownEdit == nil ? words : "\(words), \(base)", state,
        "\(editor(version)), \(version.timeText)",
      ]
      if version.isAside { parts.append("not on the line of revert and redo") }
      add("version \(version.number)", version.number, parts)
    }
    for note in history.notes { columns.add("note", note) }
    return columns.lines
  }

  private static func size(_ files: [VersionFile]) -> Message {
    files.map { file -> Message in "\(file.name) \(TextNumber.bytes(file.fingerprint.size))" }
      .joined(separator: ", ")
  }

  private static func editor(_ version: Version) -> Message {
    let format = version.adjustment?.formatIdentifier
    if version.origin != .rendered, let format {
      return "\(version.editor.isEmpty ? format : "\(version.editor) (\(format))")"
    }
    return version.editor.isEmpty ? "by an unknown program" : "\(version.editor)"
  }
}
