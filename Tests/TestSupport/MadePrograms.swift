import Foundation

/// Programs that tests make in order to run them.
///
/// The system runs no file that some process holds open for writing ("text file busy"). A process that a test starts beside has, until
/// it runs its program, all descriptors of the tests, and under load that may take a while. So no such file is written by the tests
/// themselves: `install` does it, which starts nothing and has ended when they go on.
public enum MadePrograms {
  /// Writes a shell script that can be run, in place of whatever is there.
  ///
  /// - Parameters:
  ///   - text: what follows the line that names the shell.
  ///   - file: where the script is to be.
  public static func write(_ text: String, to file: URL) throws {
    let answer = try Tools.run(
      ["install", "-m", "755", "/dev/stdin", file.path], input: Data("#!/bin/sh\n\(text)\n".utf8))
    guard answer.status == 0 else { throw ToolFailure("install: \(answer.standardError)") }
  }

  /// Copies a built program into a folder, or to a name in one.
  public static func copy(_ program: URL, to place: URL) throws {
    try Tools.output("install", "-m", "755", program.path, place.path)
  }
}
