import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

extension TemporaryFolder {
  /// Returns all tags that exiftool reads, by family 1 group and name.
  func tags(_ bytes: [UInt8], _ name: String = "tags.jpg") throws -> [String: String] {
    let path = try write(bytes, to: name).path
    let json = try Tools.output("exiftool", "-j", "-G1", "-a", "-n", "-b", "-struct", path).standardOutput
    let list = try JSONSerialization.jsonObject(with: json) as? [[String: Any]]
    return try (list?.first ?? [:]).mapValues { value in
      let isPlain = value is String || value is NSNumber
      if isPlain { return "\(value)" }
      return String(
        decoding: try JSONSerialization.data(withJSONObject: value, options: .sortedKeys), as: UTF8.self)
    }
  }

  /// Returns the Exif block of a photo with tags written by exiftool.
  func exifBlock(_ arguments: [String]) throws -> TIFFBlock {
    let photo = try self.photo(exiftool: arguments)
    let exif = try #require(try JPEGFile(photo).header.segments.first { $0.marker == 0xE1 })
    return try #require(TIFFBlock(exif: Array(photo[exif.payload].dropFirst(6))))
  }

  /// Returns all tags that exiftool reads from an Exif block.
  func tags(of block: TIFFBlock) throws -> [String: String] {
    let exif = segment(0xE1, Array("Exif\0\0".utf8) + block.bytes)
    return try tags(inserting(exif, into: try photo(width: 8, height: 8)))
  }

  /// Returns the picture rotated by jpegtran, without metadata.
  func turned(_ bytes: [UInt8], _ transform: Orientation) throws -> [UInt8] {
    let options: [Orientation: [String]] = [
      .up: [], .upMirrored: ["-flip", "horizontal"], .down: ["-rotate", "180"],
      .downMirrored: ["-flip", "vertical"], .leftMirrored: ["-transpose"], .right: ["-rotate", "90"],
      .rightMirrored: ["-transverse"], .left: ["-rotate", "270"],
    ]
    try write(bytes, to: "before.jpg")
    return try run("jpegtran", ["-copy", "none", "-trim"] + (options[transform] ?? []) + ["before.jpg"])
  }
}

extension JPEGSurgery {
  /// Creates the surgery on a photo in memory.
  init(_ bytes: [UInt8]) throws {
    try self.init(Photo(MemoryByteSource(bytes)))
  }
}

/// Returns a real file, if LIVEEDIT_SAMPLES names its folder.
func sample(_ name: String) -> [UInt8]? {
  TestFiles.sample(name).flatMap { try? Data(contentsOf: $0) }.map { [UInt8]($0) }
}

/// Returns a big-endian Apple maker note of several tags, laid out like those of iPhones.
func appleNote(identifier: String?, hasLong8: Bool = false) -> [UInt8] {
  var entries: [(tag: Int, type: Int, count: Int, data: [UInt8])] = [
    (0x0001, 9, 1, [0, 0, 0, 10]),
    (0x0003, 7, 7, [1, 2, 3, 4, 5, 6, 7]),
    (0x0004, 9, 1, [0, 0, 0, 1]),
    (0x0005, 9, 1, [0, 0, 0, 128]),
    (0x0008, 10, 3, (1...6).flatMap { [0, 0, 0, UInt8($0)] }),
  ]
  if let identifier { entries.append((0x0011, 2, 37, Array(identifier.utf8) + [0])) }
  entries.append((0x0014, 9, 1, [0, 0, 0, 12]))
  // exiftool 12.57 warns about this type, which newer iPhones use.
  if hasLong8 { entries.append((0x0017, 16, 1, [0, 0, 0, 2, 0, 82, 16, 36])) }
  var note: [UInt8] = Array("Apple iOS".utf8) + [0, 0, 1, 0x4D, 0x4D, 0, UInt8(entries.count)]
  var values: [UInt8] = []
  let start = 16 + 12 * entries.count + 4
  for entry in entries {
    note += [0, UInt8(entry.tag), 0, UInt8(entry.type), 0, 0, 0, UInt8(entry.count)]
    if entry.data.count <= 4 {
      note += entry.data
    } else {
      note += [0, 0, UInt8((start + values.count) >> 8), UInt8((start + values.count) & 255)]
      values += entry.data
    }
  }
  return note + [0, 0, 0, 0] + values
}

let firstIdentifier = "0AC57A3B-6E3D-4F7E-9A21-5B1C0D9E8F70"
let secondIdentifier = "9F1B2C3D-4E5F-4A6B-8C7D-0E1F2A3B4C5D"

/// Returns a number as two big-endian bytes.
func twoBytes(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }

/// Returns a marker segment.
func segment(_ marker: UInt8, _ payload: some Collection<UInt8>) -> [UInt8] {
  [0xFF, marker] + twoBytes(payload.count + 2) + payload
}

/// Returns an Exif segment that contains only a maker note.
func exifSegment(note: [UInt8]) -> [UInt8] {
  let directory: [UInt8] = [0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
  let exif: [UInt8] = [0, 1, 0x92, 0x7C, 0, 7, 0, 0] + twoBytes(note.count) + [0, 0, 0, 44, 0, 0, 0, 0]
  return segment(0xE1, Array("Exif\0\0MM\0*\0\0\0\u{8}".utf8) + directory + exif + note)
}

/// Returns a JPEG with one more segment immediately after SOI.
func inserting(_ segment: [UInt8], into photo: [UInt8]) -> [UInt8] {
  Array(photo[..<2] + segment + photo[2...])
}
