package import Basics
package import EditModel
import FileSystem
import LivePhotoFormat

/// A change to one asset that a commit makes durable: a new version, or a switch to another version.
package struct AssetCommit: Sendable {
  /// The asset as it was found.
  let before: AssetState
  /// The asset as it will be recorded.
  package internal(set) var after: AssetRecord
  /// The version files in the work folder with their paths, keyed by version number.
  var made: [Int: [(place: String, file: VersionFile)]] = [:]
  /// The versions that are removed from the history.
  var dropped: [Version] = []
  /// The versions whose files are purged.
  var purged: Set<Int> = []

  /// Marks a version's files to be purged.
  mutating func purge(_ number: Int) {
    after.update(number) { $0.hasFiles = false }
    purged.insert(number)
  }

  /// The current version after the commit, or nil for the original.
  package var version: Version? { after.currentVersion }
  /// The SHA-256 of a file of the new version, as 64 lower-case hexadecimal digits.
  package func hash(of role: FileRole) -> String? { version?.file(role)?.fingerprint.sha256 }
  /// The names of the version's files beside the originals after the commit, in the order of their roles.
  package var shownNames: [String] { after.version(after.shown)?.files.map(\.name) ?? [] }
  /// The names of files that were beside the originals before the commit and no longer are afterwards.
  package var removedNames: [String] {
    let kept = Set(shownNames)
    let shown = before.record.version(before.record.placed)
    let old = shown?.hasFiles == true ? shown?.files.map(\.name) ?? [] : []
    return old.filter { !kept.contains($0) }
  }

  /// Whether rendering a version again produced different bytes.
  package var hasOtherBytes: Bool {
    made.contains { number, files in
      let old = before.record.version(number)?.files ?? []
      return !old.isEmpty && old.map(\.fingerprint.sha256) != files.map(\.file.fingerprint.sha256)
    }
  }

  /// Returns the file moves of the commit, in order. For each role, the old file is moved away before the new file gets
  /// its name.
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

  /// Checks that nothing has changed since the asset was read: its originals, the files beside them, and the files from
  /// which the new version was made.
  func checkUnchanged(in library: Library) throws(EditError) {
    let record = before.record
    try record.checkOriginals(in: library.originalsFolder)
    var files = before.strays.map { (file: $0.file, folder: library.home, place: $0.file.name) }
    for number in Set([record.shown, record.placed, version?.base ?? 0]) {
      for file in record.version(number)?.files ?? [] where record.version(number)?.hasFiles == true {
        let (folder, place) = library.location(of: file, version: number, in: record)
        // A file that is missing among the renders was already missing when the asset was read.
        if number == record.placed, !before.edited.contains(file.name) { continue }
        files.append((file, folder, place))
      }
    }
    for (file, folder, place) in files {
      let isOriginal = folder !== library.home
      guard try file.fingerprint.matches(place, in: folder, isOriginal: isOriginal) else {
        throw EditError(
          .conflict, file: folder.path(place), "was changed by another program during the edit",
          remedy: "edit the file again when no other program writes to it")
      }
    }
  }
}

extension Library {
  /// Returns the commit that adds a new version to an asset.
  ///
  /// - Parameters:
  ///   - state: The asset as it was found.
  ///   - base: The version to which the edit is applied.
  ///   - adjustment: The edit and its settings.
  ///   - outputs: The rendered halves in the work folder; empty if the edit changes nothing.
  ///   - origin: `rendered` if liveedit can make the same files again, `foreign` if only the program that made the edit
  ///     can make them, or `adopted` if only that program can make the photo.
  ///   - build: The build that rendered the halves, see ``RenderResult/build``; empty for files of another program. The
  ///     files of an earlier version are purged only if this build would render the same bytes again, or if those files
  ///     belong to only one half.
  ///   - batch: The identifier of the batch that the edit belongs to.
  ///   - withSidecar: Whether the render gets an XMP sidecar. Another program's sidecar of the same name becomes a
  ///     version that is set aside.
  package func addingVersion(
    to state: AssetState, base: Int, adjustment: AdjustmentData, outputs: [FileRole: String],
    origin: Version.Origin = .rendered, build: String, batch: String? = nil, withSidecar: Bool = false
  ) throws(EditError) -> AssetCommit {
    var state = state
    let time = HostSystem.now
    // For another program's edit, only the format identifies the program.
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

  /// Returns the commit that records both halves of an asset as its originals after one half was edited alone. The
  /// commit adds no new version.
  ///
  /// - Parameter state: The asset, see ``joinedState(of:dataEnds:)``.
  package func joining(_ state: AssetState) -> AssetCommit {
    var commit = AssetCommit(before: state, after: state.record)
    purgeHalves(&commit)
    return commit
  }

  /// Purges the files of versions that contain one half alone, because the versions can be rendered again from both
  /// halves.
  private func purgeHalves(_ commit: inout AssetCommit) {
    for version in commit.after.versions
    where version.number != commit.after.current && version.ownEdit != nil {
      commit.purge(version.number)
      // No build renders the same bytes now that both halves are rendered.
      commit.after.update(version.number) { $0.build = "" }
    }
  }

  /// Returns the commit that makes another version current.
  ///
  /// - Parameters:
  ///   - state: The asset as it was found.
  ///   - number: The number of the version; 0 is the original.
  ///   - outputs: The version's halves, rendered again because its files had been purged.
  ///   - build: The build that rendered the halves.
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
    // If some files of a version are missing, its other files are not kept.
    if let left = state.record.version(state.record.placed), left.number != shown, left.hasFiles,
      commit.after.canRender(left), !left.files.allSatisfy({ state.edited.contains($0.name) })
    {
      commit.purge(left.number)
    }
    return commit
  }

  /// Checks that the files of a version match the record, wherever they are stored.
  package func checkFiles(of number: Int, in record: AssetRecord) throws(EditError) {
    guard let version = record.version(number), number != record.shown, number != record.placed,
      let place = try firstChange(of: version, in: record)
    else { return }
    throw EditError(
      .damagedLibrary, file: path(place), "has changed since it was recorded",
      remedy: "run liveedit check --repair on the folder")
  }

  /// Returns the path of a version's first file that is missing or does not match the record, or nil if all files
  /// match.
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

  /// Purges the files of versions before the previous version if the same bytes can be rendered again.
  private func purgeFiles(_ commit: inout AssetCommit, build: String) {
    let record = commit.after
    let kept = [record.current, record.previous ?? 0].map { record.holder(of: $0) }
    for version in record.versions where version.hasFiles && !kept.contains(version.number) {
      let isBase = record.versions.contains { $0.base == version.number }
      if !isBase, record.canPurgeFiles(version, build: build) { commit.purge(version.number) }
    }
  }

  /// Gives rendered halves the permissions of their originals, hashes them, and adds the adjustment data and the
  /// sidecar.
  ///
  /// - Parameter time: The time at which the version is or was recorded. A version that is rendered again needs the
  ///   same time to get the same bytes.
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

  /// Makes all changes durable, or none of them. One transaction records the versions, the favourite and hidden flags,
  /// and the file moves. The files are moved afterwards.
  ///
  /// - Parameters:
  ///   - commits: The changes to versions.
  ///   - marks: The changes to favourite and hidden flags, by the assets' stems.
  /// - Throws: ``EditError``. If the error occurs after the transaction (``EditError/Code/unfinished``), the moves are
  ///   finished when the library is next opened.
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

  /// Makes changes to versions durable together with any changes to favourites, hidden assets and albums.
  ///
  /// - Parameter change: A function that makes the change in the transaction, and returns false if it changed nothing.
  func commit(
    _ commits: [AssetCommit], changing change: (Database) throws -> Bool
  ) throws(EditError) {
    var moves: [FileMove] = []
    var commits = commits
    // The digests are added before the originals are compared with the record, so that they describe the recorded
    // originals.
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
    // From here on, the files in the work folder belong to the commit, even if it fails.
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
      // An outdated catalogue must not overwrite the file with the favourites, hidden assets and albums.
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
        "\(error.problem) (the change is recorded; the next liveedit command that reads this folder will finish it)"
      throw error
    }
  }

  /// Writes the descriptions of the new and changed versions of a commit.
  private func describe(_ commit: AssetCommit) throws(EditError) -> [(place: String, number: Int)] {
    let known = try record(of: commit.after.stem)
    // The generation of the next transaction.
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
