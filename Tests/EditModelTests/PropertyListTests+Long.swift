import Basics
import Foundation
import TestSupport
import Testing

@testable import EditModel

extension PropertyListTests {
  @Test(arguments: [0xAE, 0xBE, 0xCE]) func sharedContainersAreRefused(_ marker: UInt8) {
    // 14⁴ strings in a few hundred bytes are within the limit for a list's values, but 14⁵ exceed it. Then come lists
    // that contain themselves.
    for power in [4, 5] {
      let layers = (0..<power).map { array(of: UInt8($0 + 1), marker: marker) } + [[0x51, 0x78]]
      let isRead = JSONValue(propertyList: binary(layers)) != nil
      #expect(isRead == (power == 4), "\(power)")
    }
    #expect(JSONValue(propertyList: binary([array(of: 0, marker: marker)])) == nil)
    #expect(JSONValue(propertyList: binary([array(of: 1), array(of: 0)])) == nil)
    // A dictionary whose only value is the dictionary itself, and a dictionary with an array as its key.
    #expect(JSONValue(propertyList: binary([[0xD1, 0, 0, 0, 1, 0, 0, 0, 0], [0x51, 0x78]])) == nil)
    #expect(JSONValue(propertyList: binary([[0xD1, 0, 0, 0, 1, 0, 0, 0, 1], [0xA0]])) == nil)
  }

  @Test(arguments: [0x4F, 0x5F, 0x6F, 0x7F]) func sharedTextAndDataAreRefused(_ marker: UInt8) {
    // A megabyte that 17 references share, and the greatest number of references allowed.
    let count = marker == 0x6F ? 500_000 : 1_000_000
    let size = [UInt8(count >> 16), UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
    let long: [UInt8] = [marker, 0x12, 0] + size + [UInt8](repeating: 0x61, count: 1_000_000)
    for places in [16, 17] {
      let references: [UInt8] =
        [0xAF, 0x10, UInt8(places)] + (0..<places).flatMap { _ -> [UInt8] in [0, 0, 0, 1] }
      let isRead = JSONValue(propertyList: binary([references, long])) != nil
      #expect(isRead == (places == 16), "\(places)")
    }
  }

  @Test func damagedListsNeverCrash() throws {
    let lists = try made(
      """
      values = {"a": [1, 2.5, {"b": "c", "d": b"data"}], "e": True, "f": datetime.datetime(2020, 1, 1), "g": "ü"}
      show(plistlib.dumps(values, fmt=plistlib.FMT_XML))
      show(plistlib.dumps(values, fmt=plistlib.FMT_BINARY))
      """
    ).map(\.list)
    var generator = SeededGenerator(seed: 8)
    var read = 0
    for _ in 0..<4000 {
      var bytes = try #require(lists.randomElement(using: &generator))
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      if JSONValue(propertyList: bytes) != nil { read += 1 }
    }
    #expect(read > 0)
  }

  /// A list with the greatest number of values allowed, including the list itself, and a list with one value more, in
  /// both formats.
  @Test func valuesOfAList() throws {
    let script = """
      import base64, plistlib, sys
      list = [True] * int(sys.argv[1])
      for form in (plistlib.FMT_XML, plistlib.FMT_BINARY):
          sys.stdout.write(base64.b64encode(plistlib.dumps(list, fmt=form)).decode() + "\\n")
      """
    for (count, isRead) in [(131_071, true), (131_072, false)] {
      for line in try Tools.output("python3", "-c", script, "\(count)").lines where !line.isEmpty {
        let bytes = [UInt8](try #require(Data(base64Encoded: line)))
        #expect((JSONValue(propertyList: bytes) != nil) == isRead, "\(count)")
      }
    }
  }
}
