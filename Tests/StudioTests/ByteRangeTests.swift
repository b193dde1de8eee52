import Testing

@testable import Studio

/// Tests of ranges, using the examples and rules of RFC 9110 section 14.
@Suite struct ByteRangeTests {
  @Test(
    arguments: [
      (nil, .whole), ("bytes=0-499", .part(0..<500)), ("bytes=500-999", .part(500..<1000)),
      ("bytes=9500-", .part(9500..<10_000)), ("bytes=-500", .part(9500..<10_000)),
      ("bytes=0-0", .part(0..<1)),
      ("bytes=-1", .part(9999..<10_000)), ("bytes=9999-20000", .part(9999..<10_000)),
      ("bytes=-20000", .part(0..<10_000)), ("BYTES=1-2", .part(1..<3)), ("bytes= 1 - 2 ", .part(1..<3)),
      ("bytes=10000-", .unsatisfiable), ("bytes=10000-10001", .unsatisfiable), ("bytes=-0", .unsatisfiable),
      ("bytes=99999999999999999999-", .unsatisfiable), ("bytes=0-99999999999999999999", .part(0..<10_000)),
      ("bytes=5-2", .whole), ("bytes=-", .whole), ("bytes=a-b", .whole), ("bytes=1-2,4-5", .whole),
      ("items=0-1", .whole), ("bytes", .whole), ("bytes=+1-2", .whole), ("bytes=1-2-3", .whole), ("", .whole),
    ] as [(String?, ByteRange)])
  func rangesMeanWhatTheyAsk(_ header: String?, _ range: ByteRange) {
    #expect(ByteRange(header, of: 10_000) == range)
  }

  @Test func nothingHasNoBytes() {
    #expect(ByteRange("bytes=0-", of: 0) == .unsatisfiable)
    #expect(ByteRange("bytes=-1", of: 0) == .unsatisfiable)
    #expect(ByteRange(nil, of: 0) == .whole)
  }

  @Test(
    arguments: [
      ("\"a\"", true), ("W/\"a\"", true), ("\"b\", \"a\"", true), ("*", true), ("\"b\"", false), ("a", false),
      ("", false),
    ])
  func tagsAreComparedWeakly(_ header: String, _ isNamed: Bool) {
    #expect(EntityTag("a").isNamed(in: header) == isNamed)
    #expect(!EntityTag("a").isNamed(in: nil))
  }

  @Test func rangesAreGivenOfTheSameStateAlone() {
    let tag = EntityTag("a")
    #expect(tag.allowsRange(nil) && tag.allowsRange("\"a\""))
    #expect(!tag.allowsRange("W/\"a\"") && !tag.allowsRange("\"b\""))
    #expect(!tag.allowsRange("Sat, 29 Oct 1994 19:43:31 GMT"))
    #expect(EntityTag("a\"\r\nSet-Cookie: b").header == "\"aSet-Cookieb\"")
  }
}
