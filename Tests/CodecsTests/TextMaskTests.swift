import Testing

@testable import Codecs

/// Tests of text masks, which measure the mask as ink on paper.
@Suite struct TextMaskTests {
  private func ink(_ mask: TextMask) -> Int { mask.coverage.reduce(0) { $0 + Int($1) } }

  /// Returns the fraction of the ink in the left half.
  private func leftShare(_ mask: TextMask) -> Double {
    var left = 0
    for y in 0..<mask.height {
      for x in 0..<mask.width / 2 { left += Int(mask.coverage[y * mask.width + x]) }
    }
    return Double(left) / Double(max(ink(mask), 1))
  }

  @Test func lettersHaveTheirSizes() throws {
    let narrow = try TextMask("iiii", pixels: 20, mostColumns: 500)
    let wide = try TextMask("WWWW", pixels: 20, mostColumns: 500)
    let large = try TextMask("iiii", pixels: 40, mostColumns: 500)
    let bold = try TextMask("iiii", pixels: 20, isBold: true, mostColumns: 500)
    #expect(narrow.coverage.count == narrow.width * narrow.height)
    #expect(wide.width > 2 * narrow.width)
    #expect(abs(large.width - 2 * narrow.width) <= 4)
    #expect(ink(bold) > ink(narrow) * 5 / 4)
    // DejaVu Sans has an ascent of 0.928 and a descent of 0.236 em.
    #expect(abs(narrow.height - 24) <= 2)
    #expect(ink(try TextMask("", pixels: 20, mostColumns: 500)) == 0)
    #expect(try TextMask("", pixels: 20, mostColumns: 500).height == narrow.height)
  }

  @Test func longLinesAreCutInTheirMiddle() throws {
    let name = "the beginning of a very long name that goes on and on and its end.JPG"
    let whole = try TextMask(name, pixels: 13, mostColumns: 2000)
    let cut = try TextMask(name, pixels: 13, mostColumns: 200)
    #expect(whole.width > 300 && cut.width <= 200 && cut.width > 150)
    // The beginning and the end of both masks are equal.
    func columns(_ mask: TextMask, _ range: Range<Int>) -> [UInt8] {
      (0..<mask.height).flatMap { y in range.map { mask.coverage[y * mask.width + $0] } }
    }
    #expect(columns(cut, 0..<50) == columns(whole, 0..<50))
    let end = columns(cut, cut.width - 30..<cut.width)
    #expect(zip(end, columns(whole, whole.width - 30..<whole.width)).count { $0 == $1 } > end.count * 3 / 4)
  }

  /// Letters of a right-to-left script are placed on the right, and are joined where the script joins them.
  @Test func scriptsStandAsTheyAreRead() throws {
    let mixed = try TextMask("\u{5D0}\u{5D0}\u{5D0}\u{5D0} l", pixels: 20, mostColumns: 500)
    #expect(leftShare(mixed) < 0.5, "the Latin letter comes last, at the left")
    let latin = try TextMask("MMMM l", pixels: 20, mostColumns: 500)
    #expect(leftShare(latin) > 0.5)
    let joined = try TextMask("\u{633}\u{644}\u{627}\u{645}", pixels: 20, mostColumns: 500)
    let apart = try TextMask(
      "\u{633}\u{200C}\u{644}\u{200C}\u{627}\u{200C}\u{645}", pixels: 20, mostColumns: 500)
    #expect(joined.width < apart.width)
    // Greek, Cyrillic, and Devanagari without a suitable font: some ink is visible in every case.
    for text in ["Ελλάδα", "Россия", "\u{939}\u{93F}", "\u{6771}\u{4EAC}", "\u{1F600}"] {
      #expect(ink(try TextMask(text, pixels: 20, mostColumns: 500)) > 1000, "\(text)")
    }
  }

  @Test func hostileTextIsDrawnToo() throws {
    let long = try TextMask(String(repeating: "x", count: 1 << 20), pixels: 13, mostColumns: 300)
    #expect(long.width <= 300)
    let stacked = try TextMask(
      "a" + String(repeating: "\u{301}", count: 5000), pixels: 13, mostColumns: 300)
    #expect(stacked.height <= 60)
    let plain = try TextMask("a b", pixels: 13, mostColumns: 300)
    #expect(try TextMask("a\n\u{7}b", pixels: 13, mostColumns: 300).coverage == plain.coverage)
    #expect(try TextMask("abc", pixels: 13, mostColumns: 1).width == 1)
  }
}
