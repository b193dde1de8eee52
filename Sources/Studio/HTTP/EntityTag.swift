/// A tag that distinguishes one state of a file or picture from all others (RFC 9110 section 8.8.3).
struct EntityTag: Hashable, Sendable {
  /// The tag as written in headers, including its quotation marks.
  let header: String

  /// - Parameter word: The text of the tag. Only letters, digits and similar characters are kept.
  init(_ word: String) {
    header = "\"" + word.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) } + "\""
  }

  /// Returns whether an `If-None-Match` header contains the tag, which means that the client already has this state.
  /// The comparison is weak (section 13.1.2).
  func isNamed(in header: String?) -> Bool {
    guard let header else { return false }
    return header.split(separator: ",").contains { part in
      let tag = part.trimmed
      return tag == "*" || tag == self.header || tag == "W/" + self.header
    }
  }

  /// Returns whether an `If-Range` header allows a partial response: the header is missing or contains this tag. The
  /// comparison is strong (section 13.1.5). A date never allows a partial response, because the server sends no dates.
  func allowsRange(_ header: String?) -> Bool { header.map { $0[...].trimmed == self.header } ?? true }
}

extension Substring {
  /// The text without leading and trailing white space.
  var trimmed: String { String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()) }
}
