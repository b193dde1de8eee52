import EditModel
import Foundation
import TestSupport

@testable import LivePhotoFormat

/// The HEIC photos used in the tests: the fixtures and, if available, the samples.
enum HEICPhotos {
  static let fixtures = ["IMG_0004.HEIC", "shared.HEIC", "depth.HEIC"]
  static let samples = [
    "iphone-15pro-heic/IMG_3582.HEIC", "iphone-15plus-heic/IMG_3853.HEIC", "iphone-15pro-heic/IMG_E3582.HEIC",
  ].filter { TestFiles.sample($0) != nil }

  static func url(_ name: String) -> URL { TestFiles.sample(name) ?? TestFiles.fixture(name) }
  static func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: url(name))) }
}

/// Box-by-box changes to a HEIC file, for tests of odd and broken files. Only boxes in `meta` can be changed.
struct HEIFPatch {
  var bytes: [UInt8]

  /// Returns the start of the content of the first box on a path of box types, and the end of the box.
  func range(_ path: String...) -> Range<Int>? {
    var range = 0..<bytes.count
    for kind in path {
      var at = range.lowerBound
      var found: Range<Int>?
      while at + 8 <= range.upperBound, found == nil {
        let size = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
        guard size >= 8, at + size <= range.upperBound else { return nil }
        if bytes[at + 4..<at + 8].elementsEqual(kind.utf8) {
          // The boxes in `meta` follow its version and flags.
          found = at + (kind == "meta" ? 12 : 8)..<at + size
        }
        at += size
      }
      guard let found else { return nil }
      range = found
    }
    return range
  }

  /// Overwrites bytes of a box's content.
  mutating func set(_ path: [String], at offset: Int, _ new: [UInt8]) throws {
    var found: Range<Int>?
    switch path.count {
    case 1: found = range(path[0])
    case 2: found = range(path[0], path[1])
    case 3: found = range(path[0], path[1], path[2])
    default: found = range(path[0], path[1], path[2], path[3])
    }
    guard let found, offset + new.count <= found.count else { throw ToolFailure("no such box: \(path)") }
    let start = found.lowerBound + offset
    bytes.replaceSubrange(start..<start + new.count, with: new)
  }
}
