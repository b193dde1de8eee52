import Foundation
import TestSupport
import Testing

@testable import Basics

/// Tests of JSON from untrusted sources.
@Suite struct JSONTextTests {
  private struct Anything: Decodable {
    init(from decoder: any Decoder) throws {}
  }

  private static func text(levels: Int, isWhole: Bool) -> [UInt8] {
    let half = levels / 2
    let opened = String(repeating: "[", count: half) + String(repeating: "{\"a\":", count: levels - half)
    let closed = String(repeating: "}", count: levels - half) + String(repeating: "]", count: half)
    return Array((isWhole ? opened + "1" + closed : opened).utf8)
  }

  /// Returns whether a text is refused before it reaches Foundation.
  private static func isRefused(_ text: some Collection<UInt8>) -> Bool {
    do {
      _ = try JSONText.decode(Anything.self, from: text)
      return false
    } catch DecodingError.dataCorrupted(let context) {
      return context.debugDescription
        == "the JSON text is nested more than 128 levels deep or is not in UTF-8"
    } catch {
      return false
    }
  }

  @Test func deepTextsAreRefused() throws {
    for levels in 120...136 {
      for isWhole in [true, false] {
        let text = Self.text(levels: levels, isWhole: isWhole)
        let isRead = (try? JSONText.decode(Anything.self, from: text)) != nil
        #expect(isRead == (isWhole && levels <= 128), "\(levels) \(isWhole)")
        #expect(Self.isRefused(text) == (levels > 128), "\(levels) \(isWhole)")
      }
    }
    // In UTF-16, a letter can contain the byte of a quotation mark, after which brackets would not be counted.
    for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32] {
      let wide = try #require("{\"\u{2200}\":[]}".data(using: encoding))
      #expect(Self.isRefused(wide), "\(encoding)")
    }
  }

  /// Returns the nesting depth of a text as parsed by JSONSerialization.
  private static func depth(_ value: Any) -> Int {
    if let array = value as? [Any] { return 1 + (array.map(depth).max() ?? 0) }
    if let object = value as? [String: Any] { return 1 + (object.values.map(depth).max() ?? 0) }
    return 0
  }

  @Test(arguments: [
    #"[]"#, #"{"a":[1,[2]],"b":{"c":{}}}"#, #"["[[[[","}}",{"\"[":"\\"},["\\\"["]]"#, #"[[],[[]],[[[]]]]"#,
    #"3"#,
    #"{"[":{"{":["]"]}}"#,
  ])
  func levelsAreCounted(_ text: String) throws {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    #expect(JSONText.nesting(of: Array(text.utf8)) == Self.depth(value))
  }

  /// No other code of the programs reads JSON directly.
  @Test func everythingIsReadThisWay() throws {
    let sources = TestFiles.project.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      count += 1
      let text = try String(contentsOf: file, encoding: .utf8)
      let mentions = text.ranges(of: "JSONDecoder()").count + text.ranges(of: "JSONSerialization").count
      let isThere = file.lastPathComponent == "JSONText.swift"
      // JSONValue passes a decoder with a budget, and RawJSON passes a decoder with the settings of its encoder.
      let isHandedOver =
        ["JSONValue.swift", "RawJSON.swift"].contains(file.lastPathComponent) && text.contains("by: decoder")
      #expect(mentions == 0 || isThere || isHandedOver, "\(file.path)")
    }
    #expect(count > 100)
  }
}
