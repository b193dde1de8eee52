import Foundation
import TestSupport
import Testing

@testable import FileSystem

@Suite struct TerminalTextTests {
  /// Returns the code points printed by a Python program that uses the Unicode character database.
  func scalars(_ program: String) throws -> [Unicode.Scalar] {
    let answer = try Tools.run(["python3", "-c", "import sys, unicodedata\n" + program])
    #expect(answer.status == 0, "\(answer.standardError)")
    return answer.lines.compactMap { UInt32($0).flatMap { Unicode.Scalar($0) } }
  }

  @Test func everythingThatSteersOrHidesIsShown() throws {
    let hostile = try scalars(
      "[print(c) for c in range(0x110000) if unicodedata.category(chr(c)) in ('Cc', 'Cf', 'Zl', 'Zp')]")
    #expect(hostile.count > 200)
    let bidi: [ClosedRange<UInt32>] = [
      0x202A...0x202E, 0x2066...0x2069, 0x200B...0x200F, 0x61C...0x61C, 0x2028...0x2029, 0xFEFF...0xFEFF,
      0x3164...0x3164, 0xE0001...0xE007F,
    ]
    for scalar in hostile + bidi.joined().compactMap({ Unicode.Scalar($0) }) {
      let shown = "a\\u{" + String(scalar.value, radix: 16) + "}b"
      let name = "a" + String(Character(scalar)) + "b"
      #expect(TerminalText.line(name) == shown)
      // Escaping an escaped name changes nothing.
      #expect(TerminalText.line(shown) == shown)
    }
  }

  @Test func whatPeopleWriteStaysAsItIs() {
    for text in [
      "IMG_0001.JPG", "Zürich", "Zu\u{308}rich", "写真 🏖", "❤\u{FE0F}", "شاطئ", "“…” → ░ — −",
      "naïve café\u{301}", "",
    ] { #expect(TerminalText.line(text) == text) }
  }

  @Test func jsonKeepsItsMeaning() throws {
    let names = [
      "a\u{1B}]0;x\u{7}", "\u{202E}GPJ.x", "\u{E0041}\u{7F}\u{85}\u{2028}", "写真 🏖 \"\\/", "\u{1F3D6}",
    ]
    let text = try #require(String(data: try JSONEncoder().encode(names), encoding: .utf8))
    let safe = TerminalText.json(text)
    #expect(try JSONDecoder().decode([String].self, from: Data(safe.utf8)) == names)
    #expect(safe.unicodeScalars.allSatisfy { TerminalText.line(String($0)) == String($0) })
    #expect(safe.contains(#"\u202eGPJ"#) && safe.contains(#"\udb40\udc41\u007f\u0085\u2028"#))
    #expect(TerminalText.json("{\n}") == "{\n}")
  }

  @Test func whatIsNotUTF8IsShown() {
    func repaired(_ bytes: [UInt8]) -> String { TerminalText.repaired(bytes) }
    #expect(repaired(Array("Zürich 写真 🏖".utf8)) == "Zürich 写真 🏖")
    #expect(repaired([0x63, 0xE9, 0x2E, 0xFF]) == #"c\xe9.\xff"#)
    // A truncated sequence, an overlong sequence and a surrogate.
    #expect(repaired([0xE5, 0x86]) == #"\xe5\x86"#)
    #expect(repaired([0xC0, 0xAF, 0x61]) == #"\xc0\xafa"#)
    #expect(repaired([0xED, 0xA0, 0x80]) == #"\xed\xa0\x80"#)
    #expect(repaired([]) == "")
  }

  @Test func linesAreCutByColumns() {
    #expect(TerminalText.cut("abcdef", to: 6) == "abcdef")
    #expect(TerminalText.cut("abcdef", to: 5) == "abcd…")
    #expect(TerminalText.cut("写真写真", to: 8) == "写真写真")
    // No half of a character is shown.
    #expect(TerminalText.cut("写真写真", to: 6) == "写真…")
    #expect(TerminalText.cut("写真", to: 1) == "…" && TerminalText.cut("写真", to: 0) == "")
    for columns in 0..<20 {
      #expect(TerminalText.width(TerminalText.cut("Zu\u{308}rich 写真 🏖 im Mai", to: columns)) <= columns)
    }
    #expect(TerminalText.padded("写真", to: 6) == "写真  " && TerminalText.padded("写真", to: 2) == "写真")
  }
}
