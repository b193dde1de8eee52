/// The samples of a PNG, as its header IHDR tells them (ISO/IEC 15948 section 11.2.2).
package struct PNGLayout: Hashable, Sendable {
  /// The meaning of a pixel's samples; the raw value is the header's colour type.
  package enum Colors: UInt8, Sendable {
    /// Grey.
    case grey = 0
    /// Red, green, blue.
    case truecolor = 2
    /// The number of a colour in a palette.
    case palette = 3
    /// Grey and alpha.
    case greyAlpha = 4
    /// Red, green, blue, alpha.
    case truecolorAlpha = 6

    /// Samples of a pixel.
    package var channels: Int {
      switch self {
      case .grey, .palette: 1
      case .greyAlpha: 2
      case .truecolor: 3
      case .truecolorAlpha: 4
      }
    }

    /// True if the last sample says how opaque a pixel is.
    package var hasAlpha: Bool { self == .greyAlpha || self == .truecolorAlpha }
    /// True if pixels have no hue.
    package var isGrey: Bool { self == .grey || self == .greyAlpha }
  }

  /// Columns.
  package var width: Int
  /// Rows.
  package var height: Int
  /// Bits of a sample: 1, 2, 4, 8 or 16.
  package var bitDepth: Int
  /// The meaning of a pixel's samples.
  package var colors: Colors
  /// True if the pixels are stored in seven passes (Adam7).
  package var isInterlaced: Bool

  /// - Parameters:
  ///   - width: columns.
  ///   - height: rows.
  ///   - bitDepth: bits of a sample.
  ///   - colors: the meaning of a pixel's samples.
  package init(width: Int, height: Int, bitDepth: Int, colors: Colors) {
    (self.width, self.height, self.bitDepth, self.colors) = (width, height, bitDepth, colors)
    isInterlaced = false
  }

  /// Reads the header.
  ///
  /// - Parameter header: the content of IHDR.
  /// - Returns: nil when it is none that the standard allows.
  package init?(header: [UInt8]) {
    guard header.count == 13, let colors = Colors(rawValue: header[9]) else { return nil }
    func number(_ at: Int) -> Int { header[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    let depths: [UInt8] =
      switch colors {
      case .grey: [1, 2, 4, 8, 16]
      case .palette: [1, 2, 4, 8]
      default: [8, 16]
      }
    let longest = Int(Int32.max)
    // Compression and filter methods have one value each.
    guard 1...longest ~= number(0), 1...longest ~= number(4), depths.contains(header[8]), header[10] == 0,
      header[11] == 0, header[12] <= 1
    else { return nil }
    self.init(width: number(0), height: number(4), bitDepth: Int(header[8]), colors: colors)
    isInterlaced = header[12] == 1
  }

  /// The content of IHDR.
  package var header: [UInt8] {
    let size = [width, height].flatMap { side in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: side >> $0) }
    }
    return size + [UInt8(truncatingIfNeeded: bitDepth), colors.rawValue, 0, 0, isInterlaced ? 1 : 0]
  }

  /// Bits of a pixel as it is stored.
  package var bitsPerPixel: Int { colors.channels * bitDepth }
  /// Bytes of a pixel whose samples have whole bytes each.
  package var bytesPerPixel: Int { colors.channels * (bitDepth == 16 ? 2 : 1) }
  /// Columns and rows.
  package var size: PixelSize { PixelSize(width: width, height: height) }
}
