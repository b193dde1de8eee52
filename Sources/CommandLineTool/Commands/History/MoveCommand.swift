import Basics
import EditModel
import FileSystem
import Workflows

/// The command that renames assets or moves them to another folder.
struct MoveCommand: Command {
  private let selection: FileSelection
  private let destination: String
  /// Whether the command only prints what it would do.
  private let isDryRun: Bool

  /// The declaration of the command `move`.
  static let declaration = CommandDeclaration(
    name: "move",
    summary: "Rename or move Live Photos, keeping their history.",
    about: """
      Photo, movie, edited files and adjustment data move together, along with history, marks and albums.
      File contents do not change, and nothing is overwritten. Give a new name without an extension; the
      extension is kept. DIR must exist and be on the same file system. move cannot be used with
      --library, which never changes originals.
      """,
    kind: .versions, forms: [.init(operands: "FILE NAME"), .init(operands: "FILE… DIR")],
    options: [BatchOptions.dryRun], selects: true, synonyms: ["mv", "rename"], related: ["check", "album"],
    examples: [
      .init("move IMG_0001.JPG Beach", "Renames the photo and its movie to Beach.JPG and Beach.MOV."),
      .init("move IMG_0001.JPG IMG_0002.JPG Summer", "Moves two Live Photos into the folder Summer."),
    ]
  ) { arguments throws(UsageError) in try MoveCommand(arguments) }

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    let missing = UsageError(
      message: "move needs a file, followed by a new name or a folder, for example IMG_0001.JPG Beach")
    guard let destination = arguments.files.last else { throw missing }
    self.destination = destination
    do throws(UsageError) {
      selection = try FileSelection(arguments, of: arguments.files.dropLast())
    } catch {
      throw arguments.files.count == 1 ? missing : error
    }
    isDryRun = arguments.has(BatchOptions.dryRun)
    guard arguments.layout.library == nil else {
      throw UsageError(
        message:
          "move renames originals, but --library never changes originals; leave out --library"
      )
    }
  }

  /// Moves each asset separately.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let files = try selection.files { tally.fail($0, file: $1) }
    let isFolder = try whileReading(destination) { try FileStatus.ifAny(destination)?.kind == .folder }
    guard isFolder || !files.isWholesale && files.paths.count == 1 && !destination.hasSuffix("/") else {
      throw EditError(
        .notFound, file: destination, "is not an existing folder",
        remedy: "create the folder first")
    }
    // Each Live Photo is located only once, before any file is renamed.
    var locator = AssetLocator()
    var seen: Set<OriginalFiles.Identity> = []
    let wanted = files.paths.filter { file in
      guard let asset = try? locator.locate(file, isAlone: true) else { return true }
      return seen.insert(asset.identity).inserted
    }
    for file in wanted where TerminationSignals.pending == nil {
      do throws(EditError) {
        try FolderListing.checkReadable(FilePath.split(file).folder)
        let place = isFolder ? AssetDestination.folder(destination) : try newName(file)
        try FolderListing.checkReadable(place.folder)
        let moved = try Library.move(
          file, to: place, isDryRun: isDryRun, isCancelled: { TerminationSignals.pending != nil },
          report: { Report.notice($0) })
        tally.didEdit = true
        tally.print(answer(moved, file), Self.lines(moved))
      } catch {
        tally.fail(error, file: file)
      }
    }
    return tally.status
  }

  /// Returns the stem that a new name specifies. The new name may include the extension of the moved file.
  private func newName(_ file: String) throws(EditError) -> AssetDestination {
    let (folder, name) = FilePath.split(destination)
    let typed = RenderNames.Parts(name)
    let own = RenderNames.Parts(FilePath.split(file).name).fileExtension
    if typed.fileExtension.isEmpty || own.isEmpty { return .stem(name, folder: folder) }
    if typed.fileExtension.lowercased() == own.lowercased() { return .stem(typed.stem, folder: folder) }
    guard HalfKind(fileExtension: typed.fileExtension) == nil else {
      throw EditError(
        .invalidEdit, file: destination,
        "has a different extension from \(file), and move does not convert files",
        remedy: "leave out the extension, or use liveedit export")
    }
    return .stem(name, folder: folder)
  }

  private static func lines(_ moved: MovedAsset) -> [Message] {
    let left = moved.left.joined(separator: ", ")
    let notes: [Message] =
      left.isEmpty
      ? []
      : [
        .plural(
          moved.left.count, "\(left) was not moved: another program made it",
          "\(left) were not moved: other programs made them")
      ]
    return ["\(moved.old.joined(separator: " + ")) → \(moved.new.joined(separator: " + "))"]
      + (notes + moved.notes).map(Report.note)
  }

  private func answer(_ moved: MovedAsset, _ file: String) -> Answer {
    Answer(
      isDryRun ? .planned : .moved, file: file, originals: Answer.Originals(isDryRun ? moved.old : moved.new),
      [
        "from": .strings(moved.old), "to": .strings(moved.new),
        "left": .strings(moved.left), "notes": .messages(moved.notes),
      ])
  }
}
