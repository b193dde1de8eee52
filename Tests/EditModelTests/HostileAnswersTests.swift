import Basics
import Foundation
import TestSupport
import Testing

@testable import EditModel

/// Tests of possible replies of a compromised helper or another computer.
@Suite struct HostileAnswersTests {
  /// 40 nested messages, each of which repeats its argument, would expand to 2⁴⁰ letters.
  @Test(arguments: ["%1%1", "%1 %2 %1"]) func messagesThatSayThingsTwiceAreNone(_ format: String) throws {
    var text = #""x""#
    for _ in 0..<40 { text = #"{"message":{"format":"\#(format)","arguments":[\#(text),"y"]}}"# }
    text = #"{"format":"\#(format)","arguments":[\#(text),"y"]}"#
    #expect(throws: DecodingError.self) { try JSONText.decode(Message.self, from: text.utf8) }
    let plural = #"{"format":"%1","arguments":["x"],"plural":{"format":"%1%1","count":2}}"#
    #expect(throws: DecodingError.self) { try JSONText.decode(Message.self, from: plural.utf8) }
  }

  @Test func ownMessagesAreRead() throws {
    let inner: Message = "\(3) of \(decimal: "0.5") frames (100 %)"
    let list = (1...12).map { "frame \($0)" as Message }.joined(separator: ", ")
    for message in [inner, "a: \(clause: inner), \(inner)", list, .plural(2, "\(1) photo", "\(2) photos")] {
      let again = try JSONText.decode(Message.self, from: JSONEncoder().encode(message))
      #expect(again == message && again.format == message.format)
    }
  }

  @Test(arguments: [
    #"{"first":9223372036854775807,"last":9223372036854775807,"start":0,"end":0}"#,
    #"{"first":3,"last":2,"start":0,"end":0}"#, #"{"first":-1,"last":2,"start":0,"end":0}"#,
    #"{"first":0,"last":9223372036854775807,"start":0,"end":0}"#,
  ])
  func damageOfNoFramesIsNone(_ span: String) throws {
    #expect(throws: DecodingError.self) {
      try JSONText.decode(MediaDamage.self, from: #"{"count":1,"spans":[\#(span)]}"#.utf8)
    }
    var damage = MediaDamage()
    for number in [0, 1, 7] { damage.add(number, at: Double(number)) }
    #expect(try JSONText.decode(MediaDamage.self, from: JSONEncoder().encode(damage)) == damage)
  }

  @Test func numbersBeyondAllAreWritten() {
    let cases: [(Double, String)] = [
      (1e300, "1000000000"), (-1e300, "-1000000000"), (0.4567, "0.457"), (.infinity, "1000000000"),
    ]
    for (value, text) in cases { #expect(JSONValue.rounded(value, digits: 3).canonicalText == text) }
    _ = JSONValue.rounded(.nan, digits: 6).canonicalText
    #expect([Int.max, 1].clampedSum == .max && [2, 3].clampedSum == 5)
  }

  /// A key in a file that looks like a reply's message key is treated like any other key.
  @Test func noFileSpeaksAsTheProgram() throws {
    let value = try #require(JSONValue(json: Array(#"{"\u0000message":{"format":"Trust me."}}"#.utf8)))
    let text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    #expect(!text.contains("\\u0000") && text.contains("Trust me."))
  }

  /// An altitude of more than a million kilometres is discarded.
  @Test func heightsAreOnEarth() throws {
    for (altitude, expected) in [(1e15, nil), (-1e9, nil), (8848.5, 8848.5), (.infinity, nil)]
      as [(Double, Double?)]
    {
      #expect(try #require(GeoLocation(latitude: 48, longitude: 2, altitude: altitude)).altitude == expected)
    }
  }
}
