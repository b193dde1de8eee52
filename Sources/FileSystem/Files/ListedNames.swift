import Basics

/// The names in a folder, found in whatever spelling a file system takes for theirs.
///
/// FAT, exFAT, NTFS, APFS and folders of ext4 with `casefold` find a file under its name in any mixture of lower and upper case; APFS,
/// HFS+ and the same folders of ext4 also find it under each canonical form of Unicode (é as one character, or as an e with an accent).
/// A name keeps the bytes with which the folder lists it.
package struct ListedNames: Sendable {
  private let exact: Set<ExactName>
  private let bySpelling: [String: [String]]

  /// - Parameter names: the names as the folder lists them.
  package init(_ names: [String]) {
    exact = Set(names.map(ExactName.init))
    bySpelling = Dictionary(grouping: names, by: FileName.withoutSpelling)
  }

  /// True if the folder lists exactly these bytes.
  package func contains(_ name: String) -> Bool { exact.contains(ExactName(name)) }

  /// The names that differ from a name in spelling at most, in the order of the list.
  package func alike(_ name: String) -> [String] { bySpelling[FileName.withoutSpelling(name)] ?? [] }

  /// The name under which the folder lists a file that the file system finds under another one: the same bytes, or else the
  /// same name in another canonical form, or else the same in another case.
  ///
  /// - Parameter name: a name that the file system finds.
  /// - Returns: nil if no listed name is like it, or several are.
  package func spelling(of name: String) -> String? {
    if contains(name) { return name }
    let alike = alike(name)
    let sameForm = alike.filter { $0 == name }
    let found = sameForm.isEmpty ? alike : sameForm
    return found.count == 1 ? found[0] : nil
  }
}

extension FileName {
  /// A name without what file systems that ignore case and canonical forms ignore of it: Swift compares texts by canonical
  /// equivalence.
  package static func withoutSpelling(_ name: String) -> String { name.lowercased() }

  /// True if a name has no other canonical form: it is ASCII.
  package static func hasOneForm(_ name: String) -> Bool { name.utf8.allSatisfy { $0 < 0x80 } }

  /// True if two names differ in case and canonical form at most.
  package static func areAlike(_ one: String, _ other: String) -> Bool {
    withoutSpelling(one) == withoutSpelling(other)
  }

  /// A name with its ASCII letters in upper case, or in lower case if all of them are in upper case; nil without such letters.
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
  /// True if two places are one entry of the folder in two spellings. Numbers of files do not tell: some file systems give each
  /// spelling of one file its own, and on others two names can be of one file.
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
