import Foundation
import TestSupport
import Testing

extension CommandLanguageTests {
  @Test(arguments: Cases.chosen(languages) { index, _ in index == 0 })
  func helpKeepsToEightyColumns(_ language: String) throws {
    let commands = try Self.commands()
    #expect(commands.count > 40)
    for command in [[]] + commands {
      for line in try Self.run(language, ["help"] + command).lines where line.count > 80 {
        // A command line cannot be wrapped.
        let isCommandLine = line.hasPrefix("  liveedit ")
        let isSingleWord = line.trimmingCharacters(in: .whitespaces).split(separator: " ").count < 3
        #expect(isCommandLine || isSingleWord, "\(command): \(line)")
      }
    }
  }

  /// Output about real files is translated: tables, notes, reasons and descriptions of edits.
  @Test func allThatCommandsSayIsTranslated() throws {
    let folder = try TemporaryFolder()
    for name in ["IMG_0001.JPG", "IMG_0001.MOV", "IMG_0003.JPG", "IMG_0004.HEIC", "IMG_0004.MOV"] {
      try folder.copy(TestFiles.fixture(name))
    }
    try folder.write(Array("<x:xmpmeta".utf8), to: "IMG_0003.JPG.xmp")
    try folder.write(Array("no photo".utf8), to: "text.jpg")
    try folder.write([UInt8](try folder.read("IMG_0001.MOV").prefix(3000)), to: "cut.MOV")
    let missing = folder.file("missing")
    // The user's own words have no translation. They show that missing translations are noted.
    let own = "Words of nobody"
    let configuration = ["XDG_CONFIG_HOME": folder.file("config").path, "LC_ALL": "de_DE.UTF-8"]
    let noting = configuration.merging(["LIVEEDIT_MISSING_MESSAGES": missing.path]) { $1 }
    var said = ""
    func run(_ words: String) throws {
      let answer = try Tools.run(
        [Command.path] + words.split(separator: " ").map(String.init), in: folder.url, environment: noting)
      #expect([0, 1, 2].contains(answer.status), "\(words): \(answer.standardError)")
      said += answer.text + answer.standardError
    }
    for words in [
      "rotate --degrees 90 IMG_0001.JPG", "straighten --degrees 0 IMG_0001.JPG",
      "adjust --exposure 0.5 --red-hue 0.2 --look fade IMG_0001.JPG",
      "crop --aspect 4:3 --anchor top IMG_0001.JPG",
      "trim --from 0.2 --to 1.2 IMG_0001.JPG", "effect loop IMG_0001.JPG", "date --shift 1h IMG_0003.JPG",
      "place --set 48,11 IMG_0004.HEIC", "describe --title A --keyword +b IMG_0004.HEIC",
      "live off IMG_0004.HEIC", "history IMG_0001.JPG IMG_0003.JPG IMG_0004.HEIC", "revert IMG_0001.JPG",
      "adjust --contrast 0.2 IMG_0001.JPG", "mark --favourite --no-hidden IMG_0001.JPG",
      "mark --favourite IMG_0001.JPG", "album create A", "album add A IMG_0001.JPG", "album list",
      "album remove A IMG_0001.JPG",
      "album delete A", "list",
      "inspect IMG_0001.JPG IMG_0001.MOV IMG_0004.HEIC IMG_0001.AAE text.jpg cut.MOV",
      "verify .", "check", "check --repair --dry-run", "check --accept IMG_0001.JPG", "repair --dry-run .",
      "duplicates .", "export --as still --strip all -o out IMG_0001.JPG",
      "export --as gif -o out IMG_0001.JPG",
      "preview -o page.html IMG_0001.JPG", "sheet -o sheet.png IMG_0001.JPG",
      "create --movie IMG_0001.MOV -o made",
      "pair -o tied IMG_0003.JPG IMG_0001.MOV", "preset save own --from IMG_0001.JPG",
      "preset show own vivid",
      "preset delete own", "preset list", "config", "version --verbose", "move IMG_0003.JPG IMG_0009",
      "adopt IMG_0001.JPG",
      "forget IMG_0004.HEIC", "auto --dry-run IMG_0001.JPG IMG_0009.JPG", "redo IMG_0001.JPG",
    ] { try run(words) }
    #expect(said.contains("gedreht") && said.contains("Hinweis"), "\(said)")
    let unknown = Self.missing(missing).filter { $0.contains(/[a-z]{3}/) }
    #expect(unknown == [], "\(unknown.sorted())")
    let presets = folder.file("config/liveedit/presets")
    try FileManager.default.createDirectory(at: presets, withIntermediateDirectories: true)
    let vivid = try String(
      contentsOf: TestFiles.project.appendingPathComponent("Presets/vivid.json"), encoding: .utf8)
    let foreign = vivid.replacing(/"summary": "[^"]*"/, with: "\"summary\": \"\(own)\"")
    try Data(foreign.utf8).write(to: presets.appendingPathComponent("mine.json"))
    try run("preset show mine")
    #expect(Self.missing(missing).contains(own))
  }

  @Test(arguments: languages)
  func cataloguesAreMadeOfTheTranslations(_ language: String) throws {
    let source = Self.folder.appendingPathComponent("\(language).po")
    let temporary = try TemporaryFolder()
    let made = temporary.file("made.mo")
    // msgfmt checks every translation: its placeholders must match those of the message.
    let checked = try Tools.run(
      ["msgfmt", "--check", "--no-hash", "--endianness=little", "-o", made.path, source.path])
    #expect(checked.status == 0, "\(checked.standardError)")
    let own = TestFiles.project.appendingPathComponent("Sources/CLanguages/\(language).mo")
    #expect(try Data(contentsOf: made) == Data(contentsOf: own), "run scripts/make-languages")
    let template = Self.folder.appendingPathComponent("liveedit.pot")
    let compared = try Tools.run(["msgcmp", "--use-untranslated", source.path, template.path])
    #expect(compared.status == 0, "\(compared.standardError)")
    if Self.complete.contains(language) {
      let whole = try Tools.run(["msgcmp", source.path, template.path])
      #expect(whole.status == 0, "\(whole.standardError)")
    }
  }
}
