import Foundation
import TestSupport

/// Runs the built `liveedit` program in a test's temporary folder.
struct Command {
  /// The folder that contains the built programs and the tests.
  static let programs = TestFiles.programs

  /// The path of the `liveedit` program.
  static let path = programs.appendingPathComponent("liveedit").path

  /// Runs the program and waits until it exits.
  static func run(_ arguments: String..., in folder: URL) throws -> ToolOutput {
    try Tools.run([path] + arguments, in: folder)
  }

  /// Starts the program without waiting, so that the test can stop it midway.
  static func start(_ arguments: String..., in folder: URL) throws -> Child {
    try Child([path] + arguments, in: folder)
  }
}

extension ToolOutput {
  /// The messages that liveedit wrote to standard error. Lines added by an instrumented build are ignored.
  var sentences: [Substring] { standardError.split(separator: "\n").filter { $0.hasPrefix("liveedit: ") } }
}

/// Returns the contents of all files in a folder, including hidden files but not the `.liveedit` folder.
func content(of folder: URL) throws -> [String: Data] {
  var content: [String: Data] = [:]
  for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name != ".liveedit" {
    let data = (try? Data(contentsOf: folder.appendingPathComponent(name))) ?? Data("folder".utf8)
    content[name] = name.hasSuffix(".AAE") ? withoutEditTime(data) : data
  }
  return content
}

/// Returns adjustment data without the time of the edit, which differs between any two edits.
func withoutEditTime(_ adjustments: Data) -> Data {
  let text = String(decoding: adjustments, as: UTF8.self)
  let pattern = "<key>adjustmentTimestamp</key>\\s*<date>[^<]*</date>"
  return Data(text.replacingOccurrences(of: pattern, with: "", options: .regularExpression).utf8)
}

extension ToolOutput {
  /// The lines of `--json` output without the final summary line.
  var answers: [String] { lines.filter { !$0.contains(#""status":"summary""#) } }
}
