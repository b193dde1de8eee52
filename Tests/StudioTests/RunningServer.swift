import Foundation
import TestSupport

/// A server of a folder of the test's own, ended with the value.
final class RunningServer {
  let folder: TemporaryFolder
  private(set) var process = Process()
  /// The address that was printed, without what follows “?”.
  private(set) var address = ""
  /// What follows “?”.
  private(set) var query = ""
  private let words: [String]
  private let environment: [String: String]
  private let launcher: [String]
  static let token = "a-token-of-the-tests-0123456789"

  static let programs = TestFiles.programs

  /// Starts a server, and waits until it says where it is.
  ///
  /// - Parameters:
  ///   - words: the words of the command line, without the folder.
  ///   - fixtures: the files to serve.
  ///   - below: a folder that is copied into the one that is served.
  ///   - environment: variables besides those that keep the user's folders apart.
  ///   - launcher: the beginning of a command line that runs the program.
  init(
    _ words: [String] = ["serve"],
    fixtures: [String] = ["IMG_0001.JPG", "IMG_0001.MOV", "IMG_0002.JPG", "IMG_0002.MOV"],
    below: URL? = nil, environment: [String: String] = [:], launcher: [String] = []
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
    try start()
  }

  /// Starts the program, and waits until it says where it is.
  private func start() throws {
    let token = words.first == "serve" ? ["--token-file", "token"] : []
    let program = Self.programs.appendingPathComponent("liveedit")
    process.executableURL = launcher.isEmpty ? program : URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      (launcher.isEmpty ? [] : launcher + [program.path]) + words + token + ["--share-to", "out", "Photos"]
    process.environment = Tools.environment.merging([
      "XDG_CACHE_HOME": folder.file("cache").path, "XDG_CONFIG_HOME": folder.file("config").path,
      "XDG_RUNTIME_DIR": folder.file("run").path, "TMPDIR": folder.url.path,
    ]) { $1 }.merging(environment) { $1 }
    process.currentDirectoryURL = folder.url
    address = ""
    for name in ["address", "said"] { try folder.write([], to: name) }
    process.standardOutput = try FileHandle(forWritingTo: folder.file("address"))
    process.standardError = try FileHandle(forWritingTo: folder.file("said"))
    process.standardInput = FileHandle.nullDevice
    try process.run()
    for _ in 0..<500 where !address.hasSuffix("\n") {
      usleep(10_000)
      address = (try? String(contentsOf: folder.file("address"), encoding: .utf8)) ?? ""
    }
    let parts = address.trimmingCharacters(in: .newlines).split(separator: "?", maxSplits: 1)
    guard let first = parts.first else { throw ToolFailure("the server did not start: \(said)") }
    (address, query) = (String(first), parts.count > 1 ? String(parts[1]) : "")
  }

  deinit { end() }

  /// Ends it by a signal, and starts it again.
  func restart(_ signal: Int32) throws {
    end(signal)
    process = Process()
    try start()
  }

  /// What it said on standard error.
  var said: String { (try? String(contentsOf: folder.file("said"), encoding: .utf8)) ?? "" }

  /// The port.
  var port: UInt16 { UInt16(address.split(separator: ":").last?.prefix { $0.isNumber } ?? "") ?? 0 }

  /// Ends it by a signal, and waits for that.
  ///
  /// - Returns: its exit status.
  @discardableResult
  func end(_ signal: Int32 = SIGTERM) -> Int32 {
    if process.isRunning { kill(process.processIdentifier, signal) }
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }

  /// An answer as curl saw it.
  struct Reply {
    var status: Int
    var headers: [String: String] = [:]
    var body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
    var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:] }
    /// The code of a failure.
    var code: String? { (json["error"] as? [String: Any])?["code"] as? String }
  }

  /// Asks by curl.
  ///
  /// - Parameters:
  ///   - path: what follows the address; as it is, dots and all.
  ///   - options: further options of curl.
  ///   - token: what `Authorization` says; nil for no such header.
  func ask(_ path: String, _ options: [String] = [], token: String? = RunningServer.token) throws -> Reply {
    let files = try TemporaryFolder()
    let socket = address.hasPrefix("unix:") ? ["--unix-socket", String(address.dropFirst(5))] : []
    let base = address.hasPrefix("unix:") ? "http://localhost/" : address
    let output = try Tools.run(
      [
        "curl", "-s", "-m", "30", "--path-as-is", "-g", "-D", files.file("head").path, "-o",
        files.file("body").path,
      ]
        + socket + (token.map { ["-H", "Authorization: Bearer \($0)"] } ?? []) + options + [base + path],
      in: folder.url)
    let head = (try? String(contentsOf: files.file("head"), encoding: .utf8)) ?? ""
    let lines = head.components(separatedBy: "\r\n")
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      throw ToolFailure("\(path): curl ended with \(output.status), \(output.standardError)\(said)")
    }
    var reply = Reply(status: status, body: (try? files.read("body")) ?? [])
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 {
        reply.headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    return reply
  }

  /// Posts JSON.
  func post(_ path: String, _ json: String, _ options: [String] = []) throws -> Reply {
    try ask("api/1/" + path, ["-H", "Content-Type: application/json", "-d", json] + options)
  }

  /// The names of the assets by their stems.
  func assets() throws -> [String: String] {
    let list = try ask("api/1/assets?limit=1000").json["assets"] as? [[String: Any]] ?? []
    return Dictionary(
      list.compactMap { one in
        if let name = one["name"] as? String, let id = one["id"] as? String { (name, id) } else { nil }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Waits until a job is over.
  func finished(_ reply: Reply) throws -> [String: Any] {
    guard let name = (reply.json["job"] as? [String: Any])?["job"] as? String else {
      throw ToolFailure("no job: \(reply.status) \(reply.text)")
    }
    for _ in 0..<600 {
      let job = try ask("api/1/jobs/" + name).json["job"] as? [String: Any] ?? [:]
      if let state = job["state"] as? String, !["waiting", "running"].contains(state) { return job }
      usleep(50_000)
    }
    throw ToolFailure("the job \(name) does not end")
  }
}
