import Basics
import Foundation
import TestSupport
import Testing

@testable import EditModel

@Suite struct ParameterTests {
  @Test(arguments: Parameter.allCases)
  func theTableIsSound(_ parameter: Parameter) throws {
    let about = parameter.description
    #expect(about.range.contains(about.neutral))
    #expect([0, 2, 3].contains(about.digits))
    for text in [about.summary.description, about.formula] {
      #expect(text.count > 10 && !text.hasSuffix("."))
    }
    // The neutral value and both ends of the range are preserved.
    for value in [about.neutral, about.range.lowerBound, about.range.upperBound] {
      #expect(try parameter.checked(value) == value)
      var edit = Edit.identity
      edit[parameter] = value
      #expect(edit[parameter] == value)
      #expect(edit.isIdentity == (value == about.neutral))
    }
  }

  @Test func valuesAreRoundedToTheStep() throws {
    var edit = Edit.identity
    edit[.exposure] = 0.504
    #expect(edit[.exposure] == 0.5)
    edit[.exposure] = 0.004
    #expect(edit.isIdentity)
    edit[.contrast] = 7
    #expect(edit[.contrast] == 1)
    edit[.contrast] = .nan
    #expect(edit.isIdentity)
    edit[.levelsBlack] = 0.0126
    #expect(edit[.levelsBlack] == 0.013)
    #expect(try Parameter.exposure.checked(1.236) == 1.24)
  }

  @Test func sliderIsSetAndNotStacked() {
    var edit = Edit.identity
    edit[.warmth] = 0.3
    edit[.warmth] = 0.3
    #expect(edit[.warmth] == 0.3)
    edit[.tint] = 0.1
    var other = Edit.identity
    other[.tint] = 0.1
    other[.warmth] = 0.3
    #expect(edit == other && edit.hashValue == other.hashValue)
    edit[.warmth] = 0
    edit[.tint] = 0
    #expect(edit == .identity)
  }

  @Test(arguments: [5, -4.5, .nan, .infinity])
  func valuesOutOfRangeAreNamed(_ value: Double) {
    #expect {
      try Parameter.exposure.checked(value)
    } throws: { error in
      let text = "\(error)"
      return text.contains("exposure") && text.contains("-4 to 4 EV")
    }
  }

  /// Set LIVEEDIT_WRITE_REFERENCE=1 to write the page again.
  @Test func theReferencePageIsUpToDate() throws {
    let page = TestFiles.project.appendingPathComponent("ADJUSTMENTS.md")
    if ProcessInfo.processInfo.environment["LIVEEDIT_WRITE_REFERENCE"] != nil {
      try Data(ParameterReference.markdown.utf8).write(to: page)
    }
    #expect(try String(contentsOf: page, encoding: .utf8) == ParameterReference.markdown)
  }

  @Test func curvesAreChecked() throws {
    #expect(try ToneCurve([.init(x: 0, y: 0), .init(x: 500, y: 500)]) == .neutral)
    #expect(
      try ToneCurve([.init(x: 500, y: 400), .init(x: 0, y: 0)]).points.map(\.x) == [0, 500])
    #expect(throws: EditError.self) { try ToneCurve([.init(x: 5, y: 4), .init(x: 5, y: 6)]) }
    #expect(throws: EditError.self) { try ToneCurve([.init(x: 5, y: 1001)]) }
    #expect(throws: EditError.self) { try ToneCurve((0...32).map { .init(x: $0, y: 5) }) }
  }
}
