import FoundationEssentials
import Testing

@testable import EditModel

@Suite struct LocalGainsTests {
  private let gains = LocalGains(
    columns: 3, rows: 2, levels: 2, samples: (0..<24).map { Int8($0 * 10 - 110) })

  @Test func storedFormIsReadBack() throws {
    var edit = Edit.identity
    edit.local = gains
    #expect(edit.local != nil)
    let bytes = try JSONEncoder().encode(edit)
    #expect(try JSONDecoder().decode(Edit.self, from: bytes) == edit)
    #expect(!edit.isIdentity && !edit.keepsAppearance && edit.keepsColors)
    // Two's complement bytes: -110 is 146, -100 is 156, -90 is 166.
    #expect(String(decoding: edit.canonicalJSON.canonicalBytes, as: UTF8.self).contains(#""samples":"kpym"#))
  }

  @Test func editsWithoutItKeepTheirText() {
    var edit = Edit.identity
    edit[.exposure] = 1
    #expect(
      String(decoding: edit.canonicalJSON.canonicalBytes, as: UTF8.self) == #"{"light":{"exposure":1}}"#)
  }

  @Test(arguments: [
    #"{"columns":3,"rows":2,"levels":2}"#,
    #"{"columns":3,"rows":2,"levels":2,"samples":"AAAA"}"#,
    #"{"columns":1,"rows":2,"levels":2,"samples":"AAAAAAAAAAA="}"#,
    #"{"columns":4611686018427387904,"rows":4,"levels":2,"samples":""}"#,
    #"{"columns":2,"rows":2,"levels":2,"samples":"AAAAAAAAAAAAAAAAAAAAAA==","more":1}"#,
    #"{"columns":"2","rows":2,"levels":2,"samples":"AAAAAAAAAAAAAAAAAAAAAA=="}"#, "[]",
  ])
  func whatIsNoneIsRefused(_ text: String) {
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(Edit.self, from: Data(#"{"local":\#(text)}"#.utf8))
    }
  }

  @Test func itBelongsToTheLook() throws {
    var edit = Edit(look: Look(.builtIn(.noir)), local: gains)
    edit[.exposure] = 1
    let copied = PartialEdit([.look], of: edit).applied(to: .identity)
    #expect(copied.local == gains && copied.look == edit.look && copied[.exposure] == 0)
    #expect(edit.without([.look]).local == nil)
    // A different look removes the local gains.
    var other = PartialEdit()
    other.look = Look(.builtIn(.film))
    #expect(other.applied(to: edit).local == nil)
    let half = PartialEdit([.look], of: edit).scaled(by: 0.5)
    #expect(half.local?.samples.first == -55)
    #expect(PartialEdit([.look], of: edit).scaled(by: 0).local == nil)
  }
}
