import Foundation
import TestSupport
import Testing

/// Tests of the commands' output on a terminal, in a pipe and on a full disk.
@Suite struct CommandOutputTests {
  /// Runs the program in a shell that manipulates its streams. In the script, `"$@"` stands for the program and its
  /// arguments.
  func shell(_ script: String, _ arguments: [String], in folder: URL) throws -> ToolOutput {
    try Tools.run(["sh", "-c", script, "sh", Command.path] + arguments, in: folder)
  }

  @Test func whatCannotBeWrittenFails() throws {
    let file = "IMG_0001.JPG"
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      let commands = [
        ["rotate", "--degrees", "90", "--lossless", file], ["album", "create", "A"], ["list"],
        ["list", "--json"],
        ["list", "-0"], ["inspect", file], ["history", file], ["verify", file], ["check"], ["album", "list"],
        ["album", "add", "A", file], ["preset", "list"], ["mark", "--hidden", file], ["repair", "--dry-run"],
        ["--help"], ["--version"], ["revert", file], ["frobnicate", "--json"], ["forget", "--json", file],
      ]
      for (index, command) in commands.enumerated() {
        let (redirection, reason) =
          index % 3 > 0 ? (">/dev/full", "no space left") : (">&-", "bad file descriptor")
        let output = try shell("exec \"$@\" " + redirection, command, in: folder)
        #expect(output.status == 1, "\(command) \(redirection)")
        let lines = output.standardError.split(separator: "\n").filter { $0.contains("standard output") }
        #expect(lines.count == 1 && lines.first?.contains(reason) == true, "\(output.standardError)")
      }
    }
  }

  @Test func aClosedPipeIsNoError() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      for (trap, status) in [("", "141"), ("trap '' PIPE; ", "1")] {
        // The reader has already exited before the first word is written.
        let script = trap + "{ sleep 0.2; \"$@\"; echo $? >&3; } 3>&2 2>errors | true"
        let output = try shell(script, ["list"], in: folder)
        #expect(output.standardError == status + "\n")
        #expect(try Data(contentsOf: folder.appendingPathComponent("errors")).isEmpty)
      }
    }
  }

  /// If standard output is closed, a file that is opened later must not take its descriptor.
  @Test func closedStreamsHurtNoFile() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      let originals = try content(of: folder)
      let output = try shell(
        "exec \"$@\" <&- >&- 2>&-", ["rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG"], in: folder)
      #expect(output.status == 1)
      #expect(try Command.run("check", in: folder).status == 0)
      #expect(try Command.run("verify", "IMG_E0001.JPG", in: folder).status == 0)
      for (name, data) in originals { #expect(try content(of: folder)[name] == data) }
    }
  }

  /// A name with control sequences that rename the window, set colours, reverse the text direction, hide characters and
  /// end the line.
  static let hostile =
    "-\u{1B}]0;pwn\u{7}x\u{1B}[31m\u{202E}GPJ.\u{2066}b\u{2069}\u{200F}\u{61C}in\u{200B}visible\nliveedit: lines"
    + "\u{9B}31m\u{85}\u{2028}\u{FEFF}\u{E0041}\u{7F}"

  /// No control sequence in a name reaches the terminal, whatever the message.
  @Test func namesDoNotSteerTheTerminal() throws {
    try withTemporaryFolder { folder in
      let name = Self.hostile
      let place = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      let pair = Fixture.portrait.files()
      try FileManager.default.copyItem(at: pair.photo, to: place.appendingPathComponent(name + ".JPG"))
      try FileManager.default.copyItem(at: pair.movie, to: place.appendingPathComponent(name + ".MOV"))
      let (photo, movie, missing) = ("./\(name).JPG", "./\(name).MOV", "./\(name)none.JPG")
      let commands: [[String]] = [
        [name], ["--" + name], ["rotate", "-" + name], ["rotate", "--degrees", name, photo],
        ["rotate", "--" + name], ["rotate", "--degrees", "90", missing],
        ["rotate", "--degrees", "90", "--lossless", photo], ["adjust", "--look", name, photo],
        ["adjust", "--look", name + ".cube", photo], ["adjust", "--exposure", name, photo],
        ["adjust", "--curve", name, photo], ["adjust", "--reset", name, photo],
        ["crop", "--rect", name, photo],
        ["crop", "--aspect", name, photo], ["auto", "--only", name, photo],
        ["apply", "--preset", name, photo],
        ["apply", "--preset", name + ".json", photo], ["revert", photo], ["revert", "--to", name, photo],
        ["redo", photo], ["history", photo], ["check"], ["check", "--accept", photo],
        ["move", missing, photo],
        ["move", photo, photo], ["check", missing], ["inspect", photo, movie],
        ["inspect", missing], ["verify", photo], ["list"], ["list", "--filter", name],
        ["list", "--filter", "name = \"" + name], ["list", "--sort", name], ["list", "--limit", name],
        ["mark", "--favourite", photo], ["album", name], ["album", "create", "A" + name],
        ["album", "add", "A" + name, photo], ["album", "list"], ["preset", name], ["preset", "show", name],
        ["preset", "delete", name], ["preset", "save", name, "--from", photo], ["repair", "--dry-run"],
        ["repair", "--dry-run", missing], ["pair", "-o", missing, photo, movie],
        ["pair", "-o", ".", photo, movie],
        ["create", "--photo", photo, "--movie", movie, "-o", "."],
        ["create", "--movie", missing, "-o", "."],
        ["export", "--as", "pair", "-o", missing, photo], ["export", "--as", name, "-o", ".", photo],
        ["forget", "--to", missing, photo], ["forget", photo],
      ]
      for command in commands {
        let output = try Tools.run(
          [Command.path] + command, in: place, environment: ["XDG_CONFIG_HOME": folder.path])
        for text in [output.text, output.standardError] {
          #expect(isHarmless(text), "\(command): \(text.debugDescription)")
        }
        #expect(!output.standardError.contains("\nliveedit: lines"), "\(command)")
        // A failure prints the same message with and without JSON.
        if output.status == 1, !command.contains(missing) { continue }
        let json = try Tools.run(
          [Command.path] + command + ["--json"], in: place, environment: ["XDG_CONFIG_HOME": folder.path])
        #expect(
          isHarmless(json.text) && isHarmless(json.standardError),
          "\(command): \(json.text.debugDescription)")
        for line in json.lines {
          #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        }
      }
      // Output for other programs contains the name unchanged.
      let paths = try Tools.run([Command.path, "list", "-0", "--filter", "kind = live"], in: place)
      #expect(paths.standardOutput == Data((name + ".JPG\0").utf8))
    }
  }

  private func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control: scalar == "\n"
      case .format, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
  }

  /// The progress bar fits on one line and is erased before anything else is written.
  @Test(arguments: [20, 40, 80, 200])
  func theBarFitsAndGoesAway(_ columns: Int) throws {
    try withTemporaryFolder { folder in
      let names = ["夏休みの思い出の写真と動画をとても長い名前で保存したファイル", String(repeating: "long", count: 40)]
      for name in names {
        let pair = Fixture.portrait.files()
        for (file, ending) in [(pair.photo, ".JPG"), (pair.movie, ".MOV")] {
          try FileManager.default.copyItem(at: file, to: folder.appendingPathComponent(name + ending))
        }
      }
      let arguments = names.map { $0 + ".JPG" }.joined(separator: " ")
      let output = try Tools.run(
        [
          "script", "-qec",
          "stty cols \(columns); '\(Command.path)' rotate --each --degrees 90 --lossless none.JPG \(arguments)",
          "/dev/null",
        ], in: folder)
      // Each drawn part starts with a carriage return and ends by erasing the rest of the line.
      let parts = output.text.components(separatedBy: "\r").filter { !$0.hasPrefix("\n") && !$0.isEmpty }
      let bars = parts.filter { $0.contains(" of 2") && !$0.contains("edited") }
      #expect(!bars.isEmpty, "\(output.text.debugDescription)")
      let width =
        "import sys, unicodedata as u\nfor l in sys.argv[1].split('\\n'): print(sum(1 + (u.east_asian_width(c) in 'WF') for c in l))"
      let drawn = try bars.map { bar in
        let end = try #require(bar.range(of: "\u{1B}[K"), "\(bar.debugDescription)")
        #expect(end.upperBound == bar.endIndex, "\(bar.debugDescription)")
        return String(bar[..<end.lowerBound])
      }
      let widths = try Tools.output("python3", "-c", width, drawn.joined(separator: "\n")).lines.map {
        Int($0)
      }
      #expect(widths.count == bars.count && widths.allSatisfy { $0.map { $0 <= columns - 3 } == true })
      // Each bar is followed by another bar or by an erased line.
      for (index, part) in parts.enumerated() where bars.contains(part) {
        let next = try #require(index + 1 < parts.count ? parts[index + 1] : nil)
        #expect(bars.contains(next) || next.hasPrefix("\u{1B}[K"), "\(next.debugDescription)")
      }
    }
  }
}
