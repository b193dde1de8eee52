import Foundation
import TestSupport
import Testing

@testable import liveedit

/// Completions as the shells show them: the scripts in a real bash, zsh and fish.
@Suite struct CompletionTests {
  private let folder: TemporaryFolder
  private let environment: [String: String]

  init() throws {
    folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0003.JPG"), TestFiles.fixture("IMG_0003.MOV"))
    try FileManager.default.createDirectory(at: folder.file("holidays"), withIntermediateDirectories: false)
    environment = [
      "PATH": Command.programs.path + ":" + (Tools.environment["PATH"] ?? "/usr/bin:/bin"),
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

  /// What is typed, with words that have to be among those that are proposed, and one that must not.
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

  private func check(_ shell: String, _ ask: (String) throws -> [String]) throws {
    for line in Self.lines {
      // fish ends the name of a folder with a slash.
      let found = try ask(line.typed).map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
      #expect(Set(found).isSuperset(of: line.proposed), "\(shell), \(line.typed): \(found)")
      #expect(!found.contains(line.other), "\(shell), \(line.typed): \(found)")
    }
  }

  /// The words that bash puts into COMPREPLY for a line, divided as bash does.
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
    // bash divides at “=”, keeps quotation marks, and wants what it does not quote escaped.
    #expect(try bash(["liveedit", "rotate", "--degrees", "=", ""]) == ["90", "180", "270", "-90"])
    #expect(try bash(["liveedit", "rotate", "--degrees", "=", "18"]) == ["180"])
    #expect(try bash(["liveedit", "list", "--filter", "'kind = l"]) == ["kind = live"])
    #expect(try bash(["liveedit", "list", "--filter", "kind\\ =\\ l"]) == ["kind\\ =\\ live"])
    // Words behind the cursor count.
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
    #expect(meanings.lines == ["--degrees\thow far to turn clockwise: 90, 180, 270 or -90"])
    for (line, word) in [
      ("liveedit rotate --degrees=18", "--degrees=180"), ("liveedit list --filter 'kind = l", "kind = live"),
      ("liveedit rotate --output=ho", "--output=holidays/"),
    ] {
      let output = try Tools.run(
        ["fish", "-c", "complete -C \"$argv[1]\"", line], in: folder.url, environment: environment)
      #expect(output.lines.map { String($0.prefix { $0 != "\t" }) } == [word], "\(line)")
    }
  }

  /// Prints every word that is added between two marks, when the tabulator is typed.
  private static let zshKeys = #"""
    fpath=($PWD $fpath)
    autoload -Uz compinit
    compinit -u -d dump
    compadd() {
      local -a found
      builtin compadd -O found "$@"
      (( $#found )) && printf "%s\n" "<<${(@)^found}>>"
      builtin compadd "$@"
    }
    show() { echo "<<begin>>"; _main_complete; compstate[insert]=; compstate[list]=; echo "<<end>>" }
    zle -C show complete-word show
    bindkey "^I" show
    """#

  /// Types each line of standard input.
  private static let zshTyping = #"""
    zmodload zsh/zpty
    zpty z zsh -f -i
    zpty -w z 'source ./keys.zsh; echo read"y"'
    while zpty -r z line && [[ $line != *ready* ]]; do :; done
    while IFS= read -r typed; do
      zpty -n -w z "$typed"$'\t'
      while zpty -r z line; do
        print -r -- "$line"
        [[ $line == *'<<end>>'* ]] && break
      done
      zpty -n -w z $'\C-u'
    done
    zpty -d z
    """#

  /// zsh completes in a terminal alone: one of its own (zsh/zpty) is typed into.
  @Test func zshCompletes() throws {
    try FileManager.default.copyItem(at: folder.file("script.zsh"), to: folder.file("_liveedit"))
    try folder.write(Array(Self.zshKeys.utf8), to: "keys.zsh")
    try folder.write(Array(Self.zshTyping.utf8), to: "ask.zsh")
    let typed =
      Self.lines.map(\.typed) + ["liveedit rotate --degrees=18", "liveedit list --filter 'kind = l"]
    let output = try Tools.run(
      ["timeout", "60", "zsh", "-f", "ask.zsh"], in: folder.url,
      input: Data(typed.joined(separator: "\n").utf8 + [10]), environment: environment)
    #expect(output.status == 0, "\(output.standardError)")
    let answers = output.text.components(separatedBy: "<<end>>").dropLast().map { part in
      part.matches(of: /<<(.*?)>>/).map { String($0.1) }.filter { $0 != "begin" }
    }
    try #require(answers.count == typed.count, "\(output.text)")
    var rest = answers[...]
    try check("zsh") { _ in rest.removeFirst() }
    #expect(Array(rest) == [["--degrees=180"], ["kind = live"]])
    let sourced = try Tools.run(
      [
        "zsh", "-f", "-c",
        "autoload -Uz compinit; compinit -u -D; source ./script.zsh; print $_comps[liveedit]",
      ],
      in: folder.url, environment: environment)
    #expect(sourced.text == "_liveedit\n")
  }
}
