import EditModel
import Foundation
import TestSupport
import Testing

/// Tests of the page and the server's messages in liveedit's languages.
@Suite struct PageLanguageTests {
  private static let languages = ["de", "es", "it", "ru"]
  private static let page = TestFiles.project.appendingPathComponent("Sources/Studio/Page")

  /// Returns the page's own texts, read from its source with a regular expression.
  private static func english() throws -> [String: String] {
    let source = try String(contentsOf: page.appendingPathComponent("core/english.js"), encoding: .utf8)
      .replacing("\"\n    + \"", with: "")
    let lines = source.matches(of: /(?m)^  "([\w.\-]+)": "((?:[^"\\]|\\.)*)",$/)
    var texts: [String: String] = [:]
    for line in lines {
      texts[String(line.1)] = String(line.2).replacingOccurrences(of: "\\\"", with: "\"")
    }
    return texts
  }

  private static func placeholders(_ text: String) -> Set<String> {
    Set(text.matches(of: /\{\w+\}/).map { String($0.0) })
  }

  /// Returns the text module that the server creates for a language.
  private static func module(_ server: RunningServer, _ cookie: [String], _ language: String) throws
    -> (RunningServer.Reply, [String: [String]])
  {
    let reply = try server.ask("language.js", cookie + ["Accept-Language: \(language)"], token: nil)
    let json = try #require(reply.text.firstMatch(of: /export const TRANSLATION = (\{.*\});\n/)?.1)
    return (reply, try JSONDecoder().decode([String: [String]].self, from: Data(json.utf8)))
  }

  /// Returns a studio and the headers that its browser sends.
  private static func studio() throws -> (RunningServer, [String]) {
    let server = try RunningServer(["studio", "--no-open"])
    let entrance = try server.ask("?" + server.query, token: nil)
    return (server, ["Cookie: " + (entrance.headers["set-cookie"] ?? "").prefix { $0 != ";" }])
  }

  @Test func noTextOfThePageIsMissingInAnyLanguage() throws {
    let english = try Self.english()
    #expect(english.count > 350)
    let (server, cookie) = try Self.studio()
    #expect(try Self.module(server, cookie, "en").1.isEmpty)
    for language in Self.languages {
      let (reply, texts) = try Self.module(server, cookie, language)
      #expect(reply.headers["content-language"] == language)
      #expect(reply.text.contains("export const LANGUAGE = \"\(language)\";"))
      var faults: [String] = []
      for (name, text) in english where !name.hasSuffix(".other") {
        let isPlural = name.hasSuffix(".one")
        let stem = isPlural ? String(name.dropLast(4)) : name
        let forms = texts[stem] ?? []
        let count = isPlural ? (language == "ru" ? 3 : 2) : 1
        let allowed = Self.placeholders(english[stem + ".other"] ?? text)
        // In the singular form, a word may replace the number.
        let areFilled = forms.enumerated().allSatisfy { index, form in
          let has = Self.placeholders(form)
          return !form.isEmpty && (has == allowed || isPlural && index == 0 && has.isSubset(of: allowed))
        }
        if forms.count != count || !areFilled { faults.append("\(name): \(forms)") }
      }
      #expect(faults == [], "\(language)")
      let known = Set(english.keys.map { $0.replacing(/\.(one|other)$/, with: "") })
      #expect(Set(texts.keys).isSubset(of: known))
    }
  }

  /// Every name in the page's scripts has a text, and every parameter, preset and look has a name.
  @Test func everyNameHasAText() throws {
    let english = try Self.english()
    for file in try FileManager.default.contentsOfDirectory(at: Self.page, includingPropertiesForKeys: nil)
    where file.pathExtension == "js" {
      let source = try String(contentsOf: file, encoding: .utf8)
      for name in source.matches(of: /\bt\("([\w.\-]+)"/).map({ String($0.1) }) {
        #expect(english[name] != nil || english[name + ".other"] != nil, "\(file.lastPathComponent): \(name)")
      }
    }
    for parameter in Parameter.allCases { #expect(english["parameter.\(parameter.rawValue)"] != nil) }
    for look in BuiltInLook.allCases { #expect(english["look.name.\(look.rawValue)"] != nil) }
    let presets = try FileManager.default.contentsOfDirectory(
      atPath: TestFiles.project.appendingPathComponent("Presets").path)
    for name in presets where name.hasSuffix(".json") {
      #expect(english["preset.name.\(name.dropLast(5))"] != nil, "\(name)")
    }
  }

  @Test func thePageComesInTheLanguageThatTheBrowserAsksFor() throws {
    let (server, cookie) = try Self.studio()
    for (asked, language) in [
      ("de-AT,de;q=0.9,en;q=0.8", "de"), ("fr-FR,it;q=0.7,en;q=0.3", "it"), ("fr", "en"), ("", "en"),
      ("en-GB,de;q=0.5", "en"),
    ] {
      let header = ["Accept-Language: \(asked)"]
      let index = try server.ask("", cookie + header, token: nil)
      #expect(index.text.contains("<html lang=\"\(language)\">"), "\(asked)")
      #expect(index.headers["vary"] == "Accept-Language" && index.headers["content-language"] == language)
      let stranger = try server.ask("", header, token: nil)
      #expect(stranger.status == 401 && stranger.text.contains("<html lang=\"\(language)\">"))
      #expect(stranger.text.contains("Open the printed address") == (language == "en"))
      let entrance = try server.ask("?" + server.query, header, token: nil)
      #expect(entrance.text.contains("This page needs JavaScript.") == (language == "en"))
      #expect(index.text.contains("The liveedit command line offers the same features") == (language == "en"))
    }
  }

  /// Values that programs compare are the same in every language. A client that requests no language gets English.
  @Test func sentencesAreInTheLanguageOfTheRequest() throws {
    let server = try RunningServer()
    let german = ["Accept-Language: de"]
    let english = try server.ask("api/1/assets/nothing")
    let translated = try server.ask("api/1/assets/nothing", german)
    #expect(english.status == translated.status && english.code == translated.code)
    #expect(english.headers["content-language"] == "en" && translated.headers["content-language"] == "de")
    #expect(english.headers["vary"] == "Accept-Language" && translated.headers["vary"] == "Accept-Language")
    let said = try #require(english.json["message"] as? String)
    #expect(said != translated.json["message"] as? String)
    // The texts match those of gettext's own program.
    let route = try server.ask("api/1/nothing", german).json["message"] as? String
    #expect(try Self.gettext("this route does not exist", "de") == route)
    // Responses without text for people have no language.
    let sections = try server.ask("api/1/sections", german)
    #expect(sections.headers["vary"] == nil && sections.headers["content-language"] == nil)

    let parameters = try server.ask("api/1/parameters", german).json["parameters"] as? [[String: Any]] ?? []
    let contrast = try #require(parameters.first { $0["name"] as? String == "contrast" })
    #expect(contrast["group"] as? String == "light")
    #expect(
      contrast["summary"] as? String == (try Self.gettext("increase or reduce contrast", "de")))
    let presets = try server.ask("api/1/presets", german).json["presets"] as? [[String: Any]] ?? []
    let mono = try #require(presets.first { $0["preset"] as? String == "mono" })
    #expect(
      mono["summary"] as? String == (try Self.gettext("plain black and white with a full tonal range", "de")))
    let typed = try server.ask("api/1/filter?text=kind%20%3D%20", german).json["message"] as? String
    let plain = try server.ask("api/1/filter?text=kind%20%3D%20").json["message"] as? String
    #expect(typed != nil && typed != plain)
  }

  @Test func jobsAreTitledInTheLanguageOfWhoLooks() throws {
    let server = try RunningServer(fixtures: ["IMG_0001.JPG", "IMG_0001.MOV"])
    let json = ["Content-Type: application/json"]
    let assets = try server.ask("api/1/assets").json["assets"] as? [[String: Any]] ?? []
    let id = try #require(assets.first?["id"] as? String)
    let body = #"{"assets":["\#(id)"],"change":{"type":"turn","degrees":90}}"#
    let begun = try server.ask("api/1/edits", json, body: body)
    #expect((begun.json["job"] as? [String: Any])?["title"] as? String == "Rotate IMG_0001")
    let jobs =
      try server.ask("api/1/jobs", ["Accept-Language: ru"]).json["jobs"] as? [[String: Any]] ?? []
    let pattern = try Self.gettext("Rotate %1", "ru")
    #expect(jobs.first?["title"] as? String == pattern.replacing("%1", with: "IMG_0001"))
    #expect(jobs.first?["job"] as? String == (begun.json["job"] as? [String: Any])?["job"] as? String)
    #expect(pattern != "Rotate %1")
  }

  /// Returns the translation that GNU gettext's own catalogue reader finds.
  private static func gettext(_ text: String, _ language: String) throws -> String {
    let source = TestFiles.project.appendingPathComponent("Sources/CLanguages/po/\(language).po")
    let found = try Tools.run([
      "msggrep", "--no-wrap", "--force-po", "--msgid", "-e", "^\(text)$", source.path,
    ])
    let line = found.lines.last { $0.hasPrefix("msgstr \"") } ?? ""
    let translation = String(line.dropFirst(8).dropLast()).replacingOccurrences(of: "\\\"", with: "\"")
    return try #require(translation.isEmpty ? nil : translation, "\(text) is not translated")
  }
}
