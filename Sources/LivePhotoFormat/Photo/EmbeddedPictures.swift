import Basics

/// Finds JPEGs that are embedded in other data without a stated length.
enum EmbeddedPictures {
  /// The maximum number of JPEGs in a piece of data. If the maximum is reached, the last JPEG extends to the end of the
  /// data.
  private static let most = 16

  /// Returns the ranges of the JPEGs in part of the data. A truncated JPEG extends to the end of that part.
  ///
  /// - Parameters:
  ///   - bytes: The data.
  ///   - range: The part of the data to search.
  static func jpegs(in bytes: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var at = range.lowerBound
    while let start = bytes.firstJPEG(in: at..<range.upperBound) {
      var end = range.upperBound
      if found.count < most - 1, let picture = try? JPEGFile(Array(bytes[start..<range.upperBound])) {
        end = start + picture.picture.upperBound
      }
      found.append(start..<end)
      at = end
    }
    return found
  }
}

extension [UInt8] {
  /// Returns the offset of the first JPEG that begins in `range`: an SOI followed by a segment's marker (ITU-T T.81
  /// annex B).
  func firstJPEG(in range: Range<Int>? = nil) -> Int? {
    let range = (range ?? indices).clamped(to: indices)
    var at = range.lowerBound
    while let start = firstIndex(of: [0xFF, 0xD8, 0xFF], in: at..<range.upperBound) {
      guard start + 3 < range.upperBound else { return nil }
      if 0xC0...0xFE ~= self[start + 3] { return start }
      at = start + 1
    }
    return nil
  }

  /// The offsets of all JPEGs that begin in the bytes, in ascending order.
  var jpegStarts: [Int] {
    var starts: [Int] = []
    while let start = firstJPEG(in: (starts.last.map { $0 + 1 } ?? 0)..<count) { starts.append(start) }
    return starts
  }

  /// Whether a JPEG begins in the bytes.
  var holdsJPEG: Bool { firstJPEG() != nil }

  /// Whether the bytes contain a JPEG encoded as base64, which begins with “/9j/”.
  var spellsJPEG: Bool {
    var at = 0
    while let start = firstIndex(of: "/9j/", in: at..<count) {
      let next = self[start...].prefix(64)
      // XML entities may represent line breaks in the base64 text.
      let isBase64 = next.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "+/=&#;\r\n\t ".utf8.contains(byte)
        }
      }
      if next.count == 64, isBase64 { return true }
      at = start + 4
    }
    return false
  }
}
