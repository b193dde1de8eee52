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

/// A name or a path as a key in a set or a dictionary by its bytes, see ``Swift/StringProtocol/hasBytes(of:)``.
package struct ExactName: Hashable, Sendable {
  /// The text.
  package let name: String

  /// - Parameter name: the text.
  package init(_ name: String) { self.name = name }

  /// True if both have the same bytes.
  package static func == (one: Self, other: Self) -> Bool { one.name.hasBytes(of: other.name) }

  /// Hashes the text, which texts of the same bytes have in common.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
