import Foundation
import TestSupport
import Testing

/// Just enough of HEIF (ISO/IEC 14496-12 section 8.11, ISO/IEC 23008-12) to take the tiles out of a camera's file.
struct HEIFWalker {
  let file: [UInt8]
  /// Payload of the tiles' `hvcC`.
  private(set) var configuration: [UInt8] = []
  private(set) var tiles: [[UInt8]] = []
  private(set) var columns = 0
  private(set) var rows = 0
  private(set) var size = (width: 0, height: 0)
  private(set) var tileSize = (width: 0, height: 0)

  init(_ url: URL) throws {
    file = [UInt8](try Data(contentsOf: url))
    let meta = try #require(box("meta", boxes(0..<file.count)))
    let parts = boxes(meta.lowerBound + 4..<meta.upperBound)
    let locations = try readLocations(try #require(box("iloc", parts)))
    let idat = try #require(box("idat", parts))
    let primary = number(try #require(box("pitm", parts)).lowerBound + 4, 2)

    var references: [Int] = []
    for entry in boxes(try #require(box("iref", parts)).dropFirst(4)) where entry.type == "dimg" {
      guard number(entry.body.lowerBound, 2) == primary else { continue }
      references = (0..<number(entry.body.lowerBound + 2, 2)).map {
        number(entry.body.lowerBound + 4 + 2 * $0, 2)
      }
    }
    let first = try #require(references.first)

    // A grid's payload: version, flags, rows - 1, columns - 1, width, height (ISO/IEC 23008-12 section 6.6.2.3).
    let grid = try #require(locations[primary])
    let at = idat.lowerBound + grid.offset
    let bytes = file[at + 1] & 1 == 0 ? 2 : 4
    rows = Int(file[at + 2]) + 1
    columns = Int(file[at + 3]) + 1
    size = (number(at + 4, bytes), number(at + 4 + bytes, bytes))

    let properties = boxes(try #require(box("iprp", parts)))
    let list = boxes(try #require(box("ipco", properties)))
    for index in readAssociations(try #require(box("ipma", properties)))[first] ?? [] {
      let property = list[index - 1]
      if property.type == "hvcC" { configuration = Array(file[property.body]) }
      if property.type == "ispe" {
        tileSize = (number(property.body.lowerBound + 4, 4), number(property.body.lowerBound + 8, 4))
      }
    }
    tiles = try references.map { item in
      let location = try #require(locations[item])
      return Array(file[location.offset..<location.offset + location.length])
    }
  }

  private func number(_ at: Int, _ bytes: Int) -> Int {
    file[at..<at + bytes].reduce(0) { $0 << 8 | Int($1) }
  }

  private func boxes(_ range: Range<Int>) -> [(type: String, body: Range<Int>)] {
    var result: [(type: String, body: Range<Int>)] = []
    var at = range.lowerBound
    while at + 8 <= range.upperBound {
      let size = number(at, 4)
      let end = size == 0 ? range.upperBound : at + size
      guard size != 1, end >= at + 8, end <= range.upperBound else { break }
      result.append((String(decoding: file[at + 4..<at + 8], as: UTF8.self), at + 8..<end))
      at = end
    }
    return result
  }

  private func box(_ type: String, _ boxes: [(type: String, body: Range<Int>)]) -> Range<Int>? {
    boxes.first { $0.type == type }?.body
  }

  /// The place of every item that has one extent.
  private func readLocations(_ iloc: Range<Int>) throws -> [Int: (offset: Int, length: Int)] {
    var at = iloc.lowerBound
    try #require(file[at] == 1)
    let widths = [file[at + 4] >> 4, file[at + 4] & 15, file[at + 5] >> 4].map { Int($0) }
    try #require(file[at + 5] & 15 == 0)
    let count = number(at + 6, 2)
    at += 8
    var result: [Int: (offset: Int, length: Int)] = [:]
    for _ in 0..<count {
      let (item, base, extents) = (number(at, 2), number(at + 6, widths[2]), number(at + 6 + widths[2], 2))
      at += 8 + widths[2]
      if extents == 1 { result[item] = (base + number(at, widths[0]), number(at + widths[0], widths[1])) }
      at += extents * (widths[0] + widths[1])
    }
    return result
  }

  /// The properties of every item, counted from 1.
  private func readAssociations(_ ipma: Range<Int>) -> [Int: [Int]] {
    let bytes = file[ipma.lowerBound + 3] & 1 == 0 ? 1 : 2
    var result: [Int: [Int]] = [:]
    var at = ipma.lowerBound + 8
    for _ in 0..<number(ipma.lowerBound + 4, 4) {
      let (item, count) = (number(at, 2), Int(file[at + 2]))
      at += 3
      result[item] = (0..<count).map { number(at + $0 * bytes, bytes) & (bytes == 1 ? 0x7F : 0x7FFF) }
      at += count * bytes
    }
    return result
  }
}
