import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The command that says which liveedit this is, and what it runs on.
struct VersionCommand: Command {
  private let isVerbose: Bool

  private static let verbose = OptionDeclaration(
    name: "verbose", letter: "v", synonyms: ["all", "libraries", "long", "a"],
    help: "the libraries with their versions as well, and what protects the helper")

  /// The command `version`.
  static let declaration = CommandDeclaration(
    name: "version", summary: "Show the version, the libraries and what protects the helper.",
    about: """
      The libraries of the program keep versions; those of the helper, liveedit-render, decode and encode
      pictures. Which bytes a render has depends on the latter.
      """,
    kind: .program, forms: [.init(operands: "")], options: [verbose], operands: [.nothing],
    synonyms: ["about", "libraries", "build"], endings: .ofAnswers, related: ["help"],
    examples: [
      .init("version", "Shows the version, as liveedit --version does."),
      .init("version --verbose", "Shows the libraries too, as a report of a problem needs them."),
    ]
  ) { arguments throws(UsageError) in
    guard arguments.files.isEmpty else { throw UsageError(message: "version takes no names") }
    return VersionCommand(isVerbose: arguments.has(verbose))
  }

  /// The line of `--version`.
  static let line = "liveedit \(LiveEditVersion.current)"

  /// Prints the version.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    guard isVerbose else {
      tally.print(Answer(.shown, ["version": .string(LiveEditVersion.current)]), ["\(Self.line)"])
      return .done
    }
    let (helper, confinement) = try HelperRenderer().description()
    let protection = Self.protection(confinement ?? ConfinementState())
    tally.print(
      Answer(
        .shown,
        [
          "version": .string(LiveEditVersion.current), "libraries": Self.json(LinkedLibrary.own),
          "helperLibraries": Self.json(helper), "protection": .messages(protection),
        ]),
      ["\(Self.line)", "", "Libraries of the program, liveedit:"] + Self.lines(LinkedLibrary.own)
        + ["", "Libraries of the helper, liveedit-render:"] + Self.lines(helper)
        + ["", "What protects the helper, and you from it:"] + protection.map(Report.indented))
    return .done
  }

  /// The facts about the helper's process, a line each.
  private static func protection(_ state: ConfinementState) -> [Message] {
    let own: Message = ChildProcess.memoryLimit.map { ", here \($0 >> 20) MB (ulimit -v)" } ?? ""
    let patience = HelperRenderer.standardTimeout.components.seconds
    let files: Message =
      state.landlock > 0
      ? "it can open the files of its job, and write where its outputs go (Landlock \(state.landlock))"
      : "not confined: this kernel has no Landlock, or has it switched off; it may read and write what you may"
    let calls: Message =
      state.allowedCalls > 0
      ? "\(state.allowedCalls) system calls; no network, no other programs or processes (seccomp)"
      : "not confined: this kernel has no seccomp filters, or they are forbidden here; the network is open to it"
    let limits: Message =
      state.limits == nil
      ? "none could be set" : "as the pictures need: memory, processor time, file size, open files\(own)"
    let rights: Message =
      state.isWithoutNewPrivileges
      ? state.isWithoutCapabilities
        ? "none beyond yours" : "none beyond yours, or an administrator's where you are one"
      : "yours; this kernel cannot take away those that programs may get"
    return [
      "process: each job runs in a process of its own; a file that breaks a codec ends that, not liveedit",
      "silence: it is ended when it says nothing for \(patience) s (LIVEEDIT_HELPER_TIMEOUT), or liveedit ends",
      "files: \(files)", "calls: \(calls)", "limits: \(limits); FFmpeg allocates 512 MB at a time at most",
      "rights: \(rights)", "environment: nothing of it reaches the helper, but LD_LIBRARY_PATH",
    ]
  }

  private static func lines(_ libraries: [LinkedLibrary]) -> [Message] {
    let width = libraries.map(\.name.count).max() ?? 0
    return libraries.map { library in
      let line = "  \(TerminalText.padded(library.name, to: width))  \(library.version)"
      return library.build.map { "\(line) (build \($0))" } ?? "\(line)"
    }
  }

  private static func json(_ libraries: [LinkedLibrary]) -> JSONValue {
    .array(
      libraries.map { library in
        let build = library.build.map { ["build": JSONValue.string($0)] } ?? [:]
        return .object(
          build.merging(["name": .string(library.name), "version": .string(library.version)]) { $1 })
      })
  }
}
