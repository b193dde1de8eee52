import Foundation

@testable import Rendering

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
