import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The command that creates share pages.
struct PreviewCommand: Command {
  private static let output = OptionDeclaration(
    name: "output", letter: "o", type: .file, placeholder: "FILE",
    synonyms: ["out", "to", "output-file", "dest", "destination"],
    help: "the HTML file to create, with the extension html")
  private static let size = OptionDeclaration(
    name: "size", type: .wholeNumber(1...Int.max, ofPixels: true), placeholder: "PIXELS", standard: "1600",
    synonyms: ["resize", "scale", "max-size"],
    help: "limit the longer side of pictures, in pixels (default 1600)")
  private static let strip = OptionDeclaration(
    name: "strip", type: .word(PrivateMetadata.words + ["none"]), placeholder: "WHAT",
    standard: PrivateMetadata.location.rawValue, synonyms: ["remove", "private", "anonymize"],
    synonymsOfValues: [
      "gps": "location", "place": "location", "exif": "all", "metadata": "all", "everything": "all",
      "nothing": "none",
    ],
    help: "remove private metadata: location (default), all (also people, camera and time) or none")

  /// The declaration of the command `preview`.
  static let declaration = CommandDeclaration(
    name: "preview",
    summary: "Create an HTML page that shows and plays Live Photos.",
    about: """
      The page is a single file that works in any browser without a server or a network. A Live Photo
      plays while you point at it or press it; an edited photo can also be shown as it was before the
      edit. The page contains the current versions, with movies of at most 720 lines. Nothing is
      overwritten.

      Captions also omit the location unless you use --strip none.
      """,
    kind: .making, forms: [.init(options: [output])],
    options: [output, size, strip, BatchOptions.dryRun, BatchOptions.quiet, .library], selects: true,
    synonyms: ["page", "html", "webpage", "gallery"], related: ["export", "sheet", "studio"],
    examples: [
      .init("preview -o preview.html IMG_0001.JPG", "Creates a page of a Live Photo, without its location."),
      .init(
        "preview -r --size 1024 --strip all -o photos.html Photos",
        "Creates a small page of everything in Photos and its subfolders, without private metadata."),
    ]
  ) { arguments throws(UsageError) in try PreviewCommand(arguments) }

  private let selection: FileSelection
  private let file: String
  private let options: SharePageOptions
  private let isDryRun: Bool
  private let isQuiet: Bool

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    selection = try FileSelection(arguments)
    isDryRun = arguments.has(BatchOptions.dryRun)
    isQuiet = arguments.has(BatchOptions.quiet)
    guard let file = arguments[Self.output] else {
      throw UsageError(message: "preview needs -o FILE for the page, for example -o preview.html")
    }
    self.file = file
    guard ["html", "htm"].contains(RenderNames.Parts(FilePath.split(file).name).fileExtension.lowercased())
    else { throw UsageError(message: "-o needs a name that ends with .html, not “\(file)”") }
    var options = SharePageOptions()
    if let size = try arguments.wholeNumber(Self.size) { options.size = size }
    if let word = arguments[Self.strip] { options.stripping = PrivateMetadata(rawValue: word) }
    self.options = options
  }

  /// Creates the share page. Assets that cannot be displayed are reported and omitted.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let (folder, name) = FilePath.split(file)
    let files = try selection.files { tally.fail($0, file: $1) }.paths
    try FilePublisher.checkFree([name], in: folder)
    let publisher = try FilePublisher(in: folder, stem: RenderNames.Parts(name).stem, isTrial: isDryRun)
    var page = try SharePage(
      options, renderer: try HelperRenderer(), layout: selection.layout,
      isCancelled: { TerminationSignals.pending != nil })
    let progress = Progress(isQuiet ? .none : .text, verb: "made")
    progress.begin(total: files.count)
    var listed = try ListedAssets(layout: selection.layout)
    var shown: [(file: String, asset: OriginalFiles)] = []
    for (number, file) in files.enumerated() where TerminationSignals.pending == nil {
      progress.begin(number, file)
      do throws(EditError) {
        if let (asset, facts) = try listed.find(file) {
          _ = try page.add(asset, facts)
          shown.append((file, asset))
        }
        progress.end(number)
      } catch {
        progress.end(number, hasFailed: true)
        if error.code != .cancelled { tally.fail(error, file: file) }
      }
    }
    progress.finish()
    if TerminationSignals.pending != nil {
      throw EditError(.cancelled, file: file, "was not created: stopped on request")
    }
    guard !shown.isEmpty else { return tally.status }
    let bytes = try page.write(to: publisher.path("page"))
    let written = try publisher.publish([FilePublisher.Item("page", name: name)])
    tally.didEdit = true
    tally.print(answer(page.parts, shown, bytes, written), Self.lines(page.parts, bytes, written))
    return tally.status
  }

  private static func lines(_ parts: [SharePage.Part], _ bytes: Int, _ written: [String]) -> [Message] {
    let lines = parts.map { part -> Message in
      var words: [Message] = [Message.size(part.bytes)]
      if part.hasMovie { words.append("plays") }
      if part.isEdited { words.append("before and after") }
      return "\(part.name): \(words.joined(separator: ", "))"
    }
    let sum: Message = "\(TextNumber.count(parts.count, "picture")), \(Message.size(bytes))"
    return lines + ["\(sum) → \(written.joined(separator: ", "))"]
  }

  private func answer(
    _ parts: [SharePage.Part], _ shown: [(file: String, asset: OriginalFiles)], _ bytes: Int,
    _ written: [String]
  ) -> Answer {
    let assets = zip(parts, shown).map { part, shown in
      JSONValue.object([
        "name": .string(part.name), "file": .string(shown.file), "bytes": .integer(part.bytes),
        "plays": .boolean(part.hasMovie), "edited": .boolean(part.isEdited),
      ])
    }
    let isOne = shown.count == 1
    return Answer(
      isDryRun ? .planned : .exported, file: isOne ? shown[0].file : nil,
      originals: isOne ? Answer.Originals(shown[0].asset) : nil,
      [
        "written": .strings(written), "bytes": .integer(bytes), "assets": .array(assets),
        "stripped": .string(options.stripping?.rawValue ?? "none"),
      ])
  }
}
