/// A word that tells one state of a file or picture from every other (RFC 9110 section 8.8.3).
struct EntityTag: Hashable, Sendable {
  /// The word as it stands in headers, with its quotation marks.
  let header: String

  /// - Parameter word: letters, digits and the like; nothing else is kept of it.
  init(_ word: String) {
    header = "\"" + word.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) } + "\""
  }

  /// True if a header `If-None-Match` names it: whoever asks has this state already. Compared weakly (section 13.1.2).
  func isNamed(in header: String?) -> Bool {
    guard let header else { return false }
    return header.split(separator: ",").contains { part in
      let tag = part.trimmed
      return tag == "*" || tag == self.header || tag == "W/" + self.header
    }
  }

  /// True if a range may be given by a header `If-Range`: there is none, or it names this state, compared strongly (section
  /// 13.1.5). A date never does: none is given out.
  func allowsRange(_ header: String?) -> Bool { header.map { $0[...].trimmed == self.header } ?? true }
}

extension Substring {
  /// The text without white space at its ends.
  var trimmed: String { String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()) }
}
