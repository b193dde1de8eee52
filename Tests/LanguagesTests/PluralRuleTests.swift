import Foundation
import Languages
import TestSupport
import Testing

@Suite struct PluralRuleTests {
  /// Plural rules of languages, as listed in the GNU gettext manual.
  static let rules = [
    "nplurals=1; plural=0;", "nplurals=2; plural=n != 1;", "nplurals=2; plural=n>1;",
    "nplurals=3; plural=n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2;",
    "nplurals=3; plural=n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2;",
    "nplurals=4; plural=n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3;",
    "nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5;",
    "nplurals=3; plural=!(n-1) ? 0 : (n+3)*2/5 < 7 ? 1 : 2;",
  ]

  /// The shell's arithmetic equals C's, so bash computes the expected forms.
  @Test(arguments: rules)
  func formsAreThoseOfTheShell(_ text: String) throws {
    let rule = try #require(PluralRule(text))
    let expression = try #require(text.split(separator: "plural=", maxSplits: 2).last).dropLast()
    let script = "for ((n = 0; n < 230; n++)); do echo $((\(expression))); done"
    let wanted = try Tools.run(["bash", "-c", script]).lines.map { Int($0) }
    #expect(wanted.count == 230 && (0..<230).map { rule.form($0) } == wanted)
  }

  @Test(arguments: [
    "", "nplurals=2;", "plural=0;", "nplurals=0; plural=0;", "nplurals=99; plural=0;",
    "nplurals=2; plural=n !;",
    "nplurals=2; plural=(n;", "nplurals=2; plural=n ? 1;", "nplurals=2; plural=x;", "nplurals=2; plural=n 1;",
    "nplurals=2; plural=99999999999999999999999;",
    "nplurals=2; plural=" + String(repeating: "(", count: 400) + "n" + String(repeating: ")", count: 400),
    "nplurals=2; plural=" + String(repeating: "!", count: 900) + "n",
    "nplurals=2; plural=" + String(repeating: "n+", count: 600) + "n",
  ])
  func whatIsNoRuleIsNone(_ text: String) { #expect(PluralRule(text) == nil) }

  @Test func divisionByZeroAndFormsThatAreNotThereAreTheFirst() throws {
    #expect(try #require(PluralRule("nplurals=2; plural=n/0;")).form(5) == 0)
    #expect(try #require(PluralRule("nplurals=2; plural=n%0;")).form(5) == 0)
    #expect(try #require(PluralRule("nplurals=2; plural=n;")).form(5) == 0)
    #expect(try #require(PluralRule("nplurals=2; plural=n-2;")).form(1) == 0)
    #expect(try #require(PluralRule("nplurals=2; plural=n!=1;")).form(Int.min) == 1)
  }
}
