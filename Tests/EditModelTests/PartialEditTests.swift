import Testing

@testable import EditModel

@Suite struct PartialEditTests {
  /// An edit in which every part is set.
  let full: Edit = {
    var edit = Edit(orientation: .right, look: Look(.builtIn(.film), intensity: 0.8))
    edit[.exposure] = 0.5
    edit[.levelsWhite] = 0.8
    edit[.warmth] = -0.2
    edit[.monochrome] = 1
    edit.geometry.straighten = 2.5
    edit[.sharpness] = 0.4
    edit[.vignette] = -0.3
    return edit
  }()

  @Test func whatIsNamedIsSetAndAllElseStays() throws {
    var partial = PartialEdit()
    #expect(partial.isEmpty && partial.applied(to: full) == full)
    partial.values = [.exposure: 0.1, .warmth: 0, .contrast: 0.3]
    partial.orientation = .down
    var expected = full
    expected[.exposure] = 0.1
    expected.adjustments[.warmth] = 0
    expected[.contrast] = 0.3
    expected.orientation = .down
    #expect(partial.applied(to: full) == expected)
    // Applying a partial edit twice has the same effect as applying it once.
    #expect(partial.applied(to: partial.applied(to: full)) == expected)
  }

  @Test(arguments: EditPart.allCases)
  func onePartIsCopiedAndTheOthersStay(_ part: EditPart) throws {
    var full = full
    full.curve = try ToneCurve([.init(x: 0, y: 50), .init(x: 1000, y: 950)])
    let copied = PartialEdit([part], of: full).applied(to: .identity)
    #expect(!copied.isIdentity)
    let others = Set(EditPart.allCases).subtracting([part])
    #expect(copied == full.without(others))
    #expect(copied.without([part]).isIdentity)
    // A neutral part resets the existing part.
    #expect(PartialEdit([part], of: .identity).applied(to: full) == full.without([part]))
    #expect(PartialEdit(Set(EditPart.allCases), of: full).applied(to: Edit(orientation: .down)) == full)
  }

  @Test func intensityLeadsStraightFromNeutral() throws {
    var partial = PartialEdit()
    partial.values = [.exposure: -1, .levelsWhite: 0.8, .monochrome: 1]
    partial.curve = try ToneCurve([.init(x: 200, y: 100), .init(x: 500, y: 600)])
    partial.look = Look(.builtIn(.noir), intensity: 0.6)
    partial.orientation = .left
    #expect(partial.scaled(by: 1) == partial)
    let half = partial.scaled(by: 0.5)
    #expect(half.values == [.exposure: -0.5, .levelsWhite: 0.9, .monochrome: 0.5])
    #expect(half.curve?.points.map(\.y) == [150, 550])
    #expect(half.look?.hundredths == 30)
    #expect(half.orientation == .left)
    // A partial edit without any effect makes the named parts neutral and removes an existing look.
    #expect(
      partial.scaled(by: 0).applied(to: full)
        == {
          var edit = Edit(orientation: .left)
          edit[.warmth] = -0.2
          edit.geometry.straighten = 2.5
          edit[.sharpness] = 0.4
          edit[.vignette] = -0.3
          return edit
        }())
  }

  @Test func presetsApplyInOrder() {
    var one = PartialEdit()
    one.values = [.exposure: 1, .contrast: 0.2]
    var two = PartialEdit()
    two.values = [.exposure: -1, .warmth: 0.1]
    let both = [one, two].reduce(Edit.identity) { $1.applied(to: $0) }
    #expect(both[.exposure] == -1 && both[.contrast] == 0.2 && both[.warmth] == 0.1)
    #expect([two, one].reduce(Edit.identity) { $1.applied(to: $0) }[.exposure] == 1)
  }
}
