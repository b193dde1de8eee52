import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

/// Tests of completions as the shells show them, with the scripts loaded in a real bash, zsh and fish.
@Suite struct CompletionTests {
  let folder: TemporaryFolder
  let environment: [String: String]

  init() throws {
    folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0003.JPG"), TestFiles.fixture("IMG_0003.MOV"))
    try FileManager.default.createDirectory(at: folder.file("holidays"), withIntermediateDirectories: false)
    environment = [
      "PATH": Command.programs.path + ":" + (Child.environment["PATH"] ?? "/usr/bin:/bin"),
      "XDG_CONFIG_HOME": folder.file("config").path, "XDG_STATE_HOME": folder.file("state").path,
      "HOME": folder.url.path, "TERM": "dumb",
    ]
    let prepared = try Tools.run(
      [
        "sh", "-ec",
        """
        mkdir -p config/fish/completions
        liveedit adjust --contrast 0.2 IMG_0003.JPG; liveedit preset save mine-own --from IMG_0003.JPG
        liveedit album create Summer
        for shell in bash zsh fish; do liveedit completions $shell > script.$shell; done
        cp script.fish config/fish/completions/liveedit.fish
        """,
      ], in: folder.url, environment: environment)
    try #require(prepared.status == 0, "\(prepared.standardError)")
  }

  /// A typed line, words that must be among the completions, and a word that must not.
  static let lines: [(typed: String, proposed: [String], other: String)] = [
    ("liveedit ro", ["rotate"], "revert"),
    ("liveedit re", ["revert", "redo", "repair"], "rotate"),
    ("liveedit rotate --deg", ["--degrees"], "--to"),
    ("liveedit rotate --degrees ", ["90", "180", "270", "-90"], "45"),
    ("liveedit rotate --quality s", ["small", "standard"], "high"),
    ("liveedit preset ", ["list", "show", "save", "delete"], "rotate"),
    ("liveedit preset show mi", ["mine-own"], "vivid"),
    ("liveedit apply --preset mo", ["mono", "mono-soft"], "mine-own"),
    ("liveedit apply --only light,co", ["light,color"], "light,curve"),
    ("liveedit revert --to ", ["previous", "original"], "2"),
    ("liveedit revert IMG_0003.JPG --to ", ["previous", "original", "1"], "2"),
    ("liveedit export --as still IMG_0003.JPG --version ", ["original", "1"], "previous"),
    ("liveedit list --sort -d", ["-date", "-duration"], "date"),
    ("liveedit list --filter fav", ["favourite"], "kind"),
    ("liveedit album add S", ["Summer"], "IMG_0003.JPG"),
    ("liveedit help fi", ["filters"], "flip"),
    ("liveedit completions ", ["bash", "zsh", "fish"], "rotate"),
    ("liveedit rotate --degrees 90 IMG", ["IMG_0003.JPG", "IMG_0003.MOV"], "holidays"),
    ("liveedit list ho", ["holidays"], "IMG_0003.JPG"),
    ("liveedit rotate -o ho", ["holidays"], "IMG_0003.JPG"),
  ]

  func check(_ shell: String, _ ask: (String) throws -> [String]) throws {
    for line in Self.lines {
      // fish appends a slash to folder names.
      let found = try ask(line.typed).map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
      #expect(Set(found).isSuperset(of: line.proposed), "\(shell), \(line.typed): \(found)")
      #expect(!found.contains(line.other), "\(shell), \(line.typed): \(found)")
    }
  }

  /// Returns the words that bash puts into COMPREPLY for a line that is already split as bash does.
  private func bash(_ words: [String]) throws -> [String] {
    let list = words.map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ")
    let output = try Tools.run(
      [
        "bash", "--norc", "-c",
        "source ./script.bash; COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _liveedit liveedit; printf '%s\\n' \"${COMPREPLY[@]}\"",
      ], in: folder.url, environment: environment)
    #expect(output.status == 0 && output.standardError.isEmpty, "\(words): \(output.standardError)")
    return output.lines
  }

  @Test func bashCompletes() throws {
    try check("bash") { line in
      try bash(line.split(separator: " ", omittingEmptySubsequences: false).map(String.init))
    }
    // bash splits at “=”, keeps quotation marks, and expects unquoted completions to be escaped.
    #expect(try bash(["liveedit", "rotate", "--degrees", "=", ""]) == ["90", "180", "270", "-90"])
    #expect(try bash(["liveedit", "rotate", "--degrees", "=", "18"]) == ["180"])
    #expect(try bash(["liveedit", "list", "--filter", "'kind = l"]) == ["kind = live"])
    #expect(try bash(["liveedit", "list", "--filter", "kind\\ =\\ l"]) == ["kind\\ =\\ live"])
    // Words after the cursor also count.
    let output = try Tools.run(
      [
        "bash", "--norc", "-c",
        "source ./script.bash; COMP_WORDS=(liveedit revert --to '' IMG_0003.JPG); COMP_CWORD=3; _liveedit liveedit; echo ${COMPREPLY[@]}",
      ], in: folder.url, environment: environment)
    #expect(output.lines == ["previous original 1"])
    let registered = try Tools.run(
      ["bash", "--norc", "-c", "source ./script.bash; complete -p liveedit"], in: folder.url,
      environment: environment)
    #expect(registered.text == "complete -F _liveedit liveedit\n")
  }

  @Test func fishCompletes() throws {
    try check("fish") { line in
      let output = try Tools.run(
        ["fish", "-c", "complete -C \"$argv[1]\"", line], in: folder.url, environment: environment)
      #expect(output.status == 0 && output.standardError.isEmpty, "\(line): \(output.standardError)")
      return output.lines.map { String($0.prefix { $0 != "\t" }) }
    }
    let meanings = try Tools.run(
      ["fish", "-c", "complete -C 'liveedit rotate --deg'"], in: folder.url, environment: environment)
    #expect(
      meanings.lines == ["--degrees\trotate the current picture clockwise by 90, 180, 270 or -90 degrees"])
    for (line, word) in [
      ("liveedit rotate --degrees=18", "--degrees=180"), ("liveedit list --filter 'kind = l", "kind = live"),
      ("liveedit rotate --output=ho", "--output=holidays/"),
    ] {
      let output = try Tools.run(
        ["fish", "-c", "complete -C \"$argv[1]\"", line], in: folder.url, environment: environment)
      #expect(output.lines.map { String($0.prefix { $0 != "\t" }) } == [word], "\(line)")
    }
  }
}
