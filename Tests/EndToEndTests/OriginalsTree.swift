import Foundation
import TestSupport

/// Originals that are not written to, a separate library and a user's state, in one temporary folder.
struct OriginalsTree {
  let folder: TemporaryFolder

  /// Creates an empty folder `photos` for originals and an empty library `lib`.
  init() throws {
    folder = try TemporaryFolder()
    for name in ["photos", "lib"] { try Self.make(folder.file(name)) }
  }

  private static func make(_ folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  var library: String { folder.file("lib").path }
  var environment: [String: String] { ["XDG_STATE_HOME": folder.file("state").path] }

  /// Copies a fixture into a folder of originals.
  func add(_ fixture: Fixture, to place: String) throws {
    try Self.make(folder.file(place))
    _ = try fixture.copy(to: folder.file(place))
  }

  /// Removes write permission from the originals, or restores it.
  func protect(_ isProtected: Bool = true) throws {
    _ = try Tools.output("chmod", "-R", isProtected ? "a-w" : "u+w", folder.file("photos").path)
  }

  /// Returns the state of all originals: names, inodes, permissions, sizes, modification and status change times, and
  /// contents.
  func originals() throws -> [String] {
    let status = try Tools.output(
      "find", "photos", "-printf", "%p %y %i %m %n %s %T@ %C@\n", in: folder.url)
    let content = try Tools.output(
      "find", "photos", "-type", "f", "-exec", "sha256sum", "{}", "+", in: folder.url)
    return status.lines.sorted() + content.lines.sorted()
  }

  /// Runs the program with the library.
  func run(_ arguments: String...) throws -> ToolOutput {
    try Tools.run(
      [Command.path] + arguments + ["--library", library], in: folder.url, environment: environment)
  }

  /// Runs the program without naming the library.
  func runBeside(_ arguments: String...) throws -> ToolOutput { try runBeside(arguments) }

  /// Runs the program without naming the library, with its arguments in an array.
  func runBeside(_ arguments: [String]) throws -> ToolOutput {
    try Tools.run([Command.path] + arguments, in: folder.url, environment: environment)
  }

  /// Runs the program with the library and expects it to succeed.
  @discardableResult
  func done(_ arguments: String...) throws -> ToolOutput {
    let output = try Tools.run(
      [Command.path] + arguments + ["--library", library], in: folder.url, environment: environment)
    guard output.status == 0 else {
      throw ToolFailure("\(arguments): \(output.status) \(output.standardError)\(output.text)")
    }
    return output
  }

  /// Returns the JSON objects that a command prints with `--json`.
  func answers(_ arguments: String...) throws -> [[String: Any]] {
    let output = try Tools.run(
      [Command.path] + arguments + ["--json", "--library", library], in: folder.url, environment: environment)
    return try output.answers.map { line in
      guard let answer = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
        throw ToolFailure(line)
      }
      return answer
    }
  }

  func data(_ place: String) throws -> Data { try Data(contentsOf: folder.file(place)) }

  func exists(_ place: String) -> Bool { FileManager.default.fileExists(atPath: folder.file(place).path) }
}
