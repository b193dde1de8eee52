import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

extension CompletionTests {
  /// A script that prints each completion between two marks when the Tab key is pressed.
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

  /// A script that types each line of standard input.
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

  /// zsh completes only in a terminal, so the test types into a pseudoterminal (zsh/zpty).
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
