/// The sample format of a PNG, as stated in the PNG's header IHDR (ISO/IEC 15948 section 11.2.2).
package struct PNGLayout: Hashable, Sendable {
  /// The meaning of a pixel's samples. The raw value is the header's colour type.
  package enum Colors: UInt8, Sendable {
    /// Grey.
    case grey = 0
    /// Red, green, blue.
    case truecolor = 2
    /// The index of a colour in a palette.
    case palette = 3
    /// Grey and alpha.
    case greyAlpha = 4
    /// Red, green, blue, alpha.
    case truecolorAlpha = 6

    /// The number of samples per pixel.
    package var channels: Int {
      switch self {
      case .grey, .palette: 1
      case .greyAlpha: 2
      case .truecolor: 3
      case .truecolorAlpha: 4
      }
    }

    /// Whether the last sample is the opacity of a pixel.
    package var hasAlpha: Bool { self == .greyAlpha || self == .truecolorAlpha }
    /// Whether pixels are grey.
    package var isGrey: Bool { self == .grey || self == .greyAlpha }
  }

  /// The width in pixels.
  package var width: Int
  /// The height in pixels.
  package var height: Int
  /// The number of bits per sample: 1, 2, 4, 8 or 16.
  package var bitDepth: Int
  /// The meaning of a pixel's samples.
  package var colors: Colors
  /// Whether the pixels are stored in seven passes (Adam7).
  package var isInterlaced: Bool

  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - bitDepth: The number of bits per sample.
  ///   - colors: The meaning of a pixel's samples.
  package init(width: Int, height: Int, bitDepth: Int, colors: Colors) {
    (self.width, self.height, self.bitDepth, self.colors) = (width, height, bitDepth, colors)
    isInterlaced = false
  }

  /// Reads the header.
  ///
  /// - Parameter header: The content of IHDR.
  /// - Returns: nil if the header is not valid according to the standard.
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
    // The standard defines only one compression method and one filter method.
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

  /// The number of bits per pixel as stored.
  package var bitsPerPixel: Int { colors.channels * bitDepth }
  /// The number of bytes per pixel if each sample occupies whole bytes.
  package var bytesPerPixel: Int { colors.channels * (bitDepth == 16 ? 2 : 1) }
  /// The size in pixels.
  package var size: PixelSize { PixelSize(width: width, height: height) }
}
