import Basics
import EditModel

/// Manual pages in roff with the man(7) macros, generated from the command declarations.
enum ManPage {
  /// Returns the lines of a manual page.
  ///
  /// - Parameter command: The command; nil for the program's own page, liveedit(1).
  static func lines(_ command: CommandDeclaration?) -> [String] {
    let name = command.map { "liveedit-\($0.name)" } ?? "liveedit"
    // The first line declares the encoding of the file.
    let head = [
      "'\\\" -*- coding: utf-8 -*-",
      ".TH \(name.uppercased().roff) 1 \"\" \"liveedit \(LiveEditVersion.current)\" \"liveedit\"",
      // Commands must not be hyphenated at the end of a line.
      ".nh", ".ad l",
      ".SH NAME", "\(name.roff) \\- \(decapitalized((command?.summary ?? HelpText.summary).spoken).roff)",
    ]
    return head + (command.map(body) ?? generalBody)
  }

  private static func body(_ command: CommandDeclaration) -> [String] {
    var lines = synopsis(command) + [".SH DESCRIPTION"] + paragraphs(command.summary)
    if !command.about.isEmpty { lines += [".PP"] + paragraphs(command.about) }
    if command.subcommands.isEmpty {
      lines += [".SH OPTIONS"] + options(command)
    } else {
      lines.append(".SH COMMANDS")
      for one in command.subcommands {
        lines += [".SS " + quoted("liveedit \(one.name)")] + paragraphs(one.summary)
        if !one.about.isEmpty { lines += [".PP"] + paragraphs(one.about) }
      }
      lines.append(".SH OPTIONS")
      for one in command.subcommands { lines += [".SS " + quoted("liveedit \(one.name)")] + options(one) }
    }
    let leaves = command.subcommands.isEmpty ? [command] : command.subcommands
    lines += [".SH EXAMPLES"] + leaves.flatMap(\.examples).flatMap(example)
    lines.append(".SH EXIT STATUS")
    for one in leaves {
      if leaves.count > 1 { lines.append(".SS " + quoted("liveedit \(one.name)")) }
      lines += one.endings.meanings.flatMap { tagged("\($0.status.rawValue)", $0.meaning.spoken) }
    }
    let files = leaves.flatMap { ($0.hasLibrary ? [.library] : []) + $0.files }
    lines += section("FILES", distinct(files).flatMap { tagged($0.path, $0.meaning.spoken) })
    let related =
      command.related + (leaves.contains(where: \.selects) && command.name != "list" ? ["list"] : [])
    return lines + seeAlso(distinct(related))
  }

  private static var generalBody: [String] {
    var lines = [".SH SYNOPSIS", ".B liveedit", "\\fICOMMAND\\fR [\\fIoptions\\fR] \\fIFILE\\fR..."]
    lines += [".SH DESCRIPTION"] + paragraphs(about)
    for kind in CommandDeclaration.Kind.allCases {
      lines.append(".SS " + quoted(kind.title.spoken))
      for command in CommandTable.commands where command.kind == kind {
        lines += tagged("liveedit-\(command.name)(1)", command.summary.spoken)
      }
    }
    lines += [".SH OPTIONS"] + OptionDeclaration.ofProgram.flatMap(option)
    lines += [".SH EXAMPLES"] + HelpText.examples.flatMap(example)
    lines +=
      [".SH EXIT STATUS"]
      + Endings.ofChanges.meanings.flatMap { tagged("\($0.status.rawValue)", $0.meaning.spoken) }
    lines += section(
      "FILES",
      [.library, .configuration, .presets, .batches, .watches, .cache].flatMap {
        (file: KeptFile) in
        tagged(file.path, file.meaning.spoken)
      })
    return lines + seeAlso(CommandTable.commands.map(\.name))
  }

  private static let about: Message = """
    \(HelpText.summary)

    FILE can be the photo or the movie of a Live Photo: an edit changes both. Edited files are written beside
    the originals under the names that iPhones use: IMG_E0001 with IMG_0001.AAE for IMG_0001. You can revert to
    earlier versions and redo. No file is overwritten, and no original is changed.
    """

  private static func synopsis(_ command: CommandDeclaration) -> [String] {
    [".SH SYNOPSIS", ".nf"] + command.usage.map { $0.roff } + [".fi"]
  }

  private static func options(_ command: CommandDeclaration) -> [String] {
    command.optionGroups.flatMap { $0.options.flatMap(option) }
  }

  private static func option(_ option: OptionDeclaration) -> [String] {
    tagged((option.letter.map { "-\($0), " } ?? "") + option.spelled, option.help.spoken.sentence)
  }

  private static func example(_ example: CommandDeclaration.Example) -> [String] {
    [
      ".PP", example.meaning.spoken.roff, ".PP", ".RS 4", ".nf", "liveedit \(example.line)".roff, ".fi",
      ".RE",
    ]
  }

  private static func tagged(_ tag: String, _ text: String) -> [String] {
    [".TP", "\\fB\(tag.roff)\\fR", text.roff]
  }

  /// Converts paragraphs that are separated by empty lines. Indented lines keep their line breaks.
  private static func paragraphs(_ message: Message) -> [String] {
    guard Spoken.isEnglish else {
      return Array(message.paragraphs.map { [$0.spoken.roff] }.joined(separator: [".PP"]))
    }
    return message.description.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      if line.isEmpty { return [".PP"] }
      return line.hasPrefix("  ") ? [".br", String(line).roff, ".br"] : [String(line).roff]
    }
  }

  private static func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [".SH " + title] + lines
  }

  private static func seeAlso(_ names: [String]) -> [String] {
    let pages = ["liveedit"] + names.map { "liveedit-" + $0 }
    return section("SEE ALSO", [pages.map { "\\fB\($0.roff)\\fR(1)" }.joined(separator: ", ")])
  }

  private static func distinct<Value: Hashable>(_ values: [Value]) -> [Value] {
    var seen: Set<Value> = []
    return values.filter { seen.insert($0).inserted }
  }

  private static func quoted(_ text: String) -> String { "\"\(text.roff)\"" }

  /// Returns a summary in the form for the NAME section: in lower case and without the full stop.
  private static func decapitalized(_ summary: String) -> String {
    let first = Spoken.isEnglish ? summary.prefix(1).lowercased() : String(summary.prefix(1))
    return first + summary.dropFirst().dropLast(summary.hasSuffix(".") ? 1 : 0)
  }
}

extension String {
  /// The text, escaped for roff. No line can be read as a request, and characters that some terminals lack are written
  /// as roff names.
  fileprivate var roff: String {
    var text = ""
    for character in self {
      switch character {
      case "\\": text += "\\e"
      case "-": text += "\\-"
      case "“": text += "\\(lq"
      case "”": text += "\\(rq"
      case "’": text += "\\(cq"
      case "'": text += "\\(aq"
      case "\"": text += "\\(dq"
      case "`": text += "\\(ga"
      case "^": text += "\\(ha"
      case "~": text += "\\(ti"
      case "…": text += "..."
      case "→": text += "\\(->"
      case "°": text += "\\(de"
      default: text.append(character)
      }
    }
    return text.hasPrefix(".") ? "\\&" + text : text
  }

  /// The help line of an option as a sentence.
  fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
