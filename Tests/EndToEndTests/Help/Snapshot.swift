import Foundation
import TestSupport
import Testing

/// The expected texts, committed in Tests/Snapshots.
enum Snapshot {
  /// Whether the committed texts are written again instead of compared.
  static let areRenewed = ProcessInfo.processInfo.environment["LIVEEDIT_RENEW_SNAPSHOTS"] != nil

  /// The folder of the committed texts.
  static let folder = TestFiles.project.appendingPathComponent("Tests/Snapshots")

  /// Returns the committed text with a name; nil if there is none.
  static func text(_ name: String) -> String? {
    try? String(contentsOf: folder.appendingPathComponent(name + ".txt"), encoding: .utf8)
  }

  /// Compares a text with the committed one, or writes the committed one again.
  static func expect(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    if areRenewed {
      let file = folder.appendingPathComponent(name + ".txt")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      return try Data(text.utf8).write(to: file)
    }
    let committed = Self.text(name) ?? ""
    let (new, old) = (text.components(separatedBy: "\n"), committed.components(separatedBy: "\n"))
    let line = zip(new, old).prefix { $0 == $1 }.count
    #expect(
      text == committed,
      """
      Tests/Snapshots/\(name).txt differs from line \(line + 1) on: “\(line < new.count ? new[line] : "")” where it has \
      “\(line < old.count ? old[line] : "")”. If that is as it should be, run scripts/renew-snapshots and look at what \
      git diff shows.
      """, sourceLocation: sourceLocation)
  }
}
