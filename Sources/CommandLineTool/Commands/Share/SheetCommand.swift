import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The command that creates contact sheets.
struct SheetCommand: Command {
  private static let output = OptionDeclaration(
    name: "output", letter: "o", type: .file, placeholder: "FILE",
    synonyms: ["out", "to", "output-file", "dest", "destination"],
    help: "the picture to create, with the extension jpg, png or webp")

  /// The declaration of the command `sheet`.
  static let declaration = CommandDeclaration(
    name: "sheet",
    summary: "Create a contact sheet of one or more Live Photos.",
    about: """
      For one Live Photo, the sheet shows the movie's frames with their times, and the photo, outlined, at
      the time it was taken. For several Live Photos, the sheet shows one picture of each with name, date
      and badges. The sheet shows current versions, in sRGB. Nothing is overwritten.
      """,
    kind: .making, forms: [.init(options: [output])],
    options: [output, BatchOptions.dryRun, BatchOptions.quiet, .library], selects: true,
    synonyms: ["contact-sheet", "contactsheet", "grid", "overview", "montage"],
    related: ["export", "list"],
    examples: [
      .init("sheet -o sheet.jpg IMG_0001.JPG", "Shows the frames and the photo of a Live Photo."),
      .init(
        "sheet -r -o sheet.png Photos",
        "Shows a picture of each photo and movie in Photos and its subfolders."),
    ]
  ) { arguments throws(UsageError) in try SheetCommand(arguments) }

  private let selection: FileSelection
  private let file: String
  private let format: ImageConversion.Format
  private let isDryRun: Bool
  private let isQuiet: Bool

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    selection = try FileSelection(arguments)
    isDryRun = arguments.has(BatchOptions.dryRun)
    isQuiet = arguments.has(BatchOptions.quiet)
    guard let file = arguments[Self.output] else {
      throw UsageError(message: "sheet needs -o FILE for the picture, for example -o sheet.jpg")
    }
    self.file = file
    switch RenderNames.Parts(FilePath.split(file).name).fileExtension.lowercased() {
    case "jpg", "jpeg": format = .jpeg
    case "png": format = .png
    case "webp": format = .webp
    default:
      throw UsageError(message: "-o needs a name that ends with .jpg, .png or .webp, not “\(file)”")
    }
  }

  /// Creates the contact sheet. Pictures that cannot be displayed are reported, and their cells stay empty.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let (folder, name) = FilePath.split(file)
    let files = try selection.files { tally.fail($0, file: $1) }.paths
    try FilePublisher.checkFree([name], in: folder)
    let progress = Progress(isQuiet ? .none : .text, verb: "found")
    progress.begin(total: files.count)
    var listed = try ListedAssets(layout: selection.layout)
    var sheet = ContactSheet(layout: selection.layout)
    var shown: [(file: String, asset: OriginalFiles)] = []
    for file in files where TerminationSignals.pending == nil {
      progress.begin(0, file)
      defer { progress.end() }
      do throws(EditError) {
        guard let (asset, facts) = try listed.find(file) else { continue }
        try sheet.add(asset, facts)
        shown.append((file, asset))
      } catch {
        tally.fail(error, file: file)
      }
    }
    progress.finish()
    if TerminationSignals.pending != nil {
      throw EditError(.cancelled, file: file, "was not created: stopped on request")
    }
    guard !shown.isEmpty else { return tally.status }
    let publisher = try FilePublisher(in: folder, stem: RenderNames.Parts(name).stem, isTrial: isDryRun)
    let result: ConversionResult
    do throws(EditError) {
      result = try sheet.make(
        format, in: publisher, by: HelperRenderer(), jobs: Configuration().jobs,
        isCancelled: { TerminationSignals.pending != nil })
    } catch {
      throw publisher.named(error, after: file)
    }
    let cells = sheet.cells.count
    // Many frames of an asset may be missing for the same reason, which is reported only once.
    var told: Set<EditError> = []
    for (_, failure) in result.failures.sorted(by: { $0.key < $1.key }) where told.insert(failure).inserted {
      tally.fail(failure)
    }
    let written = try publisher.publish([FilePublisher.Item("sheet", name: name)])
    tally.didEdit = true
    tally.print(
      Answer(
        isDryRun ? .planned : .exported, file: shown.count == 1 ? shown[0].file : nil,
        originals: shown.count == 1 ? Answer.Originals(shown[0].asset) : nil,
        [
          "written": .strings(written), "pictures": .integer(cells),
          "width": .integer(result.size?.width ?? 0), "height": .integer(result.size?.height ?? 0),
          "format": .string(format.rawValue), "notes": .messages(result.notes),
        ]),
      ["\(TextNumber.count(cells, "picture")) → \(written.joined(separator: ", "))"])
    return tally.status
  }
}
