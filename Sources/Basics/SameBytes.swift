extension StringProtocol {
  /// True if another text has the same bytes. File systems and databases tell names apart that Swift calls equal, since they mean one
  /// letter: é as such, and as an e with an accent.
  package func hasBytes(of other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension String? {
  /// True if both are texts of the same bytes, or none.
  package func hasBytes(of other: String?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let one?, let other?): one.hasBytes(of: other)
    default: false
    }
  }
}
