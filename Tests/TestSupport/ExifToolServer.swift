import Foundation
import Synchronization

/// A running exiftool that answers one question after the other (its option `-stay_open`): starting it takes four times as
/// long as most answers.
///
/// It is asked to read whole files alone; all else has a process of its own. For writing leaves traces in its tables of tags: one
/// that has written a region in XMP (exiftool 12.57) reads none any more, and one that had written many files left out a tag.
final class ExifToolServer: @unchecked Sendable {
  private let process: Child
  private let input = Pipe()
  private let output = Pipe()

  /// Those that wait for a question.
  private static let idle = Mutex<[ExifToolServer]>([])

  private init() throws {
    process = try Child(
      ["exiftool", "-stay_open", "True", "-@", "-"],
      input: .descriptor(input.fileHandleForReading.fileDescriptor),
      output: .descriptor(output.fileHandleForWriting.fileDescriptor))
    // The end of exiftool is the end of its output.
    try output.fileHandleForWriting.close()
  }

  /// Asks a server that is free, or a new one.
  ///
  /// - Parameter arguments: exiftool's, without its name.
  /// - Returns: what it printed; nil where it failed, or cannot be asked this way: run it then.
  static func answer(_ arguments: [String]) -> Data? {
    guard !arguments.contains(where: { $0.contains("\n") || $0.hasPrefix("#") || $0.isEmpty }),
      let server = idle.withLock({ $0.popLast() }) ?? (try? ExifToolServer())
    else { return nil }
    let lines = arguments + ["-echo3", "{status:${status}}", "-execute1"]
    let text = Array((lines.joined(separator: "\n") + "\n").utf8)
    guard server.write(text), let answer = server.read() else { return nil }
    idle.withLock { $0.append(server) }
    return answer
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.write(input.fileHandleForWriting.fileDescriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  private static let good = Data("{status:0}\n{ready1}\n".utf8)
  private static let end = Data("}\n{ready1}\n".utf8)

  private func read() -> Data? {
    var all = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(output.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      all.append(contentsOf: buffer[..<count])
      if all.suffix(Self.good.count) == Self.good { return all.dropLast(Self.good.count) }
      // It stays of use, though it has no answer.
      if all.suffix(Self.end.count) == Self.end {
        Self.idle.withLock { $0.append(self) }
        return nil
      }
    }
  }
}
