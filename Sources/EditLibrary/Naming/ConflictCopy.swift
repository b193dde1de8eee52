/// The names that file synchronisation programs give to conflict copies, that is, to the second copy of a file that
/// changed on both sides.
enum ConflictCopy {
  /// Returns the name of the original file if a name has the form of a conflict copy, or nil for any other name.
  ///
  /// The supported forms are those of Syncthing (`a.sync-conflict-20261130-101112-ABCDEFG.jpg`, “Conflicting changes”
  /// in its documentation), Dropbox and Nextcloud (`a (Anna's conflicted copy 2026-11-30).jpg`, `a (conflicted copy
  /// 2026-11-30 101112).jpg`), ownCloud (`a_conflict-20261130-101112.jpg`) and `rsync --backup` (`a.jpg~`).
  static func original(of name: String) -> String? {
    if let match = name.wholeMatch(of: /(.+)\.sync-conflict-[0-9]{8}-[0-9]{6}(?:-[A-Z0-9]{7})?(\.[^.]+)?/) {
      return String(match.1) + (match.2.map(String.init) ?? "")
    }
    if let match = name.wholeMatch(of: /(.+) \((?:[^()]* )?conflicted copy [-0-9 ]+\)(\.[^.]+)?/) {
      return String(match.1) + (match.2.map(String.init) ?? "")
    }
    if let match = name.wholeMatch(of: /(.+)_conflict-[0-9]{8}-[0-9]{6}(\.[^.]+)?/) {
      return String(match.1) + (match.2.map(String.init) ?? "")
    }
    guard name.hasSuffix("~"), name.utf8.count > 1 else { return nil }
    return String(name.dropLast())
  }
}
