import Foundation

/// Creates programs that tests then run.
///
/// The system refuses to run a file that a process has open for writing (“text file busy”). A process that a test
/// starts at the same time holds all of the tests' descriptors until it executes its program, which may take a while
/// under load. The tests therefore do not write such files themselves. Instead, they run `install`, which does not
/// start any process and has exited before the tests continue.
public enum MadePrograms {
  /// Writes an executable shell script, replacing any existing file.
  ///
  /// - Parameters:
  ///   - text: The script without the line that names the shell.
  ///   - file: The location of the script.
  public static func write(_ text: String, to file: URL) throws {
    let answer = try Tools.run(
      ["install", "-m", "755", "/dev/stdin", file.path], input: Data("#!/bin/sh\n\(text)\n".utf8))
    guard answer.status == 0 else { throw ToolFailure("install: \(answer.standardError)") }
  }

  /// Copies a built program into a folder, or to a file in one.
  public static func copy(_ program: URL, to place: URL) throws {
    try Tools.output("install", "-m", "755", program.path, place.path)
  }
}
