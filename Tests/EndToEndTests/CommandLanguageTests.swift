import Foundation
import TestSupport
import Testing

/// Tests of the program's translations, with the program itself and with GNU gettext's tools.
@Suite struct CommandLanguageTests {
  static let languages = ["de", "es", "it", "ru"]
  /// The languages in which no translation may be missing.
  static let complete = ["de", "es", "it", "ru"]
  static let folder = TestFiles.project.appendingPathComponent("Sources/CLanguages/po")

  static func run(_ locale: String, _ arguments: [String], noting missing: URL? = nil) throws
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
        siehe liveedit --help.

        """)
    let number = try Self.run("de_AT", ["straighten", "--degrees", "90,5", "a.jpg"])
    #expect(
      number.standardError.hasPrefix(
        "liveedit: --degrees braucht eine Zahl von -45 bis 45, nicht „90,5“; richtig: 90.5\n"))
    let file = try Self.run("de_DE.UTF-8", ["inspect", "/nowhere/a.jpg"])
    #expect(file.standardError == "liveedit: /nowhere/a.jpg: Datei nicht gefunden; den Dateinamen prüfen\n")
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
      #expect(!text.contains("nicht gefunden") && !text.contains("unbekannter"))
    }
  }

  /// Returns all commands and subcommands, as named by the manual pages.
  static func commands() throws -> [[String]] {
    let pages = try Self.run("C", ["help", "--man"]).lines
    let names = pages.compactMap { $0.firstMatch(of: /^\\fBliveedit\\-([a-z\\-]+)\(1\)/)?.1 }
    return names.map { [String($0).replacingOccurrences(of: "\\-", with: "-")] }
  }

  /// Returns the messages without a translation, each once.
  static func missing(_ file: URL) -> Set<String> {
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

  @Test func theTemplateIsUpToDate() throws {
    let script = TestFiles.project.appendingPathComponent("scripts/extract-messages").path
    let checked = try Tools.run([script, "--check"])
    #expect(checked.status == 0, "\(checked.standardError)")
  }
}
