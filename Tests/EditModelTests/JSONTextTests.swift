import Foundation
import TestSupport
import Testing

@testable import Basics

/// JSON of anybody. Whatever would end the process ends a process of the test's.
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

  @Test func deepTextsAreRefused() async {
    await #expect(processExitsWith: .success) {
      for levels in Array(120...130) + Array(500...520) + [100_000] {
        for isWhole in [true, false] {
          let text = Self.text(levels: levels, isWhole: isWhole)
          let isRead = (try? JSONText.decode(Anything.self, from: text)) != nil
          #expect(isRead == (isWhole && levels <= JSONText.deepest), "\(levels) \(isWhole)")
        }
      }
      // The text that ends Foundation's own way of reading.
      let text = Array((#"{"o":"# + String(repeating: "[", count: 512)).utf8)
      #expect(throws: DecodingError.self) { try JSONText.decode(Anything.self, from: text) }
      // The same in UTF-16, where a letter has the byte of a quote.
      for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32] {
        let wide = try #require(("{\"\u{2200}\":" + String(repeating: "[", count: 512)).data(using: encoding))
        #expect(throws: DecodingError.self) { try JSONText.decode(Anything.self, from: wide) }
      }
    }
  }

  /// The depth of what Foundation's other reader makes of a text.
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

  /// Nothing in the programs reads JSON another way.
  @Test func everythingIsReadThisWay() throws {
    let sources = TestFiles.project.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      count += 1
      let text = try String(contentsOf: file, encoding: .utf8)
      let mentions = text.ranges(of: "JSONDecoder()").count + text.ranges(of: "JSONSerialization").count
      let isThere = file.lastPathComponent == "JSONText.swift"
      // StructuredValue hands over one with a budget.
      let isWithBudget = file.lastPathComponent == "StructuredValue.swift" && text.contains("by: decoder")
      #expect(mentions == 0 || isThere || isWithBudget, "\(file.path)")
    }
    #expect(count > 100)
  }
}
