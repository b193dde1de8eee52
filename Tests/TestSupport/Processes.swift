import Foundation

/// Processes as /proc shows them.
public struct RunningProcess {
  /// Its number.
  public let identifier: Int32
  /// Its program's name, of which the kernel keeps 15 bytes.
  public let name: String
  /// The number of the process that started it, or that it was left to.
  public let parent: Int32

  /// - Parameter identifier: its number.
  /// - Returns: nil when there is none.
  public init?(_ identifier: Int32) {
    guard let text = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8),
      let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[end...].dropFirst(2).split(separator: " ")
    self.identifier = identifier
    name = String(text[start..<end].dropFirst())
    parent = fields.count > 1 ? Int32(fields[1]) ?? 0 : 0
  }

  /// All processes that a process has started, and those that these have.
  public static func descendants(of ancestor: Int32) throws -> [RunningProcess] {
    let all = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
      .compactMap(RunningProcess.init)
    let parents = Dictionary(all.map { ($0.identifier, $0.parent) }) { first, _ in first }
    return all.filter { process in
      var parent = process.parent
      while parent > 1, parent != ancestor { parent = parents[parent] ?? 0 }
      return parent == ancestor
    }
  }

  /// A file of /proc about it.
  public func file(_ name: String) throws -> String {
    try String(contentsOfFile: "/proc/\(identifier)/\(name)", encoding: .utf8)
  }

  /// The lines of its status that begin with one of some words.
  public func status(_ words: String...) throws -> [String] {
    try file("status").split(separator: "\n").map(String.init).filter { line in
      words.contains { line.hasPrefix($0 + ":") }
    }
  }
}
