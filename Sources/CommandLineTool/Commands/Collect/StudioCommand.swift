import Basics
import EditModel
import FileSystem
import FoundationEssentials
import RenderClient
import Workflows

/// The command `studio`. Like `serve`, this command replaces the running process with the server `liveedit-studio`.
struct StudioCommand: Command {
  private let options: ServerOptions
  private let layout: LibraryLayout

  static let port = OptionDeclaration(
    name: "port", letter: "p", type: .wholeNumber(1...65_535), placeholder: "N",
    help: "listen on port N (default: a free port)")
  static let listen = OptionDeclaration(
    name: "listen", type: .text, placeholder: "ADDRESS", standard: "127.0.0.1",
    synonyms: ["address", "bind", "host", "ip"], proposal: .words(["127.0.0.1", "::1", "0.0.0.0"]),
    help: "listen on this numeric network address")
  private static let noOpen = OptionDeclaration(
    name: "no-open", synonyms: ["no-browser", "headless"],
    help: "do not open a browser, only print the address")
  static let shareTo = OptionDeclaration(
    name: "share-to", type: .folder, placeholder: "DIR", synonyms: ["export-to", "output"],
    help: "also allow exports to be written to DIR")
  static let tokenFile = OptionDeclaration(
    name: "token-file", type: .file, placeholder: "FILE", synonyms: ["token", "secret", "password"],
    help: "read the token from FILE, which only you may read (default: print a new token)")
  static let allowHost = OptionDeclaration(
    name: "allow-host", type: .text, placeholder: "NAME", isRepeatable: true,
    synonyms: ["server-name", "hostname", "domain"], proposal: .nothing,
    help: "also accept requests for this host name, for use behind a reverse proxy")
  static let socket = OptionDeclaration(
    name: "socket", type: .file, placeholder: "FILE", synonyms: ["unix", "unix-socket"],
    help: "listen on the socket FILE instead of a port")

  static let access = """
    Access is protected: every request must carry a secret, valid while the server runs, and a host name
    that the server accepts. Originals are never changed. Ctrl-C or SIGTERM stops the server and
    cancels edits in progress.
    """

  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    name: "studio", summary: "View, edit, share and sort photos in a browser.",
    about: """
      Without DIR, shows the current folder. This computer serves the page and opens it in your browser;
      the printed address opens it in another browser on this computer.

      \(access)
      """,
    kind: .collecting, forms: [.init(operands: "[DIR…]")],
    options: [FileSelection.recursive, port, listen, noOpen, shareTo], hasJSON: false, operands: [.folders],
    synonyms: ["gui", "browse", "web", "open", "app", "ui"], endings: .ofServers, files: [.cache],
    related: ["serve", "list"],
    examples: [
      .init("studio -r Photos", "Shows Photos and its subfolders in the browser."),
      .init("studio --no-open --port 8080 Photos", "Prints the address without opening a browser."),
    ]
  ) { arguments throws(UsageError) in try StudioCommand(arguments, hasPage: true) }

  /// Reads the arguments of `studio` or `serve`.
  ///
  /// - Parameter hasPage: Whether the command is `studio`, which provides a web page.
  init(_ arguments: ParsedArguments, hasPage: Bool) throws(UsageError) {
    var options = ServerOptions(
      folders: arguments.files.map { $0 == "." || $0 == "./" ? "" : $0 }, hasPage: hasPage)
    options.isRecursive = arguments.has(FileSelection.recursive)
    options.opensBrowser = hasPage && !arguments.has(Self.noOpen)
    if let port = try arguments.wholeNumber(Self.port) { options.port = UInt16(port) }
    if let address = arguments[Self.listen] { options.address = address }
    options.shareTo = arguments[Self.shareTo]
    options.tokenFile = arguments[Self.tokenFile]
    options.allowedHosts = arguments.all(Self.allowHost)
    options.socket = arguments[Self.socket]
    if options.socket != nil, arguments[Self.port] != nil || arguments[Self.listen] != nil {
      throw UsageError(message: "--socket cannot be used with --port or --listen; choose one of them")
    }
    layout = arguments.layout
    self.options = options
  }

  /// Replaces the running process with the server.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    let configuration = try Configuration()
    var options = options
    options.library = layout.library
    options.settings = configuration.renderSettings
    options.jobs = configuration.jobs
    options.indexLimit = configuration.cache?.limit ?? 0
    options.limits = ReadingLimit.text
    options.requiresSandbox = HelperRenderer.requiresSandbox
    options.previewLimit = configuration.previews?.limit ?? 0
    for folder in options.folders { try FolderListing.checkReadable(folder) }
    let missing = EditError(
      .notFound, "liveedit-studio is not in the same folder as liveedit",
      remedy: "build or install both programs")
    guard let path = try? ChildProcess.ownFolder() + "/liveedit-studio",
      let json = try? JSONEncoder().encode(options)
    else { throw missing }
    let failure = Program.replace(with: path, arguments: [String(decoding: json, as: UTF8.self)])
    if failure == .notFound { throw missing }
    throw EditError(
      .fileSystem, file: path, "cannot be run (\(failure))", remedy: "build or install the program again")
  }
}
