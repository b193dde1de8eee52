import Foundation
import TestSupport
import Testing

/// The program in other languages, by the program itself and by GNU gettext's tools.
@Suite struct CommandLanguageTests {
  private static let languages = ["de", "es", "it", "ru"]
  /// The languages of which nothing may be missing.
  private static let complete = ["de", "es", "it", "ru"]
  private static let folder = TestFiles.project.appendingPathComponent("Sources/CLanguages/po")

  private static func run(_ locale: String, _ arguments: [String], noting missing: URL? = nil) throws
    -> ToolOutput
  {
    var environment = ["LC_ALL": locale]
    if let missing { environment["LIVEEDIT_MISSING_MESSAGES"] = missing.path }
    return try Tools.run([Command.path] + arguments, environment: environment)
  }

  @Test func errorsAreSaidInGermanWhateverLocalesThereAre() throws {
    let german = try Self.run("de_DE.UTF-8", ["rotat", "a.jpg"])
    #expect(german.status == 64)
    #expect(
      german.standardError == """
        liveedit: unbekannter Befehl „rotat“; war liveedit rotate gemeint?
        liveedit --help zeigt, wie liveedit benutzt wird.

        """)
    let number = try Self.run("de_AT", ["straighten", "--degrees", "90,5", "a.jpg"])
    #expect(
      number.standardError.hasPrefix(
        "liveedit: --degrees nimmt eine Zahl von -45 bis 45, nicht „90,5“; richtig: 90.5\n"))
    let file = try Self.run("de_DE.UTF-8", ["inspect", "/nowhere/a.jpg"])
    #expect(file.standardError == "liveedit: /nowhere/a.jpg: keine solche Datei; den Namen prüfen\n")
    let swiss = try Self.run("de_CH", ["straighten", "--degrees", "90,5", "a.jpg"])
    #expect(swiss.standardError == number.standardError)
  }

  @Test(arguments: ["C", "POSIX", "en_US.UTF-8", "fr_FR.UTF-8", "C.UTF-8"])
  func allElseIsEnglish(_ locale: String) throws {
    let said = try Self.run(locale, ["rotat"]).standardError
    #expect(said.hasPrefix("liveedit: unknown command “rotat”; did you mean liveedit rotate?\n"))
  }

  @Test func objectsForProgramsStayEnglish() throws {
    for arguments in [["inspect", "--json", "/nowhere/a.jpg"], ["rotat", "--json"]] {
      let german = try Self.run("de_DE.UTF-8", arguments).lines.map { $0.prefix { $0 != "," } }
      let english = try Self.run("C", arguments).lines.map { $0.prefix { $0 != "," } }
      #expect(german == english && !german.isEmpty)
      let text = try Self.run("de_DE.UTF-8", arguments).lines.joined()
      #expect(!text.contains("keine solche") && !text.contains("unbekannter"))
    }
  }

  /// All commands with their sub-commands, as the completion names them.
  private static func commands() throws -> [[String]] {
    let pages = try Self.run("C", ["help", "--man"]).lines
    let names = pages.compactMap { $0.firstMatch(of: /^\\fBliveedit\\-([a-z\\-]+)\(1\)/)?.1 }
    return names.map { [String($0).replacingOccurrences(of: "\\-", with: "-")] }
  }

  @Test(arguments: Cases.chosen(languages) { index, _ in index == 0 })
  func helpKeepsToEightyColumns(_ language: String) throws {
    let commands = try Self.commands()
    #expect(commands.count > 40)
    for command in [[]] + commands {
      for line in try Self.run(language, ["help"] + command).lines where line.count > 80 {
        // A command line cannot be divided.
        let isCommandLine = line.hasPrefix("  liveedit ")
        let isSingleWord = line.trimmingCharacters(in: .whitespaces).split(separator: " ").count < 3
        #expect(isCommandLine || isSingleWord, "\(command): \(line)")
      }
    }
  }

  /// Lines that had no translation in German, each once.
  private static func missing(_ file: URL) -> Set<String> {
    Set(((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init))
  }

  @Test func helpAndUsageAreTranslated() throws {
    let temporary = try TemporaryFolder()
    let missing = temporary.file("missing")
    for command in [[]] + (try Self.commands()) {
      _ = try Self.run("de", ["help"] + command, noting: missing)
      _ = try Self.run("de", ["help", "--man"] + command, noting: missing)
      _ = try Self.run("de", command + ["--nonsense"], noting: missing)
      _ = try Self.run("de", command + ["/nowhere/a.jpg"], noting: missing)
    }
    #expect(Self.missing(missing) == [])
  }

  /// What commands say of real files: tables, notes, reasons, edits in words.
  @Test func allThatCommandsSayIsTranslated() throws {
    let folder = try TemporaryFolder()
    for name in ["IMG_0001.JPG", "IMG_0001.MOV", "IMG_0003.JPG", "IMG_0004.HEIC", "IMG_0004.MOV"] {
      try folder.copy(TestFiles.fixture(name))
    }
    try folder.write(Array("<x:xmpmeta".utf8), to: "IMG_0003.JPG.xmp")
    try folder.write(Array("no photo".utf8), to: "text.jpg")
    try folder.write([UInt8](try folder.read("IMG_0001.MOV").prefix(3000)), to: "cut.MOV")
    let missing = folder.file("missing")
    // The user's own words have no translation: this is how it is known that missing ones are noted.
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

  @Test func theTemplateIsUpToDate() throws {
    let script = TestFiles.project.appendingPathComponent("scripts/extract-messages").path
    let checked = try Tools.run([script, "--check"])
    #expect(checked.status == 0, "\(checked.standardError)")
  }

  @Test(arguments: languages)
  func cataloguesAreMadeOfTheTranslations(_ language: String) throws {
    let source = Self.folder.appendingPathComponent("\(language).po")
    let temporary = try TemporaryFolder()
    let made = temporary.file("made.mo")
    // The form of every translation is checked: its placeholders are those of the message.
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
