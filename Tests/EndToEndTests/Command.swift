import Foundation
import TestSupport

/// The built program, in a folder of the test's own.
struct Command {
  /// The folder that holds the programs: that of the tests themselves.
  static let programs = TestFiles.programs

  /// The program's path.
  static let path = programs.appendingPathComponent("liveedit").path

  /// Runs the program and waits for it.
  static func run(_ arguments: String..., in folder: URL) throws -> ToolOutput {
    try Tools.run([path] + arguments, in: folder)
  }

  /// Starts the program, to be stopped half way.
  static func start(_ arguments: String..., in folder: URL) throws -> Child {
    try Child([path] + arguments, in: folder)
  }
}

extension ToolOutput {
  /// The sentences that the program said on standard error. Lines that an instrumented build adds are none.
  var sentences: [Substring] { standardError.split(separator: "\n").filter { $0.hasPrefix("liveedit: ") } }
}

/// All files of a folder, hidden ones too, with their content. The library of versions is left out.
func content(of folder: URL) throws -> [String: Data] {
  var content: [String: Data] = [:]
  for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name != ".liveedit" {
    let data = (try? Data(contentsOf: folder.appendingPathComponent(name))) ?? Data("folder".utf8)
    content[name] = name.hasSuffix(".AAE") ? withoutEditTime(data) : data
  }
  return content
}

/// Adjustment data without the time of the edit, which no two edits share.
func withoutEditTime(_ adjustments: Data) -> Data {
  let text = String(decoding: adjustments, as: UTF8.self)
  let pattern = "<key>adjustmentTimestamp</key>\\s*<date>[^<]*</date>"
  return Data(text.replacingOccurrences(of: pattern, with: "", options: .regularExpression).utf8)
}

extension ToolOutput {
  /// The lines of `--json` without the last one, which sums up.
  var answers: [String] { lines.filter { !$0.contains(#""status":"summary""#) } }
}
