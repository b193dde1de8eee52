import Foundation
import TestSupport

@testable import Rendering

/// Returns all planes of an 8-bit frame in sequence, without row padding, in the form of ffmpeg's raw video.
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

/// Returns the peak signal-to-noise ratio of 8-bit samples in dB.
func psnr(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Double {
  guard a.count == b.count, !a.isEmpty else { return 0 }
  var sum = 0
  for (x, y) in zip(a, b) {
    let d = Int(x) - Int(y)
    sum += d * d
  }
  return sum == 0 ? 99 : 10 * log10(65025 * Double(a.count) / Double(sum))
}

extension TemporaryFolder {
  /// Creates a file in the folder with ffmpeg, unless a file of that name exists.
  ///
  /// - Returns: The path of the file.
  func ffmpeg(_ arguments: [String], to name: String) throws -> String {
    let answer = try Tools.run(["ffmpeg", "-v", "error", "-y"] + arguments + [name], in: url)
    guard answer.status == 0 else { throw ToolFailure("ffmpeg said: \(answer.standardError)") }
    return file(name).path
  }

  /// Creates a movie of two seconds with 30 grey frames, whose grey level encodes the frame number, and a rising tone.
  func counting(_ arguments: [String], to name: String) throws -> String {
    try ffmpeg(
      [
        "-f", "lavfi", "-i",
        "color=black:size=64x48:rate=15:duration=2,format=yuv420p,geq=lum='30+6*N':cb=128:cr=128",
        "-f", "lavfi", "-i", "aevalsrc=0.5*sin(900*t*t):s=44100:d=2",
      ] + arguments, to: name)
  }
}

/// Returns the average grey of every frame of a movie of grey frames, read by ffmpeg.
func greys(_ path: String) throws -> [Double] {
  let raw = try Tools.output(
    "ffmpeg", "-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-vf",
    "scale=64:48:in_range=limited:out_range=limited", "-f", "rawvideo", "-pix_fmt", "gray", "-"
  ).bytes
  let size = 64 * 48
  return stride(from: 0, to: raw.count, by: size).map { start in
    let sum = raw[start..<min(start + size, raw.count)].reduce(0) { $0 + Int($1) }
    return Double(sum) / Double(size)
  }
}

/// Returns one channel of audio as ffmpeg decodes it, with edit list and priming applied.
func sound(_ path: String) throws -> [Double] {
  let data = try Tools.output(
    "ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-ac", "1", "-ar", "44100", "-"
  ).bytes
  return stride(from: 0, to: data.count - 1, by: 2).map {
    Double(Int16(data[$0]) | Int16(data[$0 + 1]) << 8) / 32768
  }
}

/// Returns how much louder one audio signal is than its difference from the other, in dB.
func likeness(_ one: ArraySlice<Double>, _ other: ArraySlice<Double>) -> Double {
  let noise = zip(one, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
  return 10 * log10(one.reduce(0) { $0 + $1 * $1 } / max(noise, 1e-30))
}
