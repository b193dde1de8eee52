import EditLibrary
import EditModel

/// Suggestions for the next word of a filter that is being typed.
package enum FilterCompletion {
  /// Returns the typed filter completed by each possible next word.
  package static func words(_ typed: String) -> [String] {
    let start = typed.lastIndex { $0 == " " || $0 == "(" }.map { typed.index(after: $0) } ?? typed.startIndex
    let before = typed[..<start]
    let words = before.replacing("(", with: " ( ").split(separator: " ").map { $0.lowercased() }
    return next(words).map { before + $0 }
  }

  private static let beginnings = AssetField.allCases.map(\.rawValue) + ["not", "has", "near", "dates"]

  private static func next(_ words: [String]) -> [String] {
    guard let last = words.last else { return beginnings }
    switch last {
    case "and", "or", "not", "(": return beginnings
    case "dates": return ["disagree"]
    case "has": return AssetField.allCases.map(\.rawValue)
    case "=", "!=", "<", "<=", ">", ">=":
      guard let field = words.dropLast().last.flatMap(AssetField.init) else { return [] }
      return field.valueKind == .flag ? ["yes", "no"] : field.words
    default: break
    }
    guard let field = AssetField(rawValue: last), words.dropLast().last != "has" else {
      // The value is complete, or the filter is invalid.
      return words.count > 1 && words.dropLast().last != "near" ? ["and", "or"] : []
    }
    switch field.valueKind {
    case .flag: return ["and", "or", "="]
    case .text: return ["=", "!=", "contains", "like"]
    case .word: return ["=", "!="]
    case .number, .date: return ["=", "!=", "<", "<=", ">", ">=", "in"]
    case .place: return ["and", "or"]
    }
  }
}

extension AssetField {
  /// The fixed words that the field accepts; empty if the field accepts other values.
  package var words: [String] {
    switch self {
    case .kind: AssetKind.allCases.map(\.rawValue)
    case .subtype: AssetSubtype.allCases.map(\.rawValue)
    default: []
    }
  }
}
