import Basics
internal import CTurboJPEG
import EditModel
import Rendering

/// Owns a TurboJPEG instance.
final class TurboJPEG {
  let pointer: tjhandle

  init(_ pointer: tjhandle?) throws {
    guard let pointer else { throw MediaError.noMemory }
    self.pointer = pointer
  }

  deinit {
    tjDestroy(pointer)
  }

  /// The facts that the library found in a JPEG's header.
  struct Frame {
    let width: Int
    let height: Int
    let layout: TJSAMP
    let sampling: ChromaSampling
    let colorspace: TJCS
    /// Columns and rows that a turn moves as one: those of ``JPEGCodingHeader/unit``.
    let unit: (width: Int, height: Int)

    /// True if a turn moves no incomplete block away from the right or bottom edge.
    ///
    /// A row or column of blocks that the turn mirrors must be complete.
    func isPerfect(_ orientation: Orientation) -> Bool {
      let m = orientation.matrix
      return (m.a + m.b > 0 || width % unit.width == 0) && (m.c + m.d > 0 || height % unit.height == 0)
    }
  }

  /// Reads and bounds the header before anything is allocated for the picture.
  ///
  /// - Parameter most: the most samples that the picture may have.
  func readHeader(
    _ jpeg: [UInt8], _ header: JPEGCodingHeader, most: Int = FrameFormat.maximumSamples
  ) throws -> Frame {
    // A Huffman code is at least one bit, and every block of 64 samples has at least one code.
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
      // The other kinds that the library does not know are refused by JPEGCodingHeader.
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

  /// True if the last call that failed did its work all the same, on data that is damaged.
  var isWarning: Bool { tjGetErrorCode(pointer) == TJERR_WARNING.rawValue }

  /// Throws unless a call that read the picture data went without error and without a warning of damage.
  ///
  /// - Parameters:
  ///   - status: what the call returned.
  ///   - jpeg: the file that it read, up to its EOI.
  func check(_ status: Int32, reading jpeg: [UInt8]) throws {
    guard status != 0 else { return }
    guard isWarning else {
      if isMemoryShort { throw MediaError.noMemory }
      throw MediaError("the picture could not be decoded or encoded (\(message))")
    }
    guard isPadding(jpeg) else { throw MediaError.damaged("the picture data is damaged") }
  }

  /// True if the last warning is only of zeros between the picture data and EOI, as some writers pad it.
  ///
  /// The library keeps the first warning of a call, so nothing before EOI was wrong. Other bytes than zeros
  /// are what damaged codes leave over.
  private func isPadding(_ jpeg: [UInt8]) -> Bool {
    guard message.contains("extraneous bytes before marker 0xd9"), jpeg.suffix(2) == [0xFF, 0xD9],
      let count = message.split(separator: " ").lazy.compactMap({ Int($0) }).first
    else { return false }
    return jpeg.dropLast(2).suffix(count).allSatisfy { $0 == 0 }
  }

  /// Every scan goes over the whole picture, however few bytes it has. Usual are one to about twenty.
  private static var scanLimit: Int { ReadingLimit.scans.value }

  /// How many SOS markers a file's first picture has, which the library reads up to its EOI (ITU-T T.81 B.1.1). Segments are
  /// passed over by their lengths, so that neither thumbnails in metadata count nor what follows the picture.
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
          // Where no segment is, the library stops.
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

  /// True if the last call failed for lack of memory: libjpeg's “Insufficient memory”, TurboJPEG's own “Memory
  /// allocation failure”.
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
