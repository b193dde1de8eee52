import Basics
import EditModel

/// The frame header of a JPEG (SOFn, ITU-T T.81 B.2.2).
package struct JPEGFrame: Hashable, Sendable {
  /// The coding process, regardless of the entropy coder.
  package enum Process: String, Hashable, Sendable {
    /// Sequential DCT, 8 bits, Huffman coding (SOF0).
    case baseline
    /// Sequential DCT (SOF1, SOF9).
    case extended
    /// Progressive DCT (SOF2, SOF10).
    case progressive
    /// Predictive coding without DCT (SOF3, SOF11).
    case lossless
    /// A frame of a hierarchical picture (SOF5 to SOF7, SOF13 to SOF15).
    case differential
  }

  /// A colour component.
  package struct Component: Hashable, Sendable {
    /// The identifier of the component: usually 1, 2 and 3 for Y′, Cb and Cr.
    package let identifier: UInt8
    /// The horizontal sampling factor, from 1 to 4.
    package let horizontal: Int
    /// The vertical sampling factor, from 1 to 4.
    package let vertical: Int
  }

  /// The coding process.
  package let process: Process
  /// Whether the entropy coder is arithmetic instead of Huffman.
  package let isArithmetic: Bool
  /// The number of bits per sample.
  package let precision: Int
  /// The stored width and height in pixels.
  package let size: PixelSize
  /// The colour components in file order.
  package let components: [Component]

  /// Returns whether a marker begins a frame header.
  static func isFrame(_ marker: UInt8) -> Bool {
    switch marker {
    case 0xC4, 0xC8, 0xCC: false  // DHT, JPG, DAC
    default: 0xC0...0xCF ~= marker
    }
  }

  /// Reads the payload of a frame header.
  init(marker: UInt8, payload: [UInt8]) throws {
    let damaged = MediaError("the JPEG frame header is damaged", remedy: "copy the file from the phone again")
    guard payload.count >= 6, let height = ByteOrder.big.number(payload, at: 1, width: 2),
      let width = ByteOrder.big.number(payload, at: 3, width: 2)
    else { throw damaged }
    let count = Int(payload[5])
    guard count > 0, width > 0, payload.count >= 6 + 3 * count else { throw damaged }
    guard height > 0 else {
      throw MediaError(
        "the JPEG header does not state the picture's height",
        remedy: "save the photo as an ordinary JPEG first",
        isUnsupported: true)
    }
    process =
      switch marker & 0x07 {
      case 0: .baseline
      case 1: .extended
      case 2: .progressive
      case 3: .lossless
      default: .differential
      }
    isArithmetic = marker >= 0xC8
    precision = Int(payload[0])
    size = PixelSize(width: width, height: height)
    components = try (0..<count).map { index in
      let at = 6 + 3 * index
      let (horizontal, vertical) = (Int(payload[at + 1] >> 4), Int(payload[at + 1] & 15))
      guard 1...4 ~= horizontal, 1...4 ~= vertical, payload[at + 2] < 4 else { throw damaged }
      return Component(identifier: payload[at], horizontal: horizontal, vertical: vertical)
    }
  }
}
