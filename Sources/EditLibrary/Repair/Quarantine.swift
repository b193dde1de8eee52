import Basics
import FileSystem

extension HeldFolder {
  /// The mark of quarantined files in their names, before a number: `library.sqlite.damaged-1`.
  static let quarantined = ".damaged-"
  /// The mark of conflict copies whose content was taken in, before a number.
  static let merged = ".merged-"

  /// True if a repair gave a file or folder its name.
  static func isSetAside(_ name: String) -> Bool { name.contains(quarantined) || name.contains(merged) }

  /// Gives a file or folder that is damaged or in the way another name, with a number that is free, durably. Nothing is ever
  /// removed for being strange.
  ///
  /// - Parameters:
  ///   - place: the file or folder.
  ///   - name: the place before the mark and the number; nil for its own.
  ///   - mark: the mark.
  /// - Returns: the new place; nil when nothing has the old one.
  func quarantine(
    _ place: String, as name: String? = nil, mark: String = HeldFolder.quarantined
  ) throws -> String? {
    guard try exists(place) else { return nil }
    let made = try name.map { try FileMover.makeParents(of: $0, in: self) } ?? []
    let base = (name ?? place) + mark
    let limit = 10_000
    for number in 1...limit {
      do {
        try move(place, toFree: base + "\(number)")
        for place in [base] + made + [place] { try syncFolder(FileMover.parent(place)) }
        return base + "\(number)"
      } catch SystemError.exists {
        continue
      }
    }
    throw EditError.inTheWay(path(base + "\(limit)"))
  }
}
