import Foundation

/// A process as /proc shows it.
public struct RunningProcess {
  /// The process identifier.
  public let identifier: Int32
  /// The name of the process's program, truncated by the kernel to 15 bytes.
  public let name: String
  /// The identifier of the parent: the process that started this one, or that adopted it.
  public let parent: Int32

  /// - Parameter identifier: The process identifier.
  /// - Returns: nil if the process does not exist.
  public init?(_ identifier: Int32) {
    guard let text = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8),
      let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[end...].dropFirst(2).split(separator: " ")
    self.identifier = identifier
    name = String(text[start..<end].dropFirst())
    parent = fields.count > 1 ? Int32(fields[1]) ?? 0 : 0
  }

  /// Returns all descendants of a process.
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

  /// Reads a file about the process in /proc.
  public func file(_ name: String) throws -> String {
    try String(contentsOfFile: "/proc/\(identifier)/\(name)", encoding: .utf8)
  }

  /// Returns the lines of the process's status with the given names.
  public func status(_ words: String...) throws -> [String] {
    try file("status").split(separator: "\n").map(String.init).filter { line in
      words.contains { line.hasPrefix($0 + ":") }
    }
  }
}
