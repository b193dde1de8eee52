import EditModel

/// Merges two histories of one asset: either the catalogue's history and the version descriptions, or the histories
/// from two computers. All versions of both histories are kept.
struct HistoryMerge {
  /// The merged record of the asset, with all versions.
  private(set) var record: AssetRecord
  /// The first number that refers to two different versions, or nil if the histories do not conflict.
  private(set) var fork: Int?
  /// The new numbers of the older history's conflicting versions, by their old numbers.
  private(set) var renumbered: [Int: Int] = [:]

  /// The properties that determine whether two versions are the same. Rendering a version again changes none of them.
  private struct Key: Hashable {
    let origin: Version.Origin
    let adjustment: AdjustmentData?
    let editor: String
    let time: Int
    let batch: String?
    let halves: [String]

    init(_ version: Version) {
      origin = version.origin
      adjustment = version.adjustment
      editor = version.editor
      time = version.time
      batch = version.batch
      halves =
        version.ownEdit == nil
        ? version.files.filter { $0.role.isHalf }.map(\.fingerprint.sha256).sorted() : []
    }
  }

  /// Whether two versions are the same, regardless of their numbers.
  static func areSame(_ one: Version, _ other: Version) -> Bool { Key(one) == Key(other) }

  /// Returns the versions of a history that another history does not contain under any number.
  static func unknown(_ versions: [Version], to record: AssetRecord) -> [Version] {
    let known = Set(record.versions.map(Key.init))
    return versions.filter { !known.contains(Key($0)) }
  }

  /// Merges two histories of one asset.
  ///
  /// The histories diverge at the first number that refers to two different versions. From there on, the history whose
  /// last version is newer keeps its numbers. The other versions get new numbers at the end, and are set aside.
  ///
  /// - Parameters:
  ///   - ours: The first history. Its current version stays current unless the second history is newer.
  ///   - theirs: The second history.
  ///   - prefersTheirs: Whether the second history counts as newer if the times are equal.
  init(_ ours: AssetRecord, _ theirs: AssetRecord, prefersTheirs: Bool) {
    record = prefersTheirs ? theirs : ours
    record.current = ours.current
    let other = prefersTheirs ? ours : theirs
    let fork = ours.versions.first { version in
      theirs.version(version.number).map { !Self.areSame($0, version) } ?? false
    }?.number
    self.fork = fork
    guard let fork else {
      record.versions += other.versions.filter { record.version($0.number) == nil }
      record.versions.sort { $0.number < $1.number }
      record.passOverMissing()
      return
    }
    func last(_ history: AssetRecord) -> Int {
      history.versions.filter { $0.number >= fork }.map(\.time).max() ?? 0
    }
    let isTheirsNewer = (last(theirs), prefersTheirs ? 1 : 0) > (last(ours), 0)
    let (newer, older) = isTheirsNewer ? (theirs, ours) : (ours, theirs)
    let shared =
      record.versions.filter { $0.number < fork }
      + other.versions.filter { one in
        one.number < fork && record.version(one.number) == nil
      }
    record.originals = newer.originals
    record.versions = (shared + newer.versions.filter { $0.number >= fork }).sorted { $0.number < $1.number }
    if isTheirsNewer { record.current = theirs.current }
    add(older.versions.filter { $0.number >= fork }, from: fork)
    record.passOverMissing()
  }

  /// Adds the versions of the older history.
  private mutating func add(_ versions: [Version], from fork: Int) {
    let known = Dictionary(
      record.versions.filter { $0.number >= fork }.map { (Key($0), $0.number) }, uniquingKeysWith: { $1 })
    var next = max(record.versions.last?.number ?? 0, versions.last?.number ?? 0)
    var numbers: [Int: Int] = [:]
    for version in versions {
      if let number = known[Key(version)] {
        // The version was merged before, on this computer or on the other computer.
        numbers[version.number] = number
        continue
      }
      next += 1
      numbers[version.number] = next
      renumbered[version.number] = next
      var moved = version
      moved.number = next
      moved.previous = numbers[version.previous] ?? version.previous
      moved.base = numbers[version.base] ?? version.base
      moved.isAside = true
      record.versions.append(moved)
    }
  }
}

extension AssetRecord {
  /// Makes each version follow a version that exists.
  mutating func passOverMissing() {
    let present = [0] + versions.map(\.number)
    for index in versions.indices {
      let version = versions[index]
      versions[index].previous = present.last { $0 <= version.previous && $0 < version.number } ?? 0
    }
  }
}
