import Foundation
import Languages
import TestSupport
import Testing

@Suite struct MessageCatalogueTests {
  private static let source = #"""
    msgid ""
    msgstr ""
    "Content-Type: text/plain; charset=UTF-8\n"
    "Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\n"

    msgid "key photo"
    msgstr "ключевое фото"

    msgid "“ä”"
    msgstr "ü"

    msgid "key"
    msgstr "a \"b\""

    msgid "%1 photo"
    msgid_plural "%1 photos"
    msgstr[0] "%1 снимок"
    msgstr[1] "%1 снимка"
    msgstr[2] "%1 снимков"

    msgid "untranslated"
    msgstr ""

    msgctxt "action.key"
    msgid "key"
    msgstr "клавиша"

    msgctxt "count"
    msgid "{count} photo"
    msgid_plural "{count} photos"
    msgstr[0] "{count} снимок"
    msgstr[1] "{count} снимка"
    msgstr[2] "{count} снимков"

    msgctxt "action.other"
    msgid "untranslated"
    msgstr ""
    """#

  /// Returns the catalogue that gettext's own program creates.
  static func made(_ options: [String]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let (input, output) = (folder.file("a.po"), folder.file("a.mo"))
    try Data(source.utf8).write(to: input)
    let made = try Tools.run(["msgfmt"] + options + ["-o", output.path, input.path])
    try #require(made.status == 0, "\(made.standardError)")
    return [UInt8](try Data(contentsOf: output))
  }

  @Test(arguments: [[], ["--no-hash"], ["--endianness=big"], ["--alignment=8"]])
  func textsOfMsgfmtAreFound(_ options: [String]) throws {
    let catalogue = try #require(MessageCatalogue(Self.made(options)))
    #expect(catalogue.translation(of: "key photo") == "ключевое фото")
    #expect(catalogue.translation(of: "“ä”") == "ü" && catalogue.translation(of: "key") == "a \"b\"")
    let forms = [1, 2, 5, 11, 21, 22, 100].map { catalogue.translation(of: "%1 photo", number: $0) }
    let (one, few, many) = ("%1 снимок", "%1 снимка", "%1 снимков")
    #expect(forms == [one, few, many, many, one, few, many])
    for missing in ["untranslated", "ke", "key photos", "%1 photos", "zzz", "\u{0}"] {
      #expect(catalogue.translation(of: missing) == nil, "\(missing)")
    }
  }

  @Test func textsWithAContextAreNamedByIt() throws {
    let catalogue = try #require(MessageCatalogue(Self.made([])))
    #expect(
      catalogue.named == [
        "action.key": ["клавиша"], "count": ["{count} снимок", "{count} снимка", "{count} снимков"],
      ])
    // The same text without its context is a different message.
    #expect(catalogue.translation(of: "key") == "a \"b\"")
    #expect(catalogue.translation(of: "{count} photo", number: 1) == nil)
  }
}
