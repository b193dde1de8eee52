import Basics

/// The names in a folder, for lookup by any spelling that a file system may accept.
///
/// FAT, exFAT, NTFS, APFS and ext4 folders with `casefold` do not distinguish between upper and lower case. APFS, HFS+
/// and ext4 folders with `casefold` also accept every canonical form of Unicode (é as one character, or as an e
/// followed by an accent). Each name keeps the bytes with which the folder lists the name.
package struct ListedNames: Sendable {
  private let exact: Set<ExactName>
  private let bySpelling: [String: [String]]

  /// - Parameter names: The names as the folder lists them.
  package init(_ names: [String]) {
    exact = Set(names.map(ExactName.init))
    bySpelling = Dictionary(grouping: names, by: FileName.withoutSpelling)
  }

  /// Returns whether the folder lists a name with exactly these bytes.
  package func contains(_ name: String) -> Bool { exact.contains(ExactName(name)) }

  /// Returns the listed names that equal a given name or differ from it only in spelling, in the order of the list.
  package func alike(_ name: String) -> [String] { bySpelling[FileName.withoutSpelling(name)] ?? [] }

  /// Returns the listed name of a file that the file system finds under a given name: the identical name if the folder
  /// lists it, otherwise a name in another canonical form, otherwise a name in another case.
  ///
  /// - Parameter name: A name under which the file system finds the file.
  /// - Returns: nil if no listed name matches, or if several listed names match.
  package func spelling(of name: String) -> String? {
    if contains(name) { return name }
    let alike = alike(name)
    let sameForm = alike.filter { $0 == name }
    let found = sameForm.isEmpty ? alike : sameForm
    return found.count == 1 ? found[0] : nil
  }
}

extension FileName {
  /// Returns a form of a name for case-insensitive comparison. Canonical forms need no conversion, because Swift
  /// compares strings by canonical equivalence.
  package static func withoutSpelling(_ name: String) -> String { name.lowercased() }

  /// Returns whether a name consists only of ASCII characters and therefore has a single canonical form.
  package static func hasOneForm(_ name: String) -> Bool { name.utf8.allSatisfy { $0 < 0x80 } }

  /// Returns whether two names are equal or differ only in case and canonical form.
  package static func areAlike(_ one: String, _ other: String) -> Bool {
    withoutSpelling(one) == withoutSpelling(other)
  }

  /// Returns a name with its ASCII letters in upper case, or in lower case if all the letters are in upper case; nil if
  /// the name has no ASCII letters.
  package static func inOtherCase(_ name: String) -> String? {
    func isIn(_ first: Character, _ last: Character) -> (Character) -> Bool {
      { (first...last).contains($0) }
    }
    let (isLower, isUpper) = (isIn("a", "z"), isIn("A", "Z"))
    if name.contains(where: isLower) {
      return String(name.map { isLower($0) ? Character($0.uppercased()) : $0 })
    }
    guard name.contains(where: isUpper) else { return nil }
    return String(name.map { isUpper($0) ? Character($0.lowercased()) : $0 })
  }
}

extension HeldFolder {
  /// Returns whether two relative paths are two spellings of the same folder entry. Inode numbers cannot answer this
  /// question: some file systems assign each spelling its own inode number, and on other file systems two names can
  /// belong to the same file.
  package func isOneEntry(_ place: String, _ other: String) throws -> Bool {
    guard let parts = FileName.parts(of: place), let others = FileName.parts(of: other),
      parts.count == others.count, zip(parts, others).allSatisfy(FileName.areAlike),
      try exists(place), try exists(other)
    else { return false }
    var parent = ""
    for (part, other) in zip(parts, others) {
      if !part.hasBytes(of: other) {
        let listed = ListedNames(try names(in: parent))
        if listed.contains(part), listed.contains(other) { return false }
      }
      parent = parent.isEmpty ? part : parent + "/" + part
    }
    return true
  }
}
