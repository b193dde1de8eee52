import Foundation
import Testing

@testable import Codecs
@testable import Rendering

/// A folder that goes away with the value.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "codecs-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String) -> String { path + "/" + name }

  func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }
}

struct ToolFailure: Error {
  let command: [String]
  let message: String
}

/// Runs an independent tool.
///
/// - Returns: what it wrote to its standard output.
@discardableResult
func tool(_ arguments: String...) throws -> [UInt8] {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = arguments
  // Files, not pipes: reading a pipe may be interrupted when another tool ends.
  let folder = try TemporaryFolder()
  let output = URL(fileURLWithPath: try folder.write([], to: "output"))
  let messages = URL(fileURLWithPath: try folder.write([], to: "messages"))
  process.standardOutput = try FileHandle(forWritingTo: output)
  process.standardError = try FileHandle(forWritingTo: messages)
  process.standardInput = FileHandle.nullDevice
  try process.run()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    throw ToolFailure(command: arguments, message: try String(contentsOf: messages, encoding: .utf8))
  }
  let data = try Data(contentsOf: output)
  return [UInt8](data)
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// All planes of an 8-bit frame, rows without padding, one after the other: as ffmpeg writes raw video.
func rawBytes(_ frame: PlanarFrame) -> [UInt8] {
  var bytes: [UInt8] = []
  for plane in frame.planes {
    for y in 0..<plane.height {
      let row = UnsafeRawBufferPointer(
        start: plane.base + y * plane.stride, count: plane.width * frame.format.bytesPerSample)
      bytes.append(contentsOf: row)
    }
  }
  return bytes
}

/// Peak signal-to-noise ratio of 8-bit samples in dB.
func psnr(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Double {
  guard a.count == b.count, !a.isEmpty else { return 0 }
  var sum = 0
  for (x, y) in zip(a, b) {
    let d = Int(x) - Int(y)
    sum += d * d
  }
  return sum == 0 ? 99 : 10 * log10(65025 * Double(a.count) / Double(sum))
}
