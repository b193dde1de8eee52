import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

/// Tests that run every example of the help texts and manual pages as printed, in a folder with the files that they
/// name. A quick run uses the first example of every second text.
@Suite struct HelpExampleTests {
  static let examples: [String] = {
    let texts = CommandTable.all.map { $0.examples.map(\.line) } + [HelpText.examples.map(\.line)]
    let chosen = texts.enumerated().flatMap { text, lines in
      Cases.chosen(lines) { index, _ in index == 0 && text % 2 == 0 }
    }
    return Array(Set(chosen)).sorted()
  }()

  /// Preparations for examples, by the beginning of the example's line; every matching preparation runs.
  private static let preparations: [(beginning: String, script: String)] = [
    (
      "revert", "liveedit rotate --degrees 90 --lossless -r IMG_0001.JPG Photos"
    ),
    ("revert --to 1", "liveedit flip --horizontal IMG_0001.JPG"),
    (
      "redo",
      "liveedit rotate --degrees 90 --lossless -r IMG_0001.JPG Photos; liveedit revert -r IMG_0001.JPG Photos"
    ),
    ("history", "liveedit rotate --degrees 90 --lossless -r IMG_0001.JPG Photos"),
    ("check", "liveedit rotate --degrees 90 --lossless -r IMG_0001.JPG Photos"),
    ("check --repair --dry-run", "echo something else > Photos/IMG_E0003.JPG"),
    ("check --accept", "exiftool -q -overwrite_original -Artist=Somebody IMG_0001.JPG"),
    ("forget", "liveedit rotate --degrees 90 --lossless IMG_0001.JPG"),
    ("live on", "liveedit live off IMG_0001.JPG"),
    ("key-photo --reset", "liveedit key-photo --frame 12 IMG_0001.JPG"),
    ("effect none", "liveedit effect bounce IMG_0001.JPG"),
    ("trim --reset", "liveedit trim --frames 5..35 IMG_0001.JPG"),
    ("straighten --reset", "liveedit straighten --degrees 2 IMG_0001.JPG"),
    ("perspective --reset", "liveedit perspective --vertical 0.2 IMG_0001.JPG"),
    ("adjust --reset", "liveedit adjust --exposure 0.5 IMG_0001.JPG"),
    ("apply --from", "liveedit adjust --exposure 0.5 IMG_0001.JPG"),
    ("preset save", "liveedit adjust --exposure 0.5 IMG_0001.JPG"),
    (
      "preset delete",
      "liveedit adjust --exposure 0.5 IMG_0001.JPG; liveedit preset save mine --from IMG_0001.JPG"
    ),
    ("move", "mkdir Summer"), ("mark --hidden", "cp IMG_0002.MOV Photos/IMG_0009.MOV"),
    ("album add", "liveedit album create Summer; liveedit album create Summer Photos"),
    ("album list", "liveedit album create Summer; liveedit album create Summer Photos"),
    ("list --filter favourite", "liveedit mark --favourite Photos"),
    (
      "album add",
      "exiftool -q -overwrite_original '-DateTimeOriginal=2024:07:14 12:00:00' Photos/IMG_0003.JPG"
    ),
    // An underexposed photo, so that `auto` finds something.
    (
      "auto",
      """
      for name in IMG_0001 Photos/IMG_0003; do
        mkdir dark; liveedit adjust --exposure -1.5 -o dark $name.JPG
        mv dark/*.JPG $name.JPG; mv dark/*.MOV $name.MOV; rmdir dark
      done
      """
    ),
    ("work", "liveedit plan rotate --degrees 90 -r Photos --plan turn.plan"),
    (
      "commit",
      "liveedit plan rotate --degrees 90 -r Photos --plan turn.plan; liveedit work turn.plan"
    ),
    ("adopt --dry-run", "convert IMG_0001.JPG -level 10%,90% IMG_E0001.JPG"),
    ("adopt --photo", "convert IMG_0001.JPG -auto-orient -rotate 90 edited.tif"),
    ("adopt -r", "convert Photos/IMG_0003.JPG -level 10%,90% Photos/IMG_E0003.JPG"),
    ("album remove", "liveedit album create Summer; liveedit album add Summer IMG_0001.JPG"),
    ("album delete", "liveedit album create Summer"), ("pair", "rm IMG_0001.MOV IMG_0002.JPG"),
    ("repair -", "mv Photos/IMG_0003.MOV Photos/IMG_0033.MOV; mkdir paired"),
    ("repair --agree", "mv Photos/IMG_0033.MOV Photos/IMG_0003.MOV"),
    (
      "create --photo",
      "cp \"$FIXTURES/rotate.png\" cover.png; ffmpeg -v error -i IMG_0002.MOV -c:v vp9 -cpu-used 8 -an clip.webm"
    ),
    ("create --movie", "ffmpeg -v error -i IMG_0002.MOV -map 0:v -c copy clip.mp4"),
    ("create --from", "liveedit export --as motion-photo -o out IMG_0001.JPG; mv out/*.[Jj]* motion.jpg"),
  ]

  @Test(arguments: examples) func everyExampleDoesWhatItSays(_ example: String) throws {
    let folder = try TemporaryFolder()
    let environment = [
      "PATH": Command.programs.path + ":" + (Child.environment["PATH"] ?? "/usr/bin:/bin"),
      "XDG_CONFIG_HOME": folder.file("config").path, "XDG_STATE_HOME": folder.file("state").path,
      "FIXTURES": Fixture.folder.path,
    ]
    let prepared = try Tools.run(
      [
        "bash", "-ec",
        """
        mkdir Photos out kept
        # Without adjustment data, which an edit of the fixtures themselves leaves there.
        cp "$FIXTURES"/IMG_000[12].{JPG,MOV} .; cp "$FIXTURES"/IMG_0003.{JPG,MOV} Photos
        """
          + Self.preparations.filter { example.hasPrefix($0.beginning) }.map {
            "\n{ \($0.script); } >/dev/null"
          }
          .joined(),
      ], in: folder.url, environment: environment)
    try #require(prepared.status == 0, "\(example): \(prepared.standardError)")
    var line = example
    if let batch = prepared.standardError.firstMatch(of: /revert --batch (\S+)/)?.1 {
      // Uses the only batch that exists.
      line = line.replacing(/--batch \S+/, with: "--batch \(batch)")
    }
    if example.hasPrefix("watch") { return try watches(line, in: folder, environment) }
    if example.hasPrefix("studio") || example.hasPrefix("serve") {
      return try serves(line, in: folder, environment)
    }
    let output = try Tools.run(["sh", "-c", "liveedit " + line], in: folder.url, environment: environment)
    #expect(output.status == 0, "\(example): \(output.standardError)")
    #expect(!output.text.isEmpty, "\(example)")
  }

  /// A server prints its address and responds until it is stopped. No browser is opened without a folder that only the
  /// user can access.
  private func serves(_ line: String, in folder: TemporaryFolder, _ environment: [String: String]) throws {
    // Another program may be using port 8080.
    let line = line.replacing("--port 8080 ", with: "")
    let process = try Child(
      ["sh", "-c", "exec liveedit \(line) >address 2>said"], in: folder.url,
      environment: environment.merging(["XDG_CACHE_HOME": folder.file("cache").path]) { $1 })
    var said = ""
    try Event.wait(for: "the address") {
      said = (try? String(contentsOf: folder.file("address"), encoding: .utf8)) ?? ""
      return said.hasSuffix("\n")
    }
    let socket = line.contains("--socket") ? ["--unix-socket", "liveedit.socket"] : []
    let address = line.contains("--socket") ? "http://localhost/" : said.split(separator: "?")[0] + ""
    let answer = try Tools.run(
      ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}"] + socket + [
        address.trimmingCharacters(in: .newlines)
      ],
      in: folder.url)
    process.signal(SIGTERM)
    let hasPage = line.hasPrefix("studio")
    #expect(answer.text == (hasPage ? "401" : "404"), "\(said) \(answer.text)")
    #expect(said.hasPrefix(line.contains("--socket") ? "unix:" : "http://127.0.0.1:"), "\(said)")
    #expect(process.wait() == .exited(0))
  }

  /// A watch continues until it is stopped.
  private func watches(_ line: String, in folder: TemporaryFolder, _ environment: [String: String]) throws {
    let process = try Child(
      ["sh", "-c", "exec liveedit \(line) 2>said"], in: folder.url, environment: environment)
    var said = ""
    try Event.wait(for: "the watch") {
      said = (try? String(contentsOf: folder.file("said"), encoding: .utf8)) ?? ""
      return said.contains("watching") && said.hasSuffix("\n")
    }
    process.signal(SIGTERM)
    #expect(said.contains("liveedit: watching ") && said.contains("existing items (1 asset)"), "\(said)")
    #expect(process.wait() == .signalled(SIGTERM))
  }
}
