import EditModel
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// The words for a parameter's value are compared with the number that was set.
@Suite struct ParameterWordsTests {
  @Test(arguments: Parameter.allCases) func wordsSayTheValueThatWasSet(_ parameter: Parameter) throws {
    let about = parameter.description
    for value in [about.range.lowerBound, about.range.upperBound] where value != about.neutral {
      var edit = Edit()
      edit[parameter] = value
      let words = edit.words.description
      let text = try #require(words.split(separator: " ").last).replacing("−", with: "-")
      #expect(Double(text) == value, "\(words)")
      #expect(!text.hasPrefix("+") || about.range.lowerBound < 0)
    }
  }

  @Test func degreesAndKelvinHaveNoDecimals() {
    var edit = Edit()
    edit[.temperature] = 5000
    edit[.shadowGradeHue] = 250
    #expect(edit.words.description == "temperature 5000, colour grading: shadow hue 250")
  }
}
