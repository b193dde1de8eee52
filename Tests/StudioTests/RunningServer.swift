import Foundation
import TestSupport

/// A server of a test's own folder. It ends with this value.
final class RunningServer {
  let folder: TemporaryFolder
  private var process: Child?
  /// The printed address, without the part from “?” on.
  private(set) var address = ""
  /// The part of the printed address after “?”.
  private(set) var query = ""
  private let words: [String]
  private let environment: [String: String]
  private let launcher: [String]
  private let usedPrograms: URL
  static let token = "a-token-of-the-tests-0123456789"

  static let programs = TestFiles.programs

  /// Starts a server, and waits until it prints its address.
  ///
  /// - Parameters:
  ///   - words: The words of the command line, without the folder.
  ///   - fixtures: The files to serve.
  ///   - below: A folder that is copied into the served folder.
  ///   - environment: Environment variables besides those that separate the user's folders.
  ///   - launcher: The beginning of a command line that runs the program.
  ///   - programs: The folder of the programs.
  init(
    _ words: [String] = ["serve"],
    fixtures: [String] = ["IMG_0001.JPG", "IMG_0001.MOV", "IMG_0002.JPG", "IMG_0002.MOV"],
    below: URL? = nil, environment: [String: String] = [:], launcher: [String] = [],
    programs: URL = RunningServer.programs
  ) throws {
    folder = try TemporaryFolder()
    for name in ["Photos", "out", "run"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: false)
    }
    for name in fixtures {
      try FileManager.default.copyItem(at: TestFiles.fixture(name), to: folder.file("Photos/" + name))
    }
    if let below {
      try FileManager.default.copyItem(at: below, to: folder.file("Photos/" + below.lastPathComponent))
    }
    try folder.write(Array(Self.token.utf8), to: "token")
    for (name, mode) in [("token", 0o600), ("run", 0o700)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file(name).path)
    }
    (self.words, self.environment, self.launcher) = (words, environment, launcher)
    usedPrograms = programs
    try start()
  }

  /// Starts the program, and waits until it prints its address.
  private func start() throws {
    let token = words.first == "serve" ? ["--token-file", "token"] : []
    address = ""
    for name in ["address", "said"] { try folder.write([], to: name) }
    process = try run(token, output: "address", errors: "said")
    try Event.wait(for: "the server's address") {
      address = (try? String(contentsOf: folder.file("address"), encoding: .utf8)) ?? ""
      return address.hasSuffix("\n") || !isRunning
    }
    let parts = address.trimmingCharacters(in: .newlines).split(separator: "?", maxSplits: 1)
    guard let first = parts.first else { throw ToolFailure("the server did not start: \(said)") }
    (address, query) = (String(first), parts.count > 1 ? String(parts[1]) : "")
  }

  /// Starts the program again with the same folders.
  ///
  /// - Parameters:
  ///   - options: Further options.
  ///   - output: The file in ``folder`` for standard output.
  ///   - errors: The file in ``folder`` for standard error.
  func run(_ options: [String] = [], output: String, errors: String) throws -> Child {
    try Child(
      launcher + [usedPrograms.appendingPathComponent("liveedit").path] + words + options
        + ["--share-to", "out", "Photos"], in: folder.url,
      environment: [
        "XDG_CACHE_HOME": folder.file("cache").path, "XDG_CONFIG_HOME": folder.file("config").path,
        "XDG_RUNTIME_DIR": folder.file("run").path, "TMPDIR": folder.url.path,
      ].merging(environment) { $1 }, output: .file(folder.file(output)), errors: .file(folder.file(errors)))
  }

  deinit { end() }

  /// Ends the server with a signal, and starts it again.
  func restart(_ signal: Int32) throws {
    end(signal)
    try start()
  }

  /// The server's output on standard error.
  var said: String { (try? String(contentsOf: folder.file("said"), encoding: .utf8)) ?? "" }

  /// The port of the server.
  var port: UInt16 { UInt16(address.split(separator: ":").last?.prefix { $0.isNumber } ?? "") ?? 0 }

  /// The process identifier of the server.
  var identifier: Int32 { process?.identifier ?? 0 }

  /// Whether the server is still running.
  var isRunning: Bool { process?.isRunning ?? false }

  /// Sends a signal to the server.
  func signal(_ number: Int32) { process?.signal(number) }

  /// Ends the server with a signal, and waits until it has ended.
  ///
  /// - Parameter signal: The signal, or nil for a server that ends on its own.
  /// - Returns: The exit status, or the negated number of the signal that ended the server.
  @discardableResult
  func end(_ signal: Int32? = SIGTERM) -> Int32 {
    if let signal { process?.signal(signal) }
    return switch process?.wait() {
    case .exited(let status): status
    case .signalled(let signal): -signal
    case nil: 0
    }
  }
}
