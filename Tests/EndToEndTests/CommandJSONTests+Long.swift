import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

extension CommandJSONTests {
  /// Commands that succeed when they run in this order in one folder.
  private static let successes: [[String]] = [
    ["rotate", "--degrees", "90", "--dry-run", "."], ["rotate", "--degrees", "90", "."],
    ["inspect", "IMG_0001.AAE", "IMG_E0001.JPG"], ["rotate", "--to", "90", "IMG_0001.JPG"],
    ["rotate", "--degrees", "90", "-o", "out", "IMG_0001.JPG"],
    ["flip", "--vertical", "--lossless", "IMG_0001.JPG"], ["flip", "--vertical", "IMG_0001.JPG"],
    ["crop", "--aspect", "1:1", "IMG_0001.JPG"], ["crop", "--rect", "10,10,200,200", "IMG_0003.JPG"],
    ["straighten", "--degrees", "2", "IMG_0001.JPG"], ["perspective", "--vertical", "0.1", "IMG_0001.JPG"],
    [
      "adjust", "--exposure", "0.3", "--curve", "0:0.1,1:1", "--look", "film", "--grain", "0.2", "--warmth",
      "0.1",
      "--quality", "high", "IMG_0001.JPG",
    ],
    ["adjust", "--exposure", "-0.5", "IMG_0003.JPG"], ["auto", "IMG_0003.JPG"],
    ["apply", "--preset", "mono", "--speed", "slow", "IMG_0003.JPG"],
    ["trim", "--frames", "3..38", "--dry-run", "IMG_0001.JPG"], ["trim", "--reset", "IMG_0001.JPG"],
    ["key-photo", "--frame", "12", "IMG_0001.JPG"], ["key-photo", "--reset", "IMG_0001.JPG"],
    ["sound", "--volume", "0.5", "IMG_0001.JPG"], ["live", "off", "IMG_0003.JPG"],
    ["verify", "IMG_E0003.JPG"],
    ["live", "on", "IMG_0003.JPG"],
    ["effect", "bounce", "IMG_0003.JPG"], ["effect", "loop", "--dry-run", "IMG_0003.JPG"],
    ["effect", "long-exposure", "--dry-run", "IMG_0003.JPG"],
    ["effect", "none", "IMG_0003.JPG"], ["effect", "loop", "IMG_0003.JPG"],
    ["date", "--shift", "+1h", "IMG_0003.JPG"],
    ["date", "--set", "2024-05-01T10:00", "--zone", "Europe/Rome", "--dry-run", "."],
    ["place", "--set", "48.137,11.575,519", "IMG_0003.JPG"], ["place", "--remove", "IMG_0003.JPG"],
    ["describe", "--title", "Sea", "--keyword", "+a,-b", "--person", "Ann", "--rating", "3", "IMG_0003.JPG"],
    ["preset", "save", "mine", "--from", "IMG_0003.JPG"], ["history", "."], ["revert", "IMG_0001.JPG"],
    ["revert", "--dry-run", "IMG_0001.JPG"],
    ["redo", "IMG_0001.JPG"], ["revert", "--to", "original", "IMG_0001.JPG", "IMG_0003.JPG"],
    ["adjust", "--reset", "all", "IMG_0001.JPG"], ["check"], ["check", "--repair", "--dry-run"],
    ["check", "--accept", "IMG_0001.JPG"], ["inspect", "."], ["verify", "."], ["list", "."],
    ["mark", "--favourite", "."], ["mark", "--favourite", "--dry-run", "."], ["album", "create", "Summer"],
    ["album", "add", "Summer", "."], ["album", "list"], ["album", "remove", "Summer", "IMG_0001.JPG"],
    ["album", "delete", "Summer"], ["preset", "list"],
    ["preset", "show", "mine", "golden-hour"], ["preset", "delete", "--dry-run", "mine"],
    ["preset", "delete", "mine"], ["create", "--movie", "IMG_0001.MOV", "-o", "out2"],
    ["create", "--movie", "IMG_0001.MOV", "-o", "out", "--dry-run"],
    ["pair", "-o", "out2", "single/F.JPG", "IMG_0001.MOV"],
    ["pair", "-o", "out", "IMG_0001.JPG", "IMG_0001.MOV"],
    ["adopt", "--dry-run", "IMG_0003.JPG"],
    ["duplicates", "-r", "."], ["duplicates", "--similar", "-r", "."], ["repair", "--dry-run", "loose"],
    ["repair", "-o", "mended", "loose"], ["repair", "--dry-run", "apart"],
    ["repair", "-o", "mended", "apart"],
    ["repair", "--agree", "apart"],
    ["plan", "rotate", "--degrees", "180", "apart/IMG_0001.JPG", "--plan", "turn.plan"],
    ["work", "turn.plan"], ["commit", "turn.plan"],
    ["export", "--as", "still", "-o", "out", "IMG_0003.JPG"],
    ["export", "--as", "motion-photo", "-o", "out", "--dry-run", "IMG_0001.JPG"],
    ["export", "--as", "apple", "-o", "out4", "IMG_0001.JPG"],
    ["export", "--as", "image", "--size", "100", "-o", "out3", "IMG_0001.JPG"],
    ["sheet", "-o", "sheet.jpg", "IMG_0001.JPG"], ["sheet", "-o", "all.png", "--dry-run", "."],
    ["preview", "-o", "page.html", "IMG_0001.JPG"], ["preview", "-o", "all.html", "--dry-run", "."],
    ["move", "--dry-run", "IMG_0003.JPG", "Beach"], ["move", "IMG_0003.JPG", "Beach"],
    ["forget", "--dry-run", "Beach.JPG"], ["forget", "Beach.JPG"], ["config"], ["version"],
    ["version", "--verbose"],
  ]

  /// Commands that fail, at least one for each command.
  private static let failures: [[String]] = [
    ["rotate", "--degrees", "90", "IMG_0001.JPG", "broken.JPG"], ["flip", "--vertical", "none.JPG"],
    ["crop", "--aspect", "1:1", "none.JPG"], ["straighten", "--degrees", "1", "none.JPG"],
    ["perspective", "--vertical", "0.1", "none.JPG"], ["adjust", "--exposure", "1", "none.JPG"],
    ["trim", "--from", "0.4", "none.JPG"], ["sound", "--mute", "none.JPG"],
    ["key-photo", "--best", "none.JPG"],
    ["live", "off", "none.JPG"], ["live", "on", "none.JPG"],
    ["effect", "loop", "none.JPG"], ["effect", "bounce", "none.JPG"], ["effect", "none", "none.JPG"],
    ["effect", "long-exposure", "none.JPG"],
    ["date", "--shift", "1h", "none.JPG"], ["place", "--remove", "none.JPG"],
    ["describe", "--title", "x", "none.JPG"],
    ["auto", "none.JPG"], ["apply", "--preset", "none", "IMG_0001.JPG"], ["revert", "none.JPG"],
    ["revert", "--batch", "none"], ["redo", "none.JPG"], ["rotate", "--resume=none"],
    ["history", "none.JPG"],
    ["check", "none"], ["check", "--accept", "none.JPG"], ["inspect", "none.JPG", "broken.JPG"],
    ["verify", "none.JPG", "IMG_0001.MOV", "broken.JPG"], ["list", "none"],
    ["mark", "--favourite", "IMG_0001.JPG", "none.JPG"], ["album", "create", "Winter", "none"],
    ["album", "add", "None", "IMG_0001.JPG"],
    ["album", "remove", "None", "IMG_0001.JPG"], ["album", "delete", "None"], ["album", "list", "none"],
    ["preset", "list"], ["preset", "show", "none"], ["preset", "delete", "none"],
    ["preset", "save", "x", "--from", "none.JPG"],
    ["create", "--movie", "none.MOV", "-o", "out"], ["adopt", "none.JPG"],
    ["pair", "-o", "out", "none.JPG", "none.MOV"],
    ["repair", "-o", "out", "none"], ["duplicates", "none"],
    ["export", "--as", "still", "-o", "out", "none.JPG"],
    ["sheet", "-o", "sheet.jpg", "none.JPG"], ["preview", "-o", "none.html", "none.JPG"],
    ["plan", "rotate", "--degrees", "90", "none.JPG", "--plan", "x.plan"], ["work", "none.plan"],
    ["commit", "none.plan"],
    ["move", "none.JPG", "Other"], ["forget", "none.JPG"], ["watch", "--verify", "none"],
  ]

  @Test func everyLineIsValid() throws {
    let folder = try prepared()
    let done = try everyLine(Self.successes, in: folder)
    for run in done {
      let (words, output) = (run.words, run.output)
      #expect(output.status == 0 || output.status == 2, "\(words): \(output.status) \(output.standardError)")
      #expect(!output.text.contains(#""status":"failed""#), "\(words): \(output.text)")
    }
    try folder.write(Array("no photo".utf8), to: "broken.JPG")
    try folder.write(Array("no preset".utf8), to: "config/liveedit/presets/broken.json")
    // A changed movie and lost marks are findings.
    try FileManager.default.removeItem(at: folder.file("IMG_0001.MOV"))
    try folder.copy(TestFiles.fixture("IMG_0003.MOV"))
    try FileManager.default.moveItem(at: folder.file("IMG_0003.MOV"), to: folder.file("IMG_0001.MOV"))
    try FileManager.default.removeItem(at: folder.file(".liveedit/collections.json"))
    let failed = try everyLine(Self.failures, in: folder)
    for run in failed {
      let (words, output) = (run.words, run.output)
      #expect(output.status == 1, "\(words): \(output.status) \(output.text)")
      #expect(output.text.contains(#""status":"failed""#), "\(words): \(output.text)")
      #expect(!output.standardError.isEmpty, "\(words)")
    }
    let found = try everyLine([["check"], ["check", "--repair", "--dry-run"]], in: folder)
    // Tries an unknown option with every command and subcommand, and an unknown command.
    var misuses: [[String]] = [["frobnicate"]]
    for words in Self.commands { misuses.append(words + ["--frobnicate"]) }
    let wrong = try everyLine(misuses, in: folder)
    for run in wrong {
      let (words, output) = (run.words, run.output)
      #expect(output.status == 64 && output.answers.count == 1, "\(words): \(output.text)")
      #expect(output.text.contains(#""code":"usage""#), "\(words)")
    }
    let all = done + failed + found + wrong
    for run in all {
      let (words, output) = (run.words, run.output)
      #expect(output.lines.last?.contains(#""status":"summary""#) == true, "\(words)")
      #expect(output.lines.last?.contains(#""exitStatus":\#(output.status),"#) == true, "\(words)")
    }
    let counts = try validated(all.flatMap(\.output.lines))
    let kinds = Set(try Self.kinds())
    #expect(
      Set(counts.keys) == kinds.subtracting(["doneBefore"]), "\(kinds.symmetricDifference(counts.keys))")
    // Every command produces output in each of the three cases.
    let names = Self.commands.map { $0.joined(separator: " ") }
    func says(_ runs: [Run]) -> Set<String> {
      let text = runs.map(\.output.text).joined()
      return Set(names.filter { text.contains(#""command":"\#($0)""#) })
    }
    #expect(says(wrong) == Set(names))
    #expect(Set(names).subtracting(says(done)) == ["watch"])
    #expect(Set(names).subtracting(says(failed)) == ["config", "version"])
  }

  private static func kinds() throws -> [String] {
    let file = TestFiles.project.appendingPathComponent("Documentation/json-schema.json")
    let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    return (schema?["oneOf"] as? [[String: String]] ?? []).compactMap {
      $0["$ref"]?.split(separator: "/").last.map(String.init)
    }
  }

  /// `watch` prints the same lines as the commands that it replaces.
  @Test func arrivalsAreTold() throws {
    let folder = try prepared()
    try FileManager.default.createDirectory(at: folder.file("in"), withIntermediateDirectories: false)
    let script = """
      "$0" watch --verify --json in > lines 2> errors & pid=$!
      for _ in $(seq 100); do grep -q watching errors && break; sleep 0.1; done
      cp IMG_0001.* in/
      for _ in $(seq 150); do [ -s lines ] && break; sleep 0.1; done
      kill $pid; wait $pid; cat lines
      """
    let output = try Tools.run(
      ["sh", "-c", script, Command.path], in: folder.url,
      environment: ["XDG_STATE_HOME": folder.url.path + "/state"])
    #expect(try validated(output.lines) == ["verified": 1, "summary": 1])
  }
}
