import Foundation
import TestSupport

/// Digests of a file's coded pictures, computed by other programs, for tests of edits that do not change any coded
/// picture.
enum CodedPictures {
  /// Returns a digest of a file's coded pictures: for a JPEG, the file without its metadata, as exiftool writes it; for
  /// a HEIC, the items in its item list; for a movie, its video and audio packets, as ffmpeg reads them.
  static func digest(_ file: URL) throws -> String {
    switch file.pathExtension {
    case "MOV":
      return try Tools.run([
        "ffmpeg", "-v", "error", "-i", file.path, "-map", "0:v", "-map", "0:a?", "-c", "copy", "-f", "md5",
        "-",
      ]).text
    case "HEIC": return try items([UInt8](Data(contentsOf: file))).description
    default:
      let plain = try Tools.run(["exiftool", "-q", "-all=", "-o", "-", file.path])
      return plain.standardOutput.isEmpty ? "none of \(file.path)" : hash(Array(plain.standardOutput))
    }
  }

  /// Returns the extents of each coded-picture item in a HEIC file (ISO/IEC 14496-12 section 8.11.3), with a hash of
  /// their bytes.
  private static func items(_ bytes: [UInt8]) throws -> [String] {
    func number(_ at: Int, _ width: Int) -> Int { bytes[at..<at + width].reduce(0) { $0 << 8 | Int($1) } }
    func find(_ name: String) -> Int? {
      let needle = Array(name.utf8)
      return (0..<min(bytes.count - 4, 1 << 16)).first { bytes[$0..<$0 + 4].elementsEqual(needle) }
    }
    guard let list = find("iloc"), let kinds = find("iinf") else { throw ToolFailure("no items") }
    var coded: Set<Int> = []
    let end = kinds - 4 + number(kinds - 4, 4)
    for at in kinds..<end where bytes[at..<at + 4].elementsEqual("infe".utf8) && bytes[at + 4] == 2 {
      if bytes[at + 12..<at + 16].elementsEqual("hvc1".utf8) { coded.insert(number(at + 8, 2)) }
    }
    let version = Int(bytes[list + 4])
    let (offsets, lengths) = (Int(bytes[list + 8] >> 4), Int(bytes[list + 8] & 15))
    let (bases, indices) = (Int(bytes[list + 9] >> 4), version == 0 ? 0 : Int(bytes[list + 9] & 15))
    var at = list + 12
    var found: [String] = []
    for _ in 0..<number(list + 10, 2) {
      let item = number(at, 2)
      at += version == 0 ? 4 : 6
      let base = number(at, bases)
      at += bases
      let count = number(at, 2)
      at += 2
      for _ in 0..<count {
        at += indices
        let start = base + number(at, offsets)
        let length = number(at + offsets, lengths)
        at += offsets + lengths
        if coded.contains(item) { found.append("\(item) \(hash(Array(bytes[start..<start + length])))") }
      }
    }
    guard !found.isEmpty else { throw ToolFailure("no coded items") }
    return found
  }

  /// Returns the 64-bit Fowler–Noll–Vo hash of the bytes.
  private static func hash(_ bytes: [UInt8]) -> String {
    String(bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
  }
}
