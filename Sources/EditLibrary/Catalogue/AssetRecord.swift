import Basics
import FileSystem

/// An asset as the catalogue records it: its originals, its versions, and the number of the current version.
///
/// The versions form a list with a pointer to the current version. The pointer determines where a version's files are
/// stored: the files of the version ``shown`` are beside the originals, and the files of all other versions are in the
/// versions folder.
package struct AssetRecord: Hashable, Sendable {
  /// The stem that identifies the asset in its folder.
  package var stem: String
  /// The original photo and movie, or the only half that exists.
  package var originals: [VersionFile]
  /// All versions except the original, in ascending order of their numbers.
  package var versions: [Version]
  /// The number of the current version, or 0 for the original.
  package var current: Int
  /// The version whose files are still at the render paths while the files of ``shown`` exist only beside read-only
  /// originals. The value is nil in all other cases, and in every stored record.
  var displaced: Int?

  /// Returns the version with the given number, or nil if the number is 0 (the original) or does not exist.
  package func version(_ number: Int) -> Version? {
    var (low, high) = (0, versions.count)
    while low < high {
      let middle = (low + high) / 2
      if versions[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < versions.count && versions[low].number == number ? versions[low] : nil
  }

  /// Changes the version with the given number, if that version exists.
  mutating func update(_ number: Int, _ change: (inout Version) -> Void) {
    if let index = versions.firstIndex(where: { $0.number == number }) { change(&versions[index]) }
  }

  /// The current version, or nil for the original.
  package var currentVersion: Version? { version(current) }

  /// A string that identifies the current version by its content. A different string means that another version is
  /// current, even if the version number is the same.
  package var position: String {
    get throws(EditError) {
      guard let version = currentVersion else { return "0" }
      var bytes = Array("\(version.previous) \(version.base) ".utf8)
      if let data = version.adjustment { bytes += Array(data.formatIdentifier.utf8) + data.data }
      bytes += version.files.flatMap { Array($0.fingerprint.sha256.utf8) }
      return "\(current) " + Digest.hexadecimal(Array(try Digest.of(bytes, .sha256).prefix(8)))
    }
  }

  /// The number of the next version.
  ///
  /// - Throws: ``Basics/EditError`` if no numbers are left.
  var nextNumber: Int {
    get throws(EditError) {
      let number = (versions.last?.number ?? 0) + 1
      guard versions.count < ReadingLimit.versions.value else {
        throw EditError(
          .unsupported, file: stem, "has \(versions.count) versions and cannot have more",
          remedy: "run liveedit forget on this file to start a new history")
      }
      guard Version.numbers.contains(number) else {
        throw EditError(
          .damagedLibrary, file: stem, "has no version numbers left",
          remedy: "run liveedit forget on this file to start a new history")
      }
      return number
    }
  }

  /// Whether liveedit could have written the record. Every record from a catalogue or a `version.json` is checked here
  /// before it is used: names must be plain file names without folders, versions must be in order, and each version
  /// must follow the versions that it builds on.
  var isSound: Bool {
    guard FileName.isPlain(stem), versions.count <= Self.mostVersions,
      current == 0 || Version.numbers.contains(current),
      Self.isSound(originals), originals.allSatisfy({ $0.role.isHalf })
    else { return false }
    var last = 0
    for version in versions {
      guard Version.numbers.contains(version.number), version.number > last,
        (0..<version.number).contains(version.previous), (0..<version.number).contains(version.base),
        Self.isSound(version.files)
      else { return false }
      last = version.number
    }
    return true
  }

  /// The highest value that the limit on the number of versions per asset can be set to. Nobody needs more versions.
  static let mostVersions = ReadingLimit.versions.range.upperBound

  private static func isSound(_ files: [VersionFile]) -> Bool {
    Set(files.map(\.role)).count == files.count
      && files.allSatisfy { FileName.isPlain($0.name) && $0.fingerprint.size >= 0 }
  }

  /// Whether a file that has a render's name is identical to a recorded file of any version.
  ///
  /// - Parameters:
  ///   - name: The file's name.
  ///   - folder: The file's folder.
  ///   - isOriginal: Whether the file is beside read-only originals and, like an original, can be a symbolic link.
  func hasVersion(
    at name: String, in folder: HeldFolder, isOriginal: Bool = false
  ) throws(EditError) -> Bool {
    let prints = versions.flatMap(\.files).filter { $0.name == name }.map(\.fingerprint)
    return try Fingerprint.isOne(of: prints, name, in: folder, isOriginal: isOriginal)
  }

  /// Returns the version that provides the files of the given version: the given version itself or, if it changes
  /// nothing, its base.
  package func holder(of number: Int) -> Int {
    var number = number
    // The loop terminates because each version's base is older than the version itself.
    while let version = version(number), version.isIdentity, version.base < number { number = version.base }
    return number
  }

  /// The number of the version whose files are displayed, or 0 if the original is displayed. The displayed files are
  /// beside the originals, or under the corresponding names in the library home.
  package var shown: Int { holder(of: current) }

  /// The version whose photo and movie are displayed. A version that has only adjustment data displays the original.
  package var pictured: Int { version(shown)?.hasRender == true ? shown : 0 }

  /// The version whose files are at the render paths in the library home. This is ``shown``, unless the files of
  /// ``shown`` are still elsewhere.
  package var placed: Int { displaced ?? shown }

  /// The version to which `revert` returns from the current version, or nil if the original is current.
  package var previous: Int? { currentVersion?.previous }

  /// The version that `redo` restores, or nil if nothing can be redone.
  package var next: Int? {
    versions.last { $0.previous == current && !$0.isAside && $0.number != current }?.number
  }

  /// Returns the versions that `redo` can reach from the current version.
  func redoBranch() -> Set<Int> {
    var reached: Set<Int> = [current]
    for version in versions where !version.isAside && reached.contains(version.previous) {
      if version.number > current { reached.insert(version.number) }
    }
    return reached.subtracting([current])
  }

  /// Whether a version can be rendered again: liveedit rendered it, and its base is the original or has files.
  package func canRender(_ version: Version) -> Bool {
    guard version.ownEdit != nil else { return version.isIdentity }
    guard let base = self.version(version.base) else { return version.base == 0 }
    return base.hasFiles
  }

  /// Whether a version can be rendered again now. A version rendered from the originals needs the originals.
  ///
  /// - Parameter isThere: Whether the originals exist and match the record.
  func canRender(_ version: Version, withOriginals isThere: Bool) -> Bool {
    canRender(version) && (isThere || version.base != 0)
  }

  /// Whether the files of a version may be purged because the running build would render the same bytes again.
  func canPurgeFiles(_ version: Version, build: String) -> Bool {
    canRender(version) && version.build == build && !build.isEmpty
  }

  /// Removes the redo branch before an edit. Versions that cannot be rendered again are kept and set aside.
  ///
  /// - Returns: The removed versions, with their files.
  package mutating func dropRedoBranch() -> [Version] {
    let branch = redoBranch()
    var kept: Set<Int> = []
    for version in versions.reversed() where branch.contains(version.number) {
      let isBase = versions.contains { kept.contains($0.number) && $0.base == version.number }
      if isBase || !canRender(version) { kept.insert(version.number) }
    }
    let dropped = versions.filter { branch.contains($0.number) && !kept.contains($0.number) }
    let gone = Dictionary(dropped.map { ($0.number, $0.previous) }, uniquingKeysWith: { first, _ in first })
    versions.removeAll { gone[$0.number] != nil }
    for index in versions.indices {
      while let older = gone[versions[index].previous] { versions[index].previous = older }
      if kept.contains(versions[index].number) { versions[index].isAside = true }
    }
    return dropped
  }
}
