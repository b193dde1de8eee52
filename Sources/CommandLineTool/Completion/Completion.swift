import EditModel
import Workflows

/// The words that a shell suggests at a given position in the command line. The suggestions are derived from the
/// command declarations.
struct Completion {
  /// A word that the shell can suggest.
  struct Candidate: Hashable {
    /// The complete word, including the part that the user has already typed.
    var word: String
    /// A line that explains the word; empty if the word is self-explanatory.
    var meaning = ""
  }

  /// The kind of file whose names the shell itself adds to the suggestions.
  enum Names: String {
    case none, files, folders
  }

  /// The suggested words, in the order of the help text.
  private(set) var candidates: [Candidate] = []
  /// The kind of file whose names can also be suggested.
  private(set) var names = Names.none

  private var line = TypedLine()
  private let current: String

  /// Finds the words to suggest.
  ///
  /// - Parameters:
  ///   - words: The typed part of the command line, without the program's name.
  ///   - index: The index of the word that is being typed, counted from 0. The word may not exist yet.
  init(_ words: [String], at index: Int) {
    let index = min(max(index, 0), words.count)
    current = index < words.count ? words[index] : ""
    line.read(words[..<index])
    find(rest: words.dropFirst(index + 1))
    let typed = current
    candidates = candidates.filter { $0.word.hasPrefix(typed) }
  }

  private mutating func find(rest: ArraySlice<String>) {
    if let option = line.pending {
      propose(option.proposed, rest)
    } else if current.hasPrefix("--"), !line.isEnded, let equals = current.firstIndex(of: "=") {
      let name = current[..<equals].dropFirst(2)
      guard let option = line.options.first(where: { $0.name == name }) else { return }
      let head = String(current[...equals])
      propose(option.proposed, rest, behind: head)
      candidates = candidates.map { Candidate(word: head + $0.word, meaning: $0.meaning) }
    } else if current.hasPrefix("-"), !line.isEnded {
      let left = line.options.filter { $0.isRepeatable || !line.given.contains($0.name) }
      candidates = left.map { Candidate(word: "--" + $0.name, meaning: $0.help.spoken) }
    } else if let command = line.command, command.subcommands.isEmpty {
      guard let last = command.operands.indices.last else { return }
      propose(command.operands[min(line.operands.count, last)], rest)
    } else {
      let commands = line.command?.subcommands ?? CommandTable.commands
      candidates = commands.map { Candidate(word: $0.word, meaning: $0.summary.spoken) }
    }
  }

  /// Suggests possible values for an option or operand.
  ///
  /// - Parameter head: The text that precedes the value in the same word.
  private mutating func propose(_ proposal: Proposal, _ rest: ArraySlice<String>, behind head: String = "") {
    let typed = String(current.dropFirst(head.count))
    switch proposal {
    case .nothing: break
    case .words(let words): candidates = words.map { Candidate(word: $0) }
    case .list(let words):
      let first = typed.lastIndex(of: ",").map { String(typed[...$0]) } ?? ""
      candidates = words.map { Candidate(word: first + $0) }
    case .files(let words):
      candidates = words.map { Candidate(word: $0) }
      names = .files
    case .folders: names = .folders
    case .presets:
      candidates = Self.presets
      names = .files
    case .versions(let words): candidates = words.map { Candidate(word: $0) } + versions(rest)
    case .batches(let isInterrupted):
      let heads =
        (isInterrupted
          ? try? BatchRecord.interrupted().filter { $0.command == line.command?.name }
          : try? BatchRecord.latest()) ?? []
      candidates = heads.map {
        Candidate(word: $0.batch, meaning: "liveedit " + $0.words.joined(separator: " "))
      }
    case .filter: candidates = FilterCompletion.words(typed).map { Candidate(word: $0) }
    case .albums: candidates = albums
    case .commands:
      let commands =
        line.operands.isEmpty ? CommandTable.commands : CommandTable.command(line.operands)?.subcommands ?? []
      candidates = commands.map { Candidate(word: $0.word, meaning: $0.summary.spoken) }
      if line.operands.isEmpty {
        candidates += HelpText.topics.map { Candidate(word: $0.name, meaning: $0.summary.spoken) }
      }
    }
  }

  private static var presets: [Candidate] {
    let library = PresetLibrary()
    let own = (try? library.ownNames()) ?? []
    let builtIn = ((try? PresetLibrary.builtIn()) ?? []).filter { !own.contains($0.name) }
    return own.map { Candidate(word: $0, meaning: (try? library.own($0).summary) ?? "") }
      + builtIn.map { Candidate(word: $0.name, meaning: $0.summary) }
  }

  /// The layout of the library that the command line names.
  private var layout: LibraryLayout { LibraryLayout(library: line.library, trees: []) }

  /// Returns the versions of the first asset named on the command line, whether the asset's name precedes or follows
  /// the current word.
  private func versions(_ rest: ArraySlice<String>) -> [Candidate] {
    var whole = line
    whole.pending = nil
    whole.read(rest)
    for file in whole.operands {
      guard let history = try? AssetHistory(path: file, layout: layout) else { continue }
      return history.record.versions.map {
        Candidate(word: String($0.number), meaning: history.words($0).spoken)
      }
    }
    return []
  }

  private var albums: [Candidate] {
    let albums = (try? Library.forReading("", layout: layout).albums()) ?? []
    return albums.map { Candidate(word: $0.name, meaning: TextNumber.count($0.stems.count, "asset").spoken) }
  }
}

/// The words of an unfinished command line. The words are parsed as far as they are recognised.
struct TypedLine {
  /// The command, or its subcommand if one was given.
  private(set) var command: CommandDeclaration?
  /// The names of the options that were given.
  private(set) var given: Set<String> = []
  /// The operands that were given.
  private(set) var operands: [String] = []
  /// The folder that was given with `--library`.
  private(set) var library: String?
  /// Whether the words that follow `--` have been reached.
  private(set) var isEnded = false
  /// The option whose value is expected next.
  var pending: OptionDeclaration?

  /// The options that are allowed at this position.
  var options: [OptionDeclaration] { command?.allOptions ?? OptionDeclaration.ofProgram }

  /// Reads additional words of the command line.
  mutating func read(_ words: ArraySlice<String>) {
    for word in words {
      if let option = pending {
        if option.name == OptionDeclaration.library.name { library = word }
        pending = nil
      } else if isEnded {
        operands.append(word)
      } else if word == "--" {
        isEnded = true
      } else if word.hasPrefix("-"), word != "-" {
        take(word)
      } else if let command, command.subcommands.isEmpty {
        operands.append(word)
      } else if let found = (command?.subcommands ?? CommandTable.commands).first(where: { $0.word == word })
      {
        command = found
      }
    }
  }

  private mutating func take(_ word: String) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let option = options.first { "--" + $0.name == parts[0] || $0.letter.map { "-\($0)" } == word }
    guard let option else { return }
    given.insert(option.name)
    if parts.count > 1 {
      if option.name == OptionDeclaration.library.name { library = parts[1] }
    } else if option.type != .flag, option.type != .optionalText {
      pending = option
    }
  }
}
