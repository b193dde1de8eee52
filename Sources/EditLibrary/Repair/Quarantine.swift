import Basics
import FileSystem

extension HeldFolder {
  /// The mark of quarantined files in their names, before a number: `library.sqlite.damaged-1`.
  static let quarantined = ".damaged-"

  /// Gives a file or folder that is damaged or in the way another name, with a number that is free. Nothing is ever
  /// removed for being strange.
  ///
  /// - Parameters:
  ///   - place: the file or folder.
  ///   - name: the place before the mark and the number; nil for its own.
  /// - Returns: the new place; nil when nothing has the old one.
  func quarantine(_ place: String, as name: String? = nil) throws -> String? {
    guard try exists(place) else { return nil }
    if let name { try FileMover.makeParents(of: name, in: self) }
    let base = (name ?? place) + Self.quarantined
    let limit = 10_000
    for number in 1...limit {
      do {
        try move(place, toFree: base + "\(number)")
        return base + "\(number)"
      } catch SystemError.exists {
        continue
      }
    }
    throw EditError.inTheWay(path(base + "\(limit)"))
  }
}
