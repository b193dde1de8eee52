import Foundation

/// What an external program answered.
public struct ToolOutput: Sendable {
  /// Its exit status, or the signal that ended it.
  public let status: Int32
  /// What it printed on standard output.
  public let standardOutput: Data
  /// What it printed on standard error.
  public let standardError: String

  /// Standard output as text.
  public var text: String { String(decoding: standardOutput, as: UTF8.self) }
}

/// Programs outside the project, which serve the tests as oracles.
public enum Tools {
  /// Runs a program found on PATH and waits for it.
  ///
  /// - Parameters:
  ///   - arguments: the program's name or path, and its arguments.
  ///   - folder: the folder to run it in; nil means the tests' own.
  ///   - input: what it reads on standard input.
  public static func run(_ arguments: [String], in folder: URL? = nil, input: Data? = nil) throws
    -> ToolOutput
  {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = folder }
    let output = Pipe()
    process.standardOutput = output
    // Errors go through a file, so that neither pipe can fill while the other one is read.
    let errors = try TemporaryFolder()
    let errorFile = errors.url.appendingPathComponent("stderr")
    try Data().write(to: errorFile)
    process.standardError = try FileHandle(forWritingTo: errorFile)
    if let input {
      let file = errors.url.appendingPathComponent("stdin")
      try input.write(to: file)
      process.standardInput = try FileHandle(forReadingFrom: file)
    } else {
      process.standardInput = FileHandle.nullDevice
    }
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return ToolOutput(
      status: process.terminationStatus, standardOutput: data,
      standardError: String(decoding: try Data(contentsOf: errorFile), as: UTF8.self))
  }

  /// All tags of a file as exiftool reads them, by group and name.
  public static func exiftool(_ file: URL) throws -> [String: String] {
    let answer = try run(["exiftool", "-j", "-G1", "-a", "-n", "-b", file.path])
    guard let list = try JSONSerialization.jsonObject(with: answer.standardOutput) as? [[String: Any]],
      let tags = list.first
    else { throw ToolFailure("exiftool said: \(answer.standardError)") }
    return tags.mapValues { "\($0)" }
  }

  /// The lines that ffprobe prints for some entries of a file.
  public static func ffprobe(_ file: URL, _ options: String...) throws -> [String] {
    let answer = try run(["ffprobe", "-v", "error"] + options + ["-of", "csv=p=0", file.path])
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
