import Basics
internal import CTurboJPEG
import EditModel
import Rendering

/// A TurboJPEG instance, which is destroyed together with this object.
final class TurboJPEG {
  let pointer: tjhandle

  init(_ pointer: tjhandle?) throws {
    guard let pointer else { throw MediaError.noMemory }
    self.pointer = pointer
  }

  deinit {
    tjDestroy(pointer)
  }

  /// The properties that the library reads from a JPEG's header.
  struct Frame {
    let width: Int
    let height: Int
    let layout: TJSAMP
    let sampling: ChromaSampling
    let colorspace: TJCS
    /// The width and height, in pixels, of the unit in which a rotation moves the picture. The unit equals
    /// ``JPEGCodingHeader/unit``.
    let unit: (width: Int, height: Int)

    /// Returns whether all incomplete blocks are at the right or bottom edge after a rotation or flip.
    ///
    /// If a direction is mirrored, the picture must consist of complete blocks in that direction.
    func isPerfect(_ orientation: Orientation) -> Bool {
      let m = orientation.matrix
      return (m.a + m.b > 0 || width % unit.width == 0) && (m.c + m.d > 0 || height % unit.height == 0)
    }
  }

  /// Reads the header and checks the picture's width and height before memory is allocated.
  ///
  /// - Parameter most: The maximum number of samples in the picture.
  func readHeader(
    _ jpeg: [UInt8], _ header: JPEGCodingHeader, most: Int = FrameFormat.maximumSamples
  ) throws -> Frame {
    // A Huffman code is at least one bit long, and every block of 64 samples has at least one code.
    let samples = header.width * header.height
    guard samples <= most else { throw MediaError.tooLarge }
    guard header.isArithmetic || samples / 512 <= jpeg.count else {
      throw MediaError.damaged("the picture data is damaged")
    }
    guard Self.scanCount(jpeg) <= Self.scanLimit else {
      throw MediaError(beyond: .scans, "the JPEG has more than \(Self.scanLimit) scans")
    }
    var width: Int32 = 0
    var height: Int32 = 0
    var layout: Int32 = 0
    var colorspace: Int32 = 0
    let status = tjDecompressHeader3(
      pointer, jpeg, UInt(jpeg.count), &width, &height, &layout, &colorspace)
    guard status == 0 else {
      // JPEGCodingHeader has already rejected all other kinds of JPEG that the library does not support.
      if isMemoryShort { throw MediaError.noMemory }
      throw message.contains("subsampling")
        ? MediaError.unsupported(Self.unknownLayout)
        : MediaError.damaged("the JPEG header is damaged (\(message))")
    }
    guard Int(width) == header.width, Int(height) == header.height,
      let known = Self.layouts.first(where: { $0.layout.rawValue == UInt32(bitPattern: layout) })
    else { throw MediaError.unsupported(Self.unknownLayout) }
    return Frame(
      width: Int(width), height: Int(height), layout: known.layout, sampling: known.sampling,
      colorspace: TJCS(UInt32(bitPattern: colorspace)), unit: header.unit)
  }

  /// Whether the last call reported a warning, which means that the call completed its work on damaged data.
  var isWarning: Bool { tjGetErrorCode(pointer) == TJERR_WARNING.rawValue }

  /// Throws an error if a call that reads picture data failed or warned of damage.
  ///
  /// - Parameters:
  ///   - status: The return value of the call.
  ///   - jpeg: The bytes of the file that the call read, up to EOI.
  func check(_ status: Int32, reading jpeg: [UInt8]) throws {
    guard status != 0 else { return }
    guard isWarning else {
      if isMemoryShort { throw MediaError.noMemory }
      throw MediaError("the picture could not be decoded or encoded (\(message))")
    }
    guard isPadding(jpeg) else { throw MediaError.damaged("the picture data is damaged") }
  }

  /// Returns whether the last warning is only about zero bytes between the picture data and EOI. Some programs write
  /// such zeros as padding.
  ///
  /// The library keeps the first warning of a call, so all data before the padding was correct. Bytes other than zero
  /// are the remains of damaged codes.
  private func isPadding(_ jpeg: [UInt8]) -> Bool {
    guard message.contains("extraneous bytes before marker 0xd9"), jpeg.suffix(2) == [0xFF, 0xD9],
      let count = message.split(separator: " ").lazy.compactMap({ Int($0) }).first
    else { return false }
    return jpeg.dropLast(2).suffix(count).allSatisfy { $0 == 0 }
  }

  /// The maximum number of scans. Every scan covers the complete picture, even if the scan has only a few bytes. Most
  /// files have between one and about twenty scans.
  private static var scanLimit: Int { ReadingLimit.scans.value }

  /// Returns the number of SOS markers in a file's first picture. The library reads this picture up to EOI (ITU-T T.81
  /// B.1.1). Segments are skipped according to their lengths, so thumbnails in metadata and data after the picture do
  /// not count.
  private static func scanCount(_ jpeg: [UInt8]) -> Int {
    jpeg.withUnsafeBufferPointer { bytes in
      var count = 0
      var at = 2
      while let found = bytes.dropFirst(at).firstIndex(of: 0xFF), found + 1 < bytes.count {
        let marker = bytes[found + 1]
        at = found + (marker == 0xFF ? 1 : 2)
        switch marker {
        case 0x00...0xBF, 0xD0...0xD7, 0xFF: continue
        case 0xD8, 0xD9: return count
        default:
          // The library stops at this point, because no segment follows.
          guard at + 2 <= bytes.count else { return count }
          let length = Int(bytes[at]) << 8 | Int(bytes[at + 1])
          guard length >= 2 else { return count }
          if marker == 0xDA { count += 1 }
          at += length
        }
      }
      return count
    }
  }

  private static let unknownLayout: Message = "the sampling of the colour components is not supported"

  static func layout(_ sampling: ChromaSampling) -> TJSAMP? {
    layouts.first { $0.sampling == sampling }?.layout
  }

  private static let layouts: [(layout: TJSAMP, sampling: ChromaSampling)] = [
    (TJSAMP_GRAY, .grey), (TJSAMP_420, .yuv420), (TJSAMP_422, .yuv422), (TJSAMP_440, .yuv440),
    (TJSAMP_444, .yuv444), (TJSAMP_411, .yuv411),
  ]

  /// Whether the last call failed because of insufficient memory. libjpeg reports “Insufficient memory”, and TurboJPEG
  /// reports “Memory allocation failure”.
  private var isMemoryShort: Bool {
    message.contains("Insufficient memory") || message.contains("Memory allocation failure")
  }

  private var message: String {
    guard let text = tjGetErrorStr2(pointer) else { return "unknown error" }
    return String(cString: text)
  }
}

extension MediaError {
  static var tooLarge: MediaError {
    let most: Message = "at most \(FrameFormat.maximumSamples / 1_000_000) megapixels are supported"
    let canRise = FrameFormat.maximumSamples < 1 << 30
    return .unsupported(
      "the picture is too large",
      remedy: canRise ? ReadingLimit.pixels.remedy.map { "\(most); \($0)" } ?? most : most)
  }
}
