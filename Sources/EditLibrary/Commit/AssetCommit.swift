package import Basics
package import EditModel
import FileSystem
import LivePhotoFormat

/// The change of one asset that a commit makes durable: a new version, or another current one.
package struct AssetCommit: Sendable {
  /// The asset as it was found.
  let before: AssetState
  /// The asset as it shall be.
  package internal(set) var after: AssetRecord
  /// The files of versions that lie in the work folder, with their places.
  var made: [Int: [(place: String, file: VersionFile)]] = [:]
  /// Versions that leave the history.
  var dropped: [Version] = []
  /// Versions that give up their files.
  var purged: Set<Int> = []

  /// Has a version give up its files.
  mutating func purge(_ number: Int) {
    after.update(number) { $0.hasFiles = false }
    purged.insert(number)
  }

  /// The version that is current afterwards; nil for the original.
  package var version: Version? { after.currentVersion }
  /// The SHA-256 of a file of the new version, as 64 lower-case hexadecimal digits.
  package func hash(of role: FileRole) -> String? { version?.file(role)?.fingerprint.sha256 }
  /// The names that stand beside the originals afterwards, in the order of their roles.
  package var shownNames: [String] { after.version(after.shown)?.files.map(\.name) ?? [] }
  /// The names that stood beside the originals before and do not afterwards.
  package var removedNames: [String] {
    let kept = Set(shownNames)
    let shown = before.record.version(before.record.placed)
    let old = shown?.hasFiles == true ? shown?.files.map(\.name) ?? [] : []
    return old.filter { !kept.contains($0) }
  }

  /// True if a version that was rendered again came out with other bytes.
  package var hasOtherBytes: Bool {
    made.contains { number, files in
      let old = before.record.version(number)?.files ?? []
      return !old.isEmpty && old.map(\.fingerprint.sha256) != files.map(\.file.fingerprint.sha256)
    }
  }

  /// The moves of the commit, in order: for each role the old file away, and the new one to its name.
  func moves(descriptions: [(place: String, number: Int)]) -> [FileMove] {
    let stem = after.stem
    var moves: [FileMove] = []
    func move(_ source: String, _ target: String?) {
      moves.append(FileMove(stem: stem, source: source, target: target))
    }
    func place(_ file: VersionFile, _ number: Int) -> String {
      LibraryPaths.version(number, of: stem) + "/" + file.name
    }
    for (file, number) in before.strays { move(file.name, place(file, number)) }
    for (number, files) in made.sorted(by: { $0.key < $1.key }) where number != after.shown {
      for (made, file) in files { move(made, place(file, number)) }
    }
    let placed = before.record.placed
    let leaving = placed == after.shown ? nil : before.record.version(placed)
    let arriving = placed == after.shown ? nil : after.version(after.shown)
    let isLeaverGone = leaving.map { old in
      purged.contains(old.number) || dropped.contains { $0.number == old.number }
    }
    for role in FileRole.allCases {
      if let leaving, let file = leaving.file(role), before.edited.contains(file.name) {
        move(file.name, isLeaverGone == true ? nil : place(file, leaving.number))
      }
      if let arriving, let file = arriving.file(role) {
        let made = made[arriving.number]?.first { $0.file.role == role }
        move(made?.place ?? place(file, arriving.number), file.name)
      }
    }
    for (place, number) in descriptions {
      let target = LibraryPaths.description(number, of: stem)
      if before.record.version(number) != nil { move(target, nil) }
      move(place, target)
    }
    for version in before.record.versions where version.number != leaving?.number && version.hasFiles {
      let isDropped = dropped.contains { $0.number == version.number }
      guard isDropped || purged.contains(version.number) else { continue }
      for file in version.files { move(place(file, version.number), nil) }
    }
    for version in dropped { move(LibraryPaths.description(version.number, of: stem), nil) }
    return moves
  }

  /// Makes sure that nothing changed since the asset was looked at: its originals, the files beside them, and those
  /// that the new version was made of.
  func checkUnchanged(in library: Library) throws(EditError) {
    let record = before.record
    try record.checkOriginals(in: library.originalsFolder)
    var files = before.strays.map { (file: $0.file, folder: library.home, place: $0.file.name) }
    for number in Set([record.shown, record.placed, version?.base ?? 0]) {
      for file in record.version(number)?.files ?? [] where record.version(number)?.hasFiles == true {
        let (folder, place) = library.location(of: file, version: number, in: record)
        // What is missing among the renders was found to be missing.
        if number == record.placed, !before.edited.contains(file.name) { continue }
        files.append((file, folder, place))
      }
    }
    for (file, folder, place) in files {
      let isOriginal = folder !== library.home
      guard try file.fingerprint.matches(place, in: folder, isOriginal: isOriginal) else {
        throw EditError(
          .conflict, file: folder.path(place), "was changed by another program while the asset was edited",
          remedy: "edit it again once nothing else writes to it")
      }
    }
  }
}

extension Library {
  /// The commit that gives an asset a new version.
  ///
  /// - Parameters:
  ///   - state: the asset as it was found.
  ///   - base: the version that the edit is applied to.
  ///   - adjustment: the edit and its settings.
  ///   - outputs: the rendered halves in the work folder; none when the edit changes nothing.
  ///   - origin: `rendered` where liveedit can make the same files again, `foreign` where only the program that
  ///     made the edit can, `adopted` where that is true of the photo.
  ///   - build: what rendered them, see ``RenderResult/build``; earlier versions give up their files only if it would
  ///     render them again to the byte, or where they are of one half alone. Empty for files of another program.
  ///   - batch: the identifier of the batch that the edit belongs to.
  ///   - withSidecar: whether the render gets an XMP sidecar. Another program's in its place becomes a version aside.
  package func addingVersion(
    to state: AssetState, base: Int, adjustment: AdjustmentData, outputs: [FileRole: String],
    origin: Version.Origin = .rendered, build: String, batch: String? = nil, withSidecar: Bool = false
  ) throws(EditError) -> AssetCommit {
    var state = state
    let time = HostSystem.now
    // Of another program's edit only the format names the program.
    let editor = origin == .foreign ? adjustment.formatIdentifier : AdjustmentFile.ownEditor
    let made = try finish(
      outputs, of: state.record, adjustment: adjustment, editor: editor, time: time, withSidecar: withSidecar)
    for (_, file) in made where file.role == .sidecar { try makeWay(for: file.name, in: &state) }
    var commit = AssetCommit(before: state, after: state.record)
    let number = try state.record.nextNumber
    commit.dropped = commit.after.dropRedoBranch()
    commit.made[number] = made
    commit.after.versions.append(
      Version(
        number: number, previous: state.record.current, base: base, origin: origin, adjustment: adjustment,
        editor: editor, time: time, build: build,
        files: made.map(\.file), hasFiles: !made.isEmpty, isAside: false,
        batch: batch))
    commit.after.current = number
    purgeFiles(&commit, build: build)
    if state.isJoined { purgeHalves(&commit) }
    return commit
  }

  /// The commit that records both halves of an asset as its originals, of which one was edited alone, and no new version.
  ///
  /// - Parameter state: the asset, see ``joinedState(of:dataEnds:)``.
  package func joining(_ state: AssetState) -> AssetCommit {
    var commit = AssetCommit(before: state, after: state.record)
    purgeHalves(&commit)
    return commit
  }

  /// Has the versions of one half alone give up their files, which can be rendered of both.
  private func purgeHalves(_ commit: inout AssetCommit) {
    for version in commit.after.versions
    where version.number != commit.after.current && version.ownEdit != nil {
      commit.purge(version.number)
      // No build renders the same bytes of both halves.
      commit.after.update(version.number) { $0.build = "" }
    }
  }

  /// The commit that makes another version current.
  ///
  /// - Parameters:
  ///   - state: the asset as it was found.
  ///   - number: the version; 0 is the original.
  ///   - outputs: its halves rendered again, when it had given them up.
  ///   - build: what rendered them.
  package func movingPointer(
    of state: AssetState, to number: Int, outputs: [FileRole: String] = [:], build: String = ""
  ) throws(EditError) -> AssetCommit {
    var state = state
    var moved = state.record
    moved.current = number
    if let file = moved.version(moved.shown)?.file(.sidecar) { try makeWay(for: file.name, in: &state) }
    var commit = AssetCommit(before: state, after: state.record)
    commit.after.current = number
    let shown = commit.after.shown
    if !outputs.isEmpty, let version = commit.after.version(shown), let adjustment = version.adjustment {
      let made = try finish(
        outputs, of: state.record, adjustment: adjustment, time: version.time,
        withSidecar: version.file(.sidecar) != nil)
      commit.made[shown] = made
      commit.after.update(shown) { version in
        version.files = made.map(\.file)
        version.hasFiles = true
        version.build = build
      }
    }
    // A version of which something is missing cannot keep the rest.
    if let left = state.record.version(state.record.placed), left.number != shown, left.hasFiles,
      commit.after.canRender(left), !left.files.allSatisfy({ state.edited.contains($0.name) })
    {
      commit.purge(left.number)
    }
    return commit
  }

  /// Makes sure that the files of a version are as they were recorded, wherever they are.
  package func checkFiles(of number: Int, in record: AssetRecord) throws(EditError) {
    guard let version = record.version(number), number != record.shown, number != record.placed,
      let place = try firstChange(of: version, in: record)
    else { return }
    throw EditError(
      .damagedLibrary, file: path(place), "is not as it was recorded",
      remedy: "run liveedit check --repair on the folder")
  }

  /// The place of the first file of a version that is missing or not as it was recorded; nil when there is none.
  func firstChange(
    of version: Version, in record: AssetRecord, alwaysHashing: Bool = false
  ) throws(EditError) -> String? {
    for file in version.files {
      let place = Self.place(of: file, version: version.number, in: record)
      let isSame = try whileReading(path(place)) {
        try home.exists(place) && file.fingerprint.matches(place, in: home, alwaysHashing: alwaysHashing)
      }
      if !isSame { return place }
    }
    return nil
  }

  /// Versions before the previous one give up their files when the same bytes can be rendered again.
  private func purgeFiles(_ commit: inout AssetCommit, build: String) {
    let record = commit.after
    let kept = [record.current, record.previous ?? 0].map { record.holder(of: $0) }
    for version in record.versions where version.hasFiles && !kept.contains(version.number) {
      let isBase = record.versions.contains { $0.base == version.number }
      if !isBase, record.canPurgeFiles(version, build: build) { commit.purge(version.number) }
    }
  }

  /// Gives rendered halves their originals' permissions, hashes them, and adds the adjustment data and the sidecar.
  ///
  /// - Parameter time: the time at which the version is or was recorded, so that a version rendered again has the same bytes.
  private func finish(
    _ outputs: [FileRole: String], of record: AssetRecord, adjustment: AdjustmentData,
    editor: String = AdjustmentFile.ownEditor, time: Int, withSidecar: Bool
  ) throws(EditError) -> [(place: String, file: VersionFile)] {
    guard !outputs.isEmpty else { return [] }
    var made: [(place: String, file: VersionFile)] = []
    var hashes = AdjustmentFile.Rendered()
    for original in record.originals {
      guard let output = outputs[original.role] else { continue }
      let place = LibraryPaths.work + "/" + FilePath.split(output).name
      try whileWriting(path(place)) {
        try home.setPermissions(
          originalsFolder.status(original.name, followingLinks: true).permissions, of: place)
        try home.sync(place)
      }
      let print = try Fingerprint(of: place, in: home)
      let kind =
        original.role == .photo
        ? try RenderNames.otherKind(thanOriginal: originalPath(original.name), RenderNames.kind(of: output))
        : nil
      if original.role == .photo { hashes.photo = print.sha256 } else { hashes.movie = print.sha256 }
      made.append(
        (
          place,
          VersionFile(
            role: original.role,
            name: RenderNames.render(of: original.name, ofAsset: record.stem, as: kind), fingerprint: print)
        ))
    }
    let place = try workName("adjustments")
    let data = AdjustmentFile(adjustment: adjustment, editor: editor, rendered: hashes, time: time)
    try create(place, data.bytes)
    let file = VersionFile(
      role: .adjustments, name: RenderNames.adjustments(of: record.stem),
      fingerprint: try Fingerprint(of: place, in: home))
    let halves = made
    made.append((place, file))
    if withSidecar, let (half, render) = halves.min(by: { $0.file.role.order < $1.file.role.order }) {
      let facts = try whileReading(path(half)) {
        try SidecarFacts(saidBy: home.source(half), isPhoto: render.role == .photo)
      }
      let place = try workName("sidecar")
      try create(place, facts.bytes)
      made.append(
        (
          place,
          VersionFile(
            role: .sidecar, name: RenderNames.sidecar(of: render.name),
            fingerprint: try Fingerprint(of: place, in: home))
        ))
    }
    return made
  }

  func create(_ place: String, _ bytes: [UInt8]) throws(EditError) {
    try whileWriting(path(place)) { try home.create(place, bytes: bytes) }
  }

  /// Makes changes durable, all or none: one transaction records the versions, the marks and the moves, then come the
  /// moves.
  ///
  /// - Parameters:
  ///   - commits: the changes of versions.
  ///   - marks: the changes of marks, by the assets' stems.
  /// - Throws: ``EditError``; when it comes after the transaction (``EditError/Code/unfinished``), the next opening
  ///   finishes the moves.
  package func commit(_ commits: [AssetCommit], marks: [String: MarkChange] = [:]) throws(EditError) {
    guard !commits.isEmpty || !marks.isEmpty else { return }
    try commit(commits) { database in
      var isMarked = false
      for (stem, change) in marks where try !Self.mark([stem], change, in: database).isEmpty {
        isMarked = true
      }
      return isMarked
    }
  }

  /// The same with any change of marks and albums.
  ///
  /// - Parameter change: makes the change within the transaction; false when there was none.
  func commit(
    _ commits: [AssetCommit], changing change: (Database) throws -> Bool
  ) throws(EditError) {
    var moves: [FileMove] = []
    var commits = commits
    // Before the originals are compared with what was recorded: then the digests are those of what was recorded.
    for index in commits.indices {
      commits[index].after.originals = addingMedia(commits[index].after.originals)
    }
    for index in commits.indices {
      try checkNames(of: commits[index].after)
      try commits[index].checkUnchanged(in: self)
      try copyFromBesideOriginals(&commits[index])
      moves += commits[index].moves(descriptions: try describe(commits[index]))
    }
    let made = try prepare(moves, of: commits.map(\.after))
    var isRecorded = false
    defer { if !isRecorded { for place in made.reversed() { try? home.removeFolder(place) } } }
    let catalogue = try catalogueForWriting()
    // From here on the files in the making belong to the commit, whatever fails.
    isTidy = false
    var hasChanged = !commits.isEmpty
    try catalogue.record(commits.map(\.after), moves: moves) { database in
      guard try change(database) else { return [] }
      hasChanged = true
      let old = LibraryPaths.collections
      guard try !home.exists(old) || home.status(old).kind == .regular else {
        throw EditError.inTheWay(path(old))
      }
      let move = FileMove(
        stem: "", source: try workName("collections"), target: old)
      let generation = try catalogue.generation()
      // A catalogue that lacks marks must not write over them.
      guard try Collections.generation(in: home) <= generation else {
        throw CheckFinding.stale(path(LibraryPaths.catalogue))
      }
      try create(move.source, catalogue.collections().bytes(for: home, generation: generation + 1))
      try home.syncFolder(LibraryPaths.work)
      moves.append(move)
      return [move]
    }
    isRecorded = true
    guard hasChanged else {
      isTidy = true
      return
    }
    try syncCatalogue()
    do throws(EditError) {
      if let failure = try finish(moves).values.first { throw failure }
      isTidy = true
    } catch {
      var error = error
      error.code = .unfinished
      error.problem =
        "\(error.problem) (the change is recorded, and the next liveedit that looks here finishes it)"
      throw error
    }
  }

  /// Writes what describes the versions of a commit that are new or changed.
  private func describe(_ commit: AssetCommit) throws(EditError) -> [(place: String, number: Int)] {
    let known = try record(of: commit.after.stem)
    // That of the transaction which comes next.
    let generation = try (catalogue?.generation() ?? 0) + 1
    var descriptions: [(place: String, number: Int)] = []
    let isSameOriginal =
      known?.originals.map(\.fingerprint.sha256) == commit.after.originals.map(\.fingerprint.sha256)
    for version in commit.after.versions {
      if isSameOriginal, let old = known?.version(version.number), !VersionDescription.differ(old, version) {
        continue
      }
      let place = try workName("description")
      try create(place, VersionDescription(version, of: commit.after, generation: generation).bytes)
      descriptions.append((place, version.number))
    }
    return descriptions
  }
}
