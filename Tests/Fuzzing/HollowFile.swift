import Basics

/// A file with a stretch of zeros that its input leaves out, in place of samples or picture data. Small inputs can thus
/// stand for whole files, and all offsets in their tables remain valid. The last eight bytes of an input contain the
/// stretch's start and length as big-endian numbers.
struct HollowFile: ByteSource {
  private let front: [UInt8]
  private let hole: Int
  private let back: [UInt8]

  /// The maximum length in bytes of a stretch, unless a target sets a smaller one.
  static let longest = 1 << 19

  /// Creates the file that an input stands for.
  ///
  /// - Parameter longest: The maximum length of the stretch. A longer stretch is not created.
  init(_ input: [UInt8], longest: Int = HollowFile.longest) {
    guard input.count >= 8 else {
      (front, hole, back) = (input, 0, [])
      return
    }
    func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
    let file = input.dropLast(8)
    let start = min(number(input.suffix(8).prefix(4)), file.count)
    hole = min(number(input.suffix(4)), longest)
    (front, back) = (Array(file[..<start]), Array(file[start...]))
  }

  /// The number of bytes.
  var count: Int { front.count + hole + back.count }

  /// Reads bytes of the file; see ``Basics/ByteSource/read(at:count:)``.
  func read(at offset: Int, count: Int) throws -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
      throw MediaError("the file is incomplete: it ends too early")
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    let end = offset + count
    if offset < front.count { bytes += front[offset..<min(end, front.count)] }
    let middle = max(offset, front.count)..<max(min(end, front.count + hole), max(offset, front.count))
    bytes += repeatElement(0, count: middle.count)
    let start = front.count + hole
    if end > start { bytes += back[max(offset - start, 0)..<end - start] }
    return bytes
  }

  /// The bytes of the whole file.
  var bytes: [UInt8] { front + [UInt8](repeating: 0, count: hole) + back }

  /// Returns the input for a file with one part left out, or nil if the rest is too large.
  static func input(_ file: [UInt8], without hole: Range<Int> = 0..<0, most: Int = 1 << 16) -> [UInt8]? {
    guard hole.upperBound <= file.count, hole.count <= longest, file.count - hole.count <= most else {
      return nil
    }
    func bytes(_ number: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
    return Array(file[..<hole.lowerBound] + file[hole.upperBound...])
      + bytes(hole.lowerBound) + bytes(hole.count)
  }
}
