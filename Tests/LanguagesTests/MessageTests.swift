import Basics
import Foundation
import Languages
import Testing

@Suite struct MessageTests {
  @Test func literalsAreFormatsWithArguments() {
    let (name, count) = ("IMG_0001.JPG", 3)
    let message: Message = "\(name): 100% of \(count) files"
    #expect(
      message.format == "%1: 100% of %2 files" && message.description == "IMG_0001.JPG: 100% of 3 files")
    let joined: Message = "\(name) has " + "\(count) files"
    #expect(joined.format == "%1 has %2 files" && joined.description == "IMG_0001.JPG has 3 files")
    // Text that looks like a placeholder is passed as an argument.
    let odd: Message = "\(count)0 s, 5%1"
    #expect(odd.description == "30 s, 5%1" && Message("%1 %2").description == "%1 %2")
    let error = EditError(.notFound, file: "a", "no \(name)", remedy: "go")
    #expect(Message("told: \(error)").description == "told: a: no IMG_0001.JPG; go")
    #expect([Message("a"), "b", "c"].joined(separator: ", ") == "a, b, c")
  }

  /// Joins a hundred thousand messages, which must not be nested one inside another.
  @Test func manyMessagesAreJoined() {
    let words = (0..<100_000).map(String.init)
    let joined = words.map { Message("no. \($0)") }.joined(separator: ", ")
    #expect(joined.description == words.map { "no. \($0)" }.joined(separator: ", "))
    #expect([Message]().joined(separator: ", ").description.isEmpty)
  }

  @Test func translationsReplaceFormatsAtEveryDepth() {
    let inner: Message = "cannot be \("x")"
    let message: Message = "\("f"): \(inner); \(decimal: "0.5")"
    let text = message.text(point: ",") { $0.format == "cannot be %1" ? "kann nicht %1 sein" : nil }
    #expect(text == "f: kann nicht x sein; 0,5")
    let swapped = Message("\("a") before \("b")").text { _ in "%2 nach %1, %3" }
    #expect(swapped == "b nach a, %3")
  }

  @Test(arguments: [(0, "0 files"), (1, "1 file"), (2, "2 files")])
  func pluralsChooseByTheNumber(_ count: Int, _ wanted: String) {
    #expect(Message.plural(count, "\(count) file", "\(count) files") == Message(wanted))
  }

  @Test func paragraphsAreSeenAsTranslatorsSeeThem() {
    let last: Message = "c \("x")\nd\n\ne"
    let text: Message = "a \("1")\nb \("2")\n\n  indented\nf\n\n\(last)"
    #expect(text.paragraphs.map(\.format) == ["a %1 b %2", "  indented", "f", "c %1 d", "e"])
    #expect(text.paragraphs.map(\.description) == ["a 1 b 2", "  indented", "f", "c x d", "e"])
  }

  @Test func sentencesAreClausesInEveryLanguage() {
    let sentence: Message = "The movie lasts no time."
    let message: Message = "cannot be shown: \(clause: sentence)"
    #expect(message.description == "cannot be shown: the movie lasts no time")
    let german = message.text { $0.format == sentence.format ? "Das Video dauert keine Zeit." : nil }
    #expect(german == "cannot be shown: das Video dauert keine Zeit")
    #expect(Message("\(clause: "")").description == "")
  }

  /// JSON contains English text by default. An encoder can be configured to keep the message.
  @Test func answersForProgramsAreEnglishText() throws {
    struct Answer: Codable { @EnglishText var note: Message }
    let answer = Answer(note: "has \(2) \(Message("parts")), \(clause: "Both are good.")")
    let encoder = JSONEncoder()
    #expect(
      String(decoding: try encoder.encode(answer), as: UTF8.self) == #"{"note":"has 2 parts, both are good"}"#
    )
    #expect(try JSONDecoder().decode(Answer.self, from: encoder.encode(answer)).note == answer.note)
    encoder.userInfo[try #require(EnglishText.keepsMessages)] = true
    let kept = try JSONDecoder().decode([String: [String: Message]].self, from: encoder.encode(answer))
    let message = try #require(kept["note"]?[EnglishText.member])
    let said = message.text {
      ["has %1 %2, %3": "hat %1 %2; %3", "Both are good.": "Beide sind gut."][$0.format]
    }
    #expect(said == "hat 2 parts; beide sind gut")
  }

  @Test func errorsAreReadByOlderAndFromOlderPrograms() throws {
    let plain = EditError(.notFound, file: "a", "no such file", remedy: "check the folder's name")
    let rich = EditError(.invalidFile, "has \(3) \(Message("parts"))", remedy: "take \(decimal: "0.5")")
    for error in [plain, rich] {
      let data = try JSONEncoder().encode(error)
      let back = try JSONDecoder().decode(EditError.self, from: data)
      #expect(back == error && back.problem.format == error.problem.format)
      #expect(back.remedy?.text(point: ",") { _ in nil } == error.remedy?.text(point: ",") { _ in nil })
      // The JSON also contains plain text, for older programs.
      let members = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
      #expect(members["problem"] as? String == error.problem.description)
      #expect(members["remedy"] as? String == error.remedy?.description)
      #expect(error != plain || Set(members.keys) == ["code", "file", "problem", "remedy"])
    }
    let old = #"{"code":"notFound","problem":"is 5%1 of 10%","file":"b"}"#
    let read = try JSONDecoder().decode(EditError.self, from: Data(old.utf8))
    #expect(read.description == "b: is 5%1 of 10%" && read.remedy == nil)
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (29_559, "29.6 kB"),
    (999_949, "999.9 kB"),
    (999_950, "1.0 MB"), (4_250_000, "4.3 MB"), (999_949_999, "999.9 MB"), (999_950_000, "1.0 GB"),
    (Int.max, "9223372036.9 GB"),
  ])
  func sizesAreRounded(bytes: Int, text: String) { #expect(Message.size(bytes).description == text) }
}
