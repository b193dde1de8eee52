import Basics
import FileSystem

/// An asset as the catalogue records it: its originals, its versions, and the number of the current one.
///
/// The versions are a line with a pointer. Where a version's files are follows from the pointer: those of
/// `shown` stand beside the originals, all others in the versions' folder.
package struct AssetRecord: Hashable, Sendable {
  /// The stem that names the asset in its folder.
  package var stem: String
  /// The original photo and movie, as far as there are.
  package var originals: [VersionFile]
  /// All versions by number, ascending; the original is not among them.
  package var versions: [Version]
  /// The number of the current version; 0 is the original.
  package var current: Int
  /// The version whose files have the renders' places as long as those of ``shown`` stand only beside originals that are
  /// not written to; nil otherwise, and so in every record that is kept.
  var displaced: Int?

  /// A version by its number; nil for the original and for numbers that do not exist.
  package func version(_ number: Int) -> Version? {
    var (low, high) = (0, versions.count)
    while low < high {
      let middle = (low + high) / 2
      if versions[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < versions.count && versions[low].number == number ? versions[low] : nil
  }

  /// Changes the version of a number, if there is one.
  mutating func update(_ number: Int, _ change: (inout Version) -> Void) {
    if let index = versions.firstIndex(where: { $0.number == number }) { change(&versions[index]) }
  }

  /// The current version; nil for the original.
  package var currentVersion: Version? { version(current) }

  /// The current version by its content: another text means that another version is current, even under the same
  /// number.
  package var position: String {
    get throws(EditError) {
      guard let version = currentVersion else { return "0" }
      var bytes = Array("\(version.previous) \(version.base) ".utf8)
      if let data = version.adjustment { bytes += Array(data.formatIdentifier.utf8) + data.data }
      bytes += version.files.flatMap { Array($0.fingerprint.sha256.utf8) }
      return "\(current) " + Digest.hexadecimal(Array(try Digest.of(bytes, .sha256).prefix(8)))
    }
  }

  /// The number for the next version.
  ///
  /// - Throws: ``Basics/EditError`` when there are no more numbers.
  var nextNumber: Int {
    get throws(EditError) {
      let number = (versions.last?.number ?? 0) + 1
      guard versions.count < ReadingLimit.versions.value else {
        throw EditError(
          .unsupported, file: stem, "has \(versions.count) versions, and gets no more",
          remedy: "run liveedit forget on it to begin anew")
      }
      guard Version.numbers.contains(number) else {
        throw EditError(
          .damagedLibrary, file: stem, "has no more numbers for versions",
          remedy: "run liveedit forget on it to begin anew")
      }
      return number
    }
  }

  /// True if the record can be one that liveedit wrote: everything that comes from a catalogue or a `version.json` is
  /// looked at here before it is used. Its names are names and no paths, its versions are in order, and each of them
  /// comes after the ones that it builds on.
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

  /// More versions than anybody makes of one asset, and than it can be allowed to get.
  static let mostVersions = ReadingLimit.versions.range.upperBound

  private static func isSound(_ files: [VersionFile]) -> Bool {
    Set(files.map(\.role)).count == files.count
      && files.allSatisfy { FileName.isPlain($0.name) && $0.fingerprint.size >= 0 }
  }

  /// True if a file with the name of a render is one of any version, as it was recorded.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - folder: its folder.
  ///   - isOriginal: true beside originals that are not written to, where it may be a link as they may.
  func hasVersion(
    at name: String, in folder: HeldFolder, isOriginal: Bool = false
  ) throws(EditError) -> Bool {
    let prints = versions.flatMap(\.files).filter { $0.name == name }.map(\.fingerprint)
    return try Fingerprint.isOne(of: prints, name, in: folder, isOriginal: isOriginal)
  }

  /// The version whose files stand for a version: its own, or its base's when it changes nothing.
  package func holder(of number: Int) -> Int {
    var number = number
    // Each base is older than its version, so this ends.
    while let version = version(number), version.isIdentity, version.base < number { number = version.base }
    return number
  }

  /// The version whose files are seen: those beside the originals, or in their place in the home; 0 when none are.
  package var shown: Int { holder(of: current) }

  /// The version whose photo and movie are seen: adjustment data alone shows the original.
  package var pictured: Int { version(shown)?.hasRender == true ? shown : 0 }

  /// The version whose files have the renders' places in the home: ``shown``, unless its files are still elsewhere.
  package var placed: Int { displaced ?? shown }

  /// The version that `revert` goes to from the current one; nil at the original.
  package var previous: Int? { currentVersion?.previous }

  /// The version that `redo` goes to; nil at the end of the line.
  package var next: Int? {
    versions.last { $0.previous == current && !$0.isAside && $0.number != current }?.number
  }

  /// The versions that `redo` could reach from here.
  func redoBranch() -> Set<Int> {
    var reached: Set<Int> = [current]
    for version in versions where !version.isAside && reached.contains(version.previous) {
      if version.number > current { reached.insert(version.number) }
    }
    return reached.subtracting([current])
  }

  /// True if a version can be rendered again: liveedit rendered it, and its base is the original or has files.
  package func canRender(_ version: Version) -> Bool {
    guard version.ownEdit != nil else { return version.isIdentity }
    guard let base = self.version(version.base) else { return version.base == 0 }
    return base.hasFiles
  }

  /// True if a version can be rendered again as things are: what is made of the originals needs them.
  ///
  /// - Parameter isThere: whether the originals are there as they were recorded.
  func canRender(_ version: Version, withOriginals isThere: Bool) -> Bool {
    canRender(version) && (isThere || version.base != 0)
  }

  /// True if the files of a version may be purged: the running build would render the same bytes again.
  func canPurgeFiles(_ version: Version, build: String) -> Bool {
    canRender(version) && version.build == build && !build.isEmpty
  }

  /// Takes the redo branch away before an edit; what cannot be rendered again stays, aside.
  ///
  /// - Returns: the versions that went, with their files.
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
