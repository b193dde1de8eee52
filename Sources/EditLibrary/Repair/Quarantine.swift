import Basics
import FileSystem

extension HeldFolder {
  /// The marker in the names of quarantined files, followed by a number: `library.sqlite.damaged-1`.
  static let quarantined = ".damaged-"
  /// The marker in the names of conflict copies whose content was merged, followed by a number.
  static let merged = ".merged-"

  /// Whether a file or folder has a name that a repair gave it.
  static func isSetAside(_ name: String) -> Bool { name.contains(quarantined) || name.contains(merged) }

  /// Durably renames a file or folder that is damaged or in the way, and numbers the new name with the first free
  /// number. Unexpected files are never deleted.
  ///
  /// - Parameters:
  ///   - place: The path of the file or folder.
  ///   - name: The path to which the marker and the number are appended, or nil to use the original path.
  ///   - mark: The marker.
  /// - Returns: The new path, or nil if the old path does not exist.
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
