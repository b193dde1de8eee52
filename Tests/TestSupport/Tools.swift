import Foundation
import Synchronization

/// What an external program answered.
public struct ToolOutput: Sendable {
  /// Its exit status, or the signal that ended it.
  public let status: Int32
  /// What it printed on standard output.
  public let standardOutput: Data
  /// What it printed on standard error.
  public let standardError: String

  /// Standard output as bytes.
  public var bytes: [UInt8] { [UInt8](standardOutput) }
  /// Standard output as text.
  public var text: String { String(decoding: standardOutput, as: UTF8.self) }
  /// The lines of standard output that are not empty.
  public var lines: [String] { text.split(separator: "\n").map { String($0) } }
}

/// Programs outside the project, which serve the tests as oracles.
public enum Tools {
  /// True if a sanitizer watches the programs.
  public static var isSanitized: Bool {
    #if SANITIZED
      true
    #else
      false
    #endif
  }

  /// True if a program's memory and the sizes of its files can be limited: a sanitizer's shadow of memory counts as memory, and
  /// ThreadSanitizer keeps some of it in a file.
  public static var canLimit: Bool { !isSanitized }

  /// True if the helper can make copies of itself: ThreadSanitizer has a thread of its own in every program.
  public static var canCopyHelper: Bool { !isSanitized }

  /// Runs a program found on PATH and waits for it.
  ///
  /// - Parameters:
  ///   - arguments: the program's name or path, and its arguments.
  ///   - folder: the folder to run it in; nil means the tests' own.
  ///   - input: what it reads on standard input.
  ///   - environment: variables that replace those of ``Child/environment``.
  public static func run(
    _ arguments: [String], in folder: URL? = nil, input: Data? = nil, environment: [String: String] = [:]
  ) throws -> ToolOutput {
    // Files, not pipes: they cannot fill up.
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

  /// Runs a program that must succeed.
  @discardableResult
  public static func output(_ arguments: String..., in folder: URL? = nil) throws -> ToolOutput {
    let answer = try run(arguments, in: folder)
    guard answer.status == 0 else {
      throw ToolFailure(
        "\(arguments.joined(separator: " ")): exit \(answer.status), \(answer.standardError)")
    }
    return answer
  }

  /// Whether Python has pillow-heif, and so libheif.
  public static let hasPillowHEIF = (try? run(["python3", "-c", "import pillow_heif"]).status) == 0

  /// A question to a program about one file, and the file as it was when it was asked.
  private struct Question: Hashable {
    let arguments: [String]
    /// Device, inode, size and times to the nanosecond; the time of the last change of its status cannot be forged.
    let status: [Int]

    /// - Returns: nil for a file that is not there.
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

  /// Runs a program that does no more than read one file, or repeats what it said of that file before.
  ///
  /// - Parameters:
  ///   - arguments: the program's name and its arguments, without the file, which comes last.
  ///   - file: the file. It is asked about again as soon as it was written to, replaced or renamed.
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

  /// All tags of a file as exiftool reads them, by group and name.
  public static func exiftool(_ file: URL) throws -> [String: String] {
    let answer = try ask(["exiftool", "-j", "-G1", "-a", "-n", "-b"], about: file)
    guard let list = try JSONSerialization.jsonObject(with: answer.standardOutput) as? [[String: Any]],
      let tags = list.first
    else { throw ToolFailure("exiftool said: \(answer.standardError)") }
    return tags.mapValues { "\($0)" }
  }

  /// The lines that ffprobe prints for some entries of a file.
  public static func ffprobe(_ file: URL, _ options: String...) throws -> [String] {
    let answer = try ask(["ffprobe", "-v", "error"] + options + ["-of", "csv=p=0"], about: file)
    guard answer.status == 0 else { throw ToolFailure("ffprobe said: \(answer.standardError)") }
    return answer.text.split(separator: "\n").map { String($0) }
  }
}

/// A tool that did not do what a test needs of it.
public struct ToolFailure: Error, CustomStringConvertible {
  /// What is wrong.
  public let description: String

  /// - Parameter description: what is wrong.
  public init(_ description: String) {
    self.description = description
  }
}
