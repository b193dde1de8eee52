import Basics

/// The words and symbols of a filter.
struct FilterTokens {
  /// A word or a symbol.
  struct Token: Hashable {
    enum Kind: Hashable {
      /// An unquoted word: a field, a keyword or a value.
      case word
      /// A quoted value.
      case quoted
      /// A symbol: `(`, `)`, `,` or a comparison operator.
      case sign
      /// The end of the filter.
      case end
    }

    var kind: Kind
    /// The text; for a quoted value, without the quotation marks.
    var text: String
    /// The number of characters before the token.
    var position: Int

    /// The token's name in an error message.
    var name: Message { kind == .end ? "the end of the filter" : "“\(text)”" }
  }

  private static let longest = 10_000
  private static let comparisons: Set<String> = ["=", "!=", "<", "<=", ">", ">="]

  /// Splits a filter into words and symbols. The last token is the end.
  static func tokens(_ text: String) throws(FilterError) -> [Token] {
    let characters = Array(text)
    guard characters.count <= longest else {
      throw FilterError(
        position: longest,
        message: "a filter can have at most \(longest) characters, and this filter has \(characters.count)"
      )
    }
    var tokens: [Token] = []
    var at = 0
    while at < characters.count {
      let character = characters[at]
      if character.isWhitespace {
        at += 1
      } else if character == "\"" || character == "'" {
        let start = at
        tokens.append(Token(kind: .quoted, text: try quoted(characters, &at), position: start))
      } else if "(),".contains(character) {
        tokens.append(Token(kind: .sign, text: String(character), position: at))
        at += 1
      } else if isComparison(character) {
        var sign = String(character)
        if at + 1 < characters.count, characters[at + 1] == "=" { sign += "=" }
        guard comparisons.contains(sign) else {
          throw FilterError(
            position: at, message: "“\(sign)” is not a comparison operator; use =, !=, <, <=, > or >=")
        }
        tokens.append(Token(kind: .sign, text: sign, position: at))
        at += sign.count
      } else {
        let word = characters[at...].prefix {
          !$0.isWhitespace && !"(),\"'".contains($0) && !isComparison($0)
        }
        tokens.append(Token(kind: .word, text: String(word), position: at))
        at += word.count
      }
    }
    return tokens + [Token(kind: .end, text: "", position: characters.count)]
  }

  private static func isComparison(_ character: Character) -> Bool { "=!<>".contains(character) }

  /// Parses a quoted value, in which a backslash escapes the next character.
  private static func quoted(_ characters: [Character], _ at: inout Int) throws(FilterError) -> String {
    let start = at
    let quote = characters[at]
    var text = ""
    at += 1
    while at < characters.count {
      if characters[at] == quote {
        at += 1
        return text
      }
      if characters[at] == "\\", at + 1 < characters.count { at += 1 }
      text.append(characters[at])
      at += 1
    }
    throw FilterError(position: start, message: "the quoted value has no closing \(quote)")
  }
}
