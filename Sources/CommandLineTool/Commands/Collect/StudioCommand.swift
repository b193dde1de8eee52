import Basics
import EditModel
import FileSystem
import FoundationEssentials
import RenderClient
import Workflows

/// The command `studio`. It and `serve` put the server `liveedit-studio` in the place of this program.
struct StudioCommand: Command {
  private let options: ServerOptions
  private let layout: LibraryLayout

  static let port = OptionDeclaration(
    name: "port", letter: "p", type: .wholeNumber(1...65_535), placeholder: "N",
    help: "listen at this port; otherwise at one that is free")
  static let listen = OptionDeclaration(
    name: "listen", type: .text, placeholder: "ADDRESS", standard: "127.0.0.1",
    synonyms: ["address", "bind", "host", "ip"], proposal: .words(["127.0.0.1", "::1", "0.0.0.0"]),
    help: "listen at this address of a network, in numbers")
  private static let noOpen = OptionDeclaration(
    name: "no-open", synonyms: ["no-browser", "headless"], help: "open no browser; print the address alone")
  static let shareTo = OptionDeclaration(
    name: "share-to", type: .folder, placeholder: "DIR", synonyms: ["export-to", "output"],
    help: "let what is shared be written below this folder, too")
  static let tokenFile = OptionDeclaration(
    name: "token-file", type: .file, placeholder: "FILE", synonyms: ["token", "secret", "password"],
    help: "take the token from this file, which only you may read; otherwise one is made and printed")
  static let allowHost = OptionDeclaration(
    name: "allow-host", type: .text, placeholder: "NAME", isRepeatable: true,
    synonyms: ["server-name", "hostname", "domain"], proposal: .nothing,
    help: "answer requests for this name as well, by which a reverse proxy is reached")
  static let socket = OptionDeclaration(
    name: "socket", type: .file, placeholder: "FILE", synonyms: ["unix", "unix-socket"],
    help: "listen at a socket of this name in place of a port")

  static let access = """
    Nobody else gets in: every request must carry a secret that is good as long as the server runs, and a
    name that the server answers to. Originals are never written. Ctrl-C or SIGTERM ends it; what is being
    edited then stays as it was.
    """

  /// Its name, options and help.
  static let declaration = CommandDeclaration(
    name: "studio", summary: "Look at folders in a browser, and edit, share and sort what is in them.",
    about: """
      Without a folder it shows the current one. The page is served by this computer alone and opened in your
      browser; the printed address opens it elsewhere on this computer.

      \(access)
      """,
    kind: .collecting, forms: [.init(operands: "[DIR…]")],
    options: [FileSelection.recursive, port, listen, noOpen, shareTo], hasJSON: false, operands: [.folders],
    synonyms: ["gui", "browse", "web", "open", "app", "ui"], endings: .ofServers, files: [.cache],
    related: ["serve", "list"],
    examples: [
      .init("studio -r Photos", "Shows Photos and the folders below in the browser."),
      .init("studio --no-open --port 8080 Photos", "Prints the address, and opens no browser."),
    ]
  ) { arguments throws(UsageError) in try StudioCommand(arguments, hasPage: true) }

  /// Reads the arguments of both commands.
  ///
  /// - Parameter hasPage: true for `studio`.
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
      throw UsageError(message: "--socket takes the place of --port and --listen; give it or them")
    }
    layout = arguments.layout
    self.options = options
  }

  /// Puts the server in the place of this program.
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
      .notFound, "the program liveedit-studio is not beside liveedit", remedy: "build or install both")
    guard let path = try? ChildProcess.ownFolder() + "/liveedit-studio",
      let json = try? JSONEncoder().encode(options)
    else { throw missing }
    let failure = Program.replace(with: path, arguments: [String(decoding: json, as: UTF8.self)])
    if failure == .notFound { throw missing }
    throw EditError(
      .fileSystem, file: path, "cannot be run (\(failure))", remedy: "build or install it again")
  }
}
