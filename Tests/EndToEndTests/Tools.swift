import Foundation

/// What a finished process left.
struct ProcessOutput {
  var status: Int32
  var stdout: Data
  var stderr: Data

  var text: String { String(decoding: stdout, as: UTF8.self) }
  var errorText: String { String(decoding: stderr, as: UTF8.self) }
  var lines: [String] { text.split(separator: "\n").map(String.init) }
}

struct ToolError: Error, CustomStringConvertible {
  var description: String
}

/// Runs a program and waits for it.
///
/// - Parameters:
///   - program: a path, or a name to look up on PATH.
///   - environment: variables that are added to the test's own.
///   - directory: the current folder of the process.
func run(
  _ program: String, _ arguments: [String], environment: [String: String] = [:], directory: URL? = nil
) throws -> ProcessOutput {
  try withTemporaryFolder { folder in
    // Unlike pipes, files cannot fill up.
    let outputs = [folder.appendingPathComponent("stdout"), folder.appendingPathComponent("stderr")]
    let handles = try outputs.map {
      try Data().write(to: $0)
      return try FileHandle(forWritingTo: $0)
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = directory
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = handles[0]
    process.standardError = handles[1]
    try process.run()
    process.waitUntilExit()
    return ProcessOutput(
      status: process.terminationStatus, stdout: try Data(contentsOf: outputs[0]),
      stderr: try Data(contentsOf: outputs[1]))
  }
}

/// Runs a program that must succeed.
func output(_ program: String, _ arguments: String...) throws -> ProcessOutput {
  let result = try run(program, arguments)
  guard result.status == 0 else {
    throw ToolError(
      description:
        "\(program) \(arguments.joined(separator: " ")): exit \(result.status), \(result.errorText)")
  }
  return result
}

/// Calls `body` with a new folder and removes the folder afterwards.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("liveedit-tests-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

/// The two halves of a Live Photo.
struct PairFiles {
  var photo: URL
  var movie: URL
}

/// The committed Live Photos; scripts/make-fixtures says what each one is.
enum Fixture: String, CaseIterable {
  case portrait = "IMG_0001"
  case mirrored = "IMG_0002"
  case landscape = "IMG_0003"

  /// The folder with the committed files: not to be written to.
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  /// The files under `folder`, or the committed ones.
  func files(in folder: URL = Fixture.folder) -> PairFiles {
    PairFiles(
      photo: folder.appendingPathComponent("\(rawValue).JPG"),
      movie: folder.appendingPathComponent("\(rawValue).MOV"))
  }

  /// Copies both halves into `folder`.
  func copy(to folder: URL) throws -> PairFiles {
    let (from, to) = (files(), files(in: folder))
    try FileManager.default.copyItem(at: from.photo, to: to.photo)
    try FileManager.default.copyItem(at: from.movie, to: to.movie)
    return to
  }
}

/// What exiftool says, numbers unformatted, by group and tag name («IFD0:Orientation»). Of equal names the first.
func tags(of file: URL, _ options: String...) throws -> [String: String] {
  let result = try run("exiftool", ["-args", "-G1", "-n", "-a", "-U"] + options + [file.path])
  guard result.status == 0 else { throw ToolError(description: "exiftool \(file.path): \(result.errorText)") }
  return keyValues(result.lines.map { String($0.drop(while: { $0 == "-" })) })
}

/// What ffprobe says of a movie's streams, by its flat names («streams.stream.0.codec_name»).
func streams(of movie: URL) throws -> [String: String] {
  let result = try output("ffprobe", "-v", "error", "-show_streams", "-of", "flat", movie.path)
  return keyValues(result.lines).mapValues { $0.trimmingCharacters(in: ["\""]) }
}

private func keyValues(_ lines: [String]) -> [String: String] {
  let pairs = lines.compactMap { line -> (String, String)? in
    guard let mark = line.firstIndex(of: "=") else { return nil }
    return (String(line[..<mark]), String(line[line.index(after: mark)...]))
  }
  return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
}

/// The times of a movie's frames in seconds, in the order in which they are shown.
func frameTimes(of movie: URL) throws -> [Double] {
  let result = try output(
    "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "frame=pts_time", "-of", "csv=p=0",
    movie.path)
  return result.lines.compactMap { Double($0.split(separator: ",").first ?? "") }
}
