extension StringProtocol {
  /// Returns whether another text has the same bytes. File systems and databases distinguish names that Swift considers
  /// equal because they represent the same letters, such as a precomposed é and an e with a combining accent.
  package func hasBytes(of other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension String? {
  /// Returns whether both texts have the same bytes or both texts are nil.
  package func hasBytes(of other: String?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let one?, let other?): one.hasBytes(of: other)
    default: false
    }
  }
}

/// A name or path that is compared by its bytes when used as a key in a set or dictionary. See
/// ``Swift/StringProtocol/hasBytes(of:)``.
package struct ExactName: Hashable, Sendable {
  /// The name or path.
  package let name: String

  /// - Parameter name: The name or path.
  package init(_ name: String) { self.name = name }

  /// Returns whether both names have the same bytes.
  package static func == (one: Self, other: Self) -> Bool { one.name.hasBytes(of: other.name) }

  /// Hashes the name. Names with the same bytes have the same hash.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
