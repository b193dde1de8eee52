import Basics

/// The coding parameters of a JPEG, read from the marker segments before the first scan (ITU-T T.81 annex B).
struct JPEGCodingHeader {
  /// The width or height of the picture in pixels (T.81 B.2.2).
  let width: Int
  let height: Int
  /// Whether the frame is coded in several scans of increasing detail (SOF2, SOF10).
  let isProgressive: Bool
  /// Whether the entropy coder is arithmetic (SOF9 and later) rather than Huffman.
  let isArithmetic: Bool
  /// The width and height, in samples, of the minimum coded unit (MCU) of an interleaved scan (T.81 A.2).
  let unit: (width: Int, height: Int)
  /// The step sizes in each component's quantisation table.
  let quantization: [[Int]]

  /// - Parameter jpeg: The bytes of a complete JPEG file.
  /// - Throws: ``MediaError`` if the file does not contain a readable frame header, or if the library does not support
  ///   this kind of JPEG.
  init(_ jpeg: [UInt8]) throws {
    var tables: [Int: [Int]] = [:]
    var at = 2
    guard jpeg.count > 4, jpeg[0] == 0xFF, jpeg[1] == 0xD8 else {
      throw MediaError("the file is not a JPEG", remedy: "specify a photo")
    }
    while true {
      guard let segment = Self.segment(of: jpeg, at: at) else {
        throw MediaError.damaged("the file ends before the picture data begins")
      }
      let body = jpeg[segment.body]
      switch segment.marker {
      case 0xDB:
        Self.readTables(body, into: &tables)
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        let start = body.startIndex
        guard body.count >= 6, body.count >= 6 + 3 * Int(body[start + 5]) else {
          throw MediaError.damaged("the JPEG frame header is too short")
        }
        let components = Int(body[start + 5])
        try Self.requireKnownKind(segment.marker, bits: body[start], components: components)
        height = Int(body[start + 1]) << 8 | Int(body[start + 2])
        width = Int(body[start + 3]) << 8 | Int(body[start + 4])
        isProgressive = segment.marker & 3 == 2
        isArithmetic = segment.marker >= 0xC9
        let factors = (0..<components).map { body[start + 7 + 3 * $0] }
        // The library pads planes to powers of two, so planes with a sampling factor of three would not fit into a
        // frame.
        guard factors.allSatisfy({ [1, 2, 4].contains($0 >> 4) && [1, 2, 4].contains($0 & 15) }) else {
          throw MediaError.unsupported("the sampling of the colour components is not supported")
        }
        // A scan with a single component codes individual blocks, regardless of the component's sampling factors.
        unit =
          components == 1
          ? (8, 8)
          : (8 * Int(factors.map { $0 >> 4 }.max() ?? 1), 8 * Int(factors.map { $0 & 15 }.max() ?? 1))
        quantization = (0..<components).compactMap { tables[Int(body[start + 8 + 3 * $0])] }
        guard width > 0, height > 0 else {
          throw MediaError.damaged("the JPEG frame header contains no size")
        }
        return
      case 0xDE:
        throw Self.hierarchical
      case 0xDA, 0xD9:
        throw MediaError.damaged("the picture data has no frame header")
      default:
        break
      }
      at = segment.body.upperBound
    }
  }

  private static let hierarchical = MediaError.unsupported(
    "the file is a hierarchical JPEG, which is not supported")

  /// Checks that the library supports the kind of frame indicated by a marker (T.81 table B.1).
  private static func requireKnownKind(_ marker: UInt8, bits: UInt8, components: Int) throws {
    if marker & 4 != 0 { throw hierarchical }
    if marker & 3 == 3 {
      throw MediaError.unsupported("the file is a lossless-process JPEG, which is not supported")
    }
    guard bits == 8 else {
      throw MediaError.unsupported("the JPEG has \(bits) bits per sample, but only 8 are supported")
    }
    guard [1, 3, 4].contains(components) else {
      throw MediaError.unsupported(
        "the JPEG has \(components) colour components, but only 1, 3 or 4 are supported")
    }
  }

  private static func segment(of jpeg: [UInt8], at start: Int) -> (marker: UInt8, body: Range<Int>)? {
    var at = start
    guard at < jpeg.count, jpeg[at] == 0xFF else { return nil }
    while at < jpeg.count, jpeg[at] == 0xFF { at += 1 }
    guard at < jpeg.count else { return nil }
    let marker = jpeg[at]
    at += 1
    guard at + 2 <= jpeg.count else { return nil }
    let length = Int(jpeg[at]) << 8 | Int(jpeg[at + 1])
    guard length >= 2, at + length <= jpeg.count else { return nil }
    return (marker, at + 2..<at + length)
  }

  private static func readTables(_ body: ArraySlice<UInt8>, into tables: inout [Int: [Int]]) {
    var rest = body
    while let head = rest.popFirst() {
      let size = head >> 4 == 0 ? 1 : 2
      guard rest.count >= 64 * size else { return }
      let values = rest.prefix(64 * size)
      rest = rest.dropFirst(64 * size)
      tables[Int(head & 15)] =
        size == 1
        ? values.map { Int($0) }
        : (0..<64).map {
          Int(values[values.startIndex + 2 * $0]) << 8 | Int(values[values.startIndex + 2 * $0 + 1])
        }
    }
  }
}
