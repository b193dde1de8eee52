import Foundation
import TestSupport
import Testing

@testable import EditModel

extension TimeZoneRulesTests {
  @Test(arguments: zones) func offsetsAreThoseOfTheSystem(_ zone: String) throws {
    let rules = try rules(zone)
    // Steps of ten days and an odd number of seconds, from 1972 to 2090. After the last table entry, the time zone's
    // rule applies.
    let instants = stride(from: 70_000_000, to: 3_800_000_000, by: 10 * 86_400 + 4_321)
    let input = instants.map { "@\($0)" }.joined(separator: "\n")
    let output = try Tools.run(
      ["date", "-f", "-", "+%z"], input: Data(input.utf8), environment: ["TZ": zone])
    let said = output.lines.compactMap { CaptureDate.offset(Array($0.utf8)) }
    #expect(said == instants.map { rules.offset(at: $0) })
  }
}
