import Foundation
import Synchronization

/// A running exiftool that answers one request after another (with its option `-stay_open`). Starting exiftool takes
/// four times as long as most answers.
///
/// The server only reads whole files; every other request starts a separate process. Writing corrupts exiftool's tag
/// tables: after writing a region in XMP, exiftool 12.57 no longer reads regions, and after writing many files, it
/// omitted a tag.
final class ExifToolServer: @unchecked Sendable {
  private let process: Child
  private let input = Pipe()
  private let output = Pipe()

  /// The servers that are idle.
  private static let idle = Mutex<[ExifToolServer]>([])

  private init() throws {
    process = try Child(
      ["exiftool", "-stay_open", "True", "-@", "-"],
      input: .descriptor(input.fileHandleForReading.fileDescriptor),
      output: .descriptor(output.fileHandleForWriting.fileDescriptor))
    // Without this copy of the descriptor, the output ends when exiftool ends.
    try output.fileHandleForWriting.close()
  }

  /// Sends a request to an idle server, or to a new one.
  ///
  /// - Parameter arguments: The arguments of exiftool, without its name.
  /// - Returns: The output of exiftool; nil if it failed or cannot handle the request this way. Run exiftool as a
  ///   separate process in that case.
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
      // The server remains usable, although the request failed.
      if all.suffix(Self.end.count) == Self.end {
        Self.idle.withLock { $0.append(self) }
        return nil
      }
    }
  }
}
