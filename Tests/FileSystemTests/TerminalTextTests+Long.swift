import Foundation
import TestSupport
import Testing

@testable import FileSystem

extension TerminalTextTests {
  @Test func noCharacterIsTakenForNarrowerThanItIs() throws {
    let wide = try scalars(
      """
      for c in range(0x80, 0x40000):
        if unicodedata.east_asian_width(chr(c)) in 'WF' and unicodedata.category(chr(c))[0] in 'LNPSZ': print(c)
      """)
    #expect(wide.count > 100_000)
    #expect(wide.filter { TerminalText.width(String($0)) < 2 }.isEmpty)
    let narrow = try scalars(
      """
      for c in range(0x20, 0x2E80):
        if unicodedata.east_asian_width(chr(c)) not in 'WF' and unicodedata.category(chr(c))[0] in 'LNPSZ':
          if unicodedata.category(chr(c)) not in ('Zl', 'Zp'): print(c)
      """)
    #expect(narrow.filter { TerminalText.width(String($0)) != 1 }.isEmpty)
    #expect(TerminalText.width("Zu\u{308}rich 写真 🏖") == 6 + 1 + 4 + 1 + 1)
    // As in tmux, a character that its variation selector turns into an emoji is wide, and a selector does not widen
    // other characters.
    #expect(TerminalText.width("🏝\u{FE0F}") == 2 && TerminalText.width("⌚\u{FE0F}") == 2)
  }
}
