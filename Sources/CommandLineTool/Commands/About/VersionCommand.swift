import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The command that shows the version of liveedit and its environment.
struct VersionCommand: Command {
  private let isVerbose: Bool

  private static let verbose = OptionDeclaration(
    name: "verbose", letter: "v", synonyms: ["all", "libraries", "long", "a"],
    help: "also list the libraries and how the render helper is confined")

  /// The declaration of the command `version`.
  static let declaration = CommandDeclaration(
    name: "version", summary: "Show the version of liveedit and its libraries.",
    about: """
      liveedit uses its own libraries to store versions. The render helper, liveedit-render, decodes and
      encodes pictures with other libraries; the exact bytes of edited files depend on the helper's
      libraries.
      """,
    kind: .program, forms: [.init(operands: "")], options: [verbose], operands: [.nothing],
    synonyms: ["about", "libraries", "build"], endings: .ofAnswers, related: ["help"],
    examples: [
      .init("version", "Shows the version, like liveedit --version."),
      .init("version --verbose", "Shows the version and the libraries for a problem report."),
    ]
  ) { arguments throws(UsageError) in
    guard arguments.files.isEmpty else { throw UsageError(message: "version accepts no further words") }
    return VersionCommand(isVerbose: arguments.has(verbose))
  }

  /// The line that `--version` prints.
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
      ["\(Self.line)", "", "Libraries of liveedit:"] + Self.lines(LinkedLibrary.own)
        + ["", "Libraries of the render helper, liveedit-render:"] + Self.lines(helper)
        + ["", "How the render helper is confined:"] + protection.map(Report.indented))
    return .done
  }

  /// Describes how the helper's process is confined, with a separate line for each property.
  private static func protection(_ state: ConfinementState) -> [Message] {
    let own: Message = ChildProcess.memoryLimit.map { ", here \($0 >> 20) MB of memory (ulimit -v)" } ?? ""
    let patience = HelperRenderer.standardTimeout.components.seconds
    let files: Message =
      state.landlock > 0
      ? "the helper opens only the files of its job and writes only to its output locations (Landlock \(state.landlock))"
      : "not confined, because Landlock is missing or disabled in this kernel; the helper can read and write whatever you can"
    let calls: Message =
      state.allowedCalls > 0
      ? "\(state.allowedCalls) system calls allowed; no network, no other programs or processes (seccomp)"
      : "not confined, because seccomp filters are missing or forbidden here; the helper can use the network"
    let limits: Message =
      state.limits == nil
      ? "none could be set"
      : "memory, processor time, file size and number of open files, set to suit the pictures\(own)"
    let rights: Message =
      state.isWithoutNewPrivileges
      ? state.isWithoutCapabilities
        ? "no more than yours" : "no more than yours, or those of an administrator if you are one"
      : "yours; this kernel cannot prevent programs from gaining more"
    return [
      "process: each job runs in its own process; a file that crashes a codec ends that process, not liveedit",
      "timeout: the helper is stopped if it sends nothing for \(patience) s (LIVEEDIT_HELPER_TIMEOUT) or if liveedit ends",
      "files: \(files)", "calls: \(calls)", "limits: \(limits); FFmpeg allocates at most 512 MB at a time",
      "rights: \(rights)", "environment: the helper receives only LD_LIBRARY_PATH",
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
