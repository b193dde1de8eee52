import Foundation
import Synchronization

/// The result of running an external program.
public struct ToolOutput: Sendable {
  /// The program's exit status, or the number of the signal that ended the program.
  public let status: Int32
  /// The program's standard output.
  public let standardOutput: Data
  /// The program's standard error.
  public let standardError: String

  /// Standard output as bytes.
  public var bytes: [UInt8] { [UInt8](standardOutput) }
  /// Standard output as text.
  public var text: String { String(decoding: standardOutput, as: UTF8.self) }
  /// The non-empty lines of standard output.
  public var lines: [String] { text.split(separator: "\n").map { String($0) } }
}

/// Runs external programs that the tests use as independent references.
public enum Tools {
  /// Whether a sanitizer instruments the programs.
  public static var isSanitized: Bool {
    #if SANITIZED
      true
    #else
      false
    #endif
  }

  /// Whether a program's memory and file sizes can be limited. A sanitizer's shadow memory counts as memory, and
  /// ThreadSanitizer keeps part of it in a file.
  public static var canLimit: Bool { !isSanitized }

  /// Whether the helper can fork copies of itself. ThreadSanitizer prevents that, because it adds a thread to every
  /// program.
  public static var canCopyHelper: Bool { !isSanitized }

  /// Runs a program found on PATH and waits until it exits.
  ///
  /// - Parameters:
  ///   - arguments: The program's name or path, and its arguments.
  ///   - folder: The folder to run the program in; nil for the tests' own folder.
  ///   - input: The program's standard input.
  ///   - environment: Variables that replace those of ``Child/environment``.
  public static func run(
    _ arguments: [String], in folder: URL? = nil, input: Data? = nil, environment: [String: String] = [:]
  ) throws -> ToolOutput {
    // Uses files instead of pipes, because files cannot fill up.
    let (output, errors) = (try UnnamedFile(), try UnnamedFile())
    let source = try input.map(UnnamedFile.init)
    let child = try Child(
      arguments, in: folder, environment: environment,
      input: source.map { .descriptor($0.descriptor) } ?? .nothing, output: .descriptor(output.descriptor),
      errors: .descriptor(errors.descriptor))
    return ToolOutput(
      status: child.wait().status, standardOutput: try output.content(),
      standardError: String(decoding: try errors.content(), as: UTF8.self))
  }

  /// Runs a program and expects it to succeed.
  @discardableResult
  public static func output(_ arguments: String..., in folder: URL? = nil) throws -> ToolOutput {
    let answer = try run(arguments, in: folder)
    guard answer.status == 0 else {
      throw ToolFailure(
        "\(arguments.joined(separator: " ")): exit \(answer.status), \(answer.standardError)")
    }
    return answer
  }

  /// Whether Python has pillow-heif, and therefore libheif.
  public static let hasPillowHEIF = (try? run(["python3", "-c", "import pillow_heif"]).status) == 0

  /// A request to a program about one file, and the file's status at that time.
  private struct Question: Hashable {
    let arguments: [String]
    /// The device, inode, size and times of the file, to the nanosecond. The status change time cannot be forged.
    let status: [Int]

    /// - Returns: nil if the file does not exist.
    init?(_ arguments: [String], about file: URL) {
      var status = stat()
      guard stat(file.path, &status) == 0 else { return nil }
      self.arguments = arguments
      self.status = [
        Int(status.st_dev), Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec,
        status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
      ]
    }
  }

  private static let answers = Mutex<[Question: ToolOutput]>([:])

  /// Runs a program that only reads one file, or returns its earlier output for that file.
  ///
  /// - Parameters:
  ///   - arguments: The program's name and its arguments, without the file, which is appended.
  ///   - file: The file. The program runs again if the file was written to, replaced or renamed.
  public static func ask(_ arguments: [String], about file: URL) throws -> ToolOutput {
    let words = arguments + [file.path]
    guard let question = Question(words, about: file) else { return try run(words) }
    if let known = answers.withLock({ $0[question] }) { return known }
    let said = arguments.first == "exiftool" ? ExifToolServer.answer(Array(words.dropFirst())) : nil
    let answer =
      try said.map { ToolOutput(status: 0, standardOutput: $0, standardError: "") } ?? run(words)
    answers.withLock { $0[question] = answer }
    return answer
  }

  /// Returns all tags of a file, keyed by group and name, as exiftool reads them.
  public static func exiftool(_ file: URL) throws -> [String: String] {
    let answer = try ask(["exiftool", "-j", "-G1", "-a", "-n", "-b"], about: file)
    guard let list = try JSONSerialization.jsonObject(with: answer.standardOutput) as? [[String: Any]],
      let tags = list.first
    else { throw ToolFailure("exiftool said: \(answer.standardError)") }
    return tags.mapValues { "\($0)" }
  }

  /// Returns the lines that ffprobe prints for the requested entries.
  public static func ffprobe(_ file: URL, _ options: String...) throws -> [String] {
    let answer = try ask(["ffprobe", "-v", "error"] + options + ["-of", "csv=p=0"], about: file)
    guard answer.status == 0 else { throw ToolFailure("ffprobe said: \(answer.standardError)") }
    return answer.text.split(separator: "\n").map { String($0) }
  }
}

/// An error for a tool that did not do what the test requires.
public struct ToolFailure: Error, CustomStringConvertible {
  /// A description of the failure.
  public let description: String

  /// - Parameter description: A description of the failure.
  public init(_ description: String) {
    self.description = description
  }
}
