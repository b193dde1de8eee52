package import Basics
import EditModel
import FileSystem
import LivePhotoFormat

/// An asset as it stands now: what is recorded, and what other programs did since.
package struct AssetState: Sendable {
  /// Its record, with the versions that were found beside the originals: the next commit records those.
  package internal(set) var record: AssetRecord
  /// Notes for people, one sentence each.
  package internal(set) var notes: [Message] = []
  /// Files beside the originals that belong to a version which is not shown.
  var strays: [(file: VersionFile, version: Int)] = []
  /// The names that were found, by role.
  var edited: EditedFiles
  /// The path of the folder of its renders.
  private let home: String
  /// True if anything differs from what the catalogue says.
  package internal(set) var isChanged = false
  /// True if its versions were made before all of it came, see ``Library/joinedState(of:dataEnds:)``: with the next new version
  /// they give up their files, which can be rendered again of all of it.
  package internal(set) var isJoined = false

  init(record: AssetRecord, edited: EditedFiles, home: String) {
    (self.record, self.edited, self.home) = (record, edited, home)
  }

  /// The path of a render or of adjustment data.
  package func renderPath(_ name: String) -> String { FilePath.joined(home, name) }
}

extension AssetRecord {
  /// Makes sure that the originals in a folder are what was recorded.
  package func checkOriginals(in path: String) throws(EditError) {
    try whileReading(FilePath.shown(path)) { try checkOriginals(in: HeldFolder(path: path)) }
  }

  func checkOriginals(in folder: HeldFolder) throws(EditError) {
    for file in originals {
      guard try file.fingerprint.matches(file.name, in: folder, isOriginal: true) else {
        throw EditError(
          .changedOriginal, file: folder.path(file.name),
          "was changed by another program while it was edited",
          remedy: "edit it again once nothing else writes to it")
      }
    }
  }
}

extension Library {
  /// Finds out how an asset stands: checks the originals, and takes in what other programs left beside them.
  ///
  /// - Parameters:
  ///   - asset: the originals, see ``AssetLocator``.
  ///   - isLeaving: whether the current version is about to be left, so that it need not be whole.
  ///   - hashesOriginals: false where nothing is recorded, and those of an asset without a record need no hash.
  ///   - present: what ``presentNames`` said a moment ago, for whoever looks at many assets.
  ///   - isReading: true where an asset can do without versions because another one has those of its name.
  /// - Throws: ``EditError`` when an original has changed, or when something stands in the way of which
  ///   nothing is known.
  package func state(
    of asset: OriginalFiles, isLeaving: Bool = false, hashesOriginals: Bool = true,
    present: Set<String>? = nil, isReading: Bool = false
  ) throws(EditError) -> AssetState {
    let known = try record(of: asset)
    let originals = asset.halves.map(\.name)
    if let other = try ownerOfVersions(besides: asset) {
      guard isReading else {
        throw EditError(
          .pairing, file: asset.path(originals.first ?? asset.stem),
          "has the name of \(other), and only one of the two can have versions under that name",
          remedy:
            "give one of them another name with liveedit move, or tie them with liveedit pair if they are a "
            + "photo and its movie")
      }
      return AssetState(
        record: try newRecord(of: asset, hashesOriginals), edited: EditedFiles(), home: home.path)
    }
    if known == nil, !isReading, let other = try ownerOfOtherCase(of: asset) {
      throw EditError(
        .pairing, file: asset.path(originals.first ?? asset.stem),
        "differs from \(other) in case alone, and the file system of the library cannot tell their versions apart",
        remedy: "give one of them another name")
    }
    let record = if let known { known } else { try newRecord(of: asset, hashesOriginals) }
    if known != nil, Set(originals) != Set(record.originals.map(\.name)) {
      let recorded = record.originals.map(\.name).joined(separator: " + ")
      throw EditError(
        .changedOriginal, file: asset.path(originals.first ?? asset.stem),
        "was recorded as \(recorded), and is \(originals.joined(separator: " + ")) now",
        remedy: "put the files back as they were, or run liveedit forget on it to begin anew")
    }
    return try state(
      of: record, isKnown: known != nil, edited: try editedFiles(of: record, present), isLeaving: isLeaving)
  }

  /// The same for an asset that was edited before all of it came: a half alone before the other half, or a file before it
  /// was copied completely. Its originals are all that is there now, and its edit stays.
  ///
  /// - Parameter ends: the ends of the data in originals that ended in zeros when they were edited, by their names.
  /// - Returns: nil for any other asset, and where another program made a version of it.
  package func joinedState(
    of asset: OriginalFiles, dataEnds ends: [String: Int] = [:]
  ) throws(EditError) -> AssetState? {
    guard var record = try record(of: asset.stem),
      Set(asset.halves.map(\.name)).isSuperset(of: record.originals.map(\.name))
    else { return nil }
    var grown: [VersionFile] = []
    for file in record.originals {
      let end = ends[file.name]
      if try file.fingerprint.isUnfinishedCopy(of: file.name, in: originalsFolder, dataEnd: end) {
        grown.append(file)
      }
    }
    guard !grown.isEmpty || asset.halves.count > record.originals.count else { return nil }
    func canRenderAll(_ record: AssetRecord) -> Bool {
      !record.versions.isEmpty && record.versions.allSatisfy { $0.base == 0 && record.canRender($0) }
    }
    guard canRenderAll(record) else { return nil }
    let recorded = record.originals.filter { !grown.contains($0) }
    record.originals = try newRecord(of: asset, true).originals.map { new in
      recorded.first { $0.name == new.name } ?? new
    }
    var state = try state(of: record, isLeaving: true)
    guard canRenderAll(state.record), unfinished[record.stem] == nil else { return nil }
    (state.isJoined, state.isChanged) = (true, true)
    for file in grown {
      state.notes.append("\(file.name) was edited before it was copied completely, and is edited again.")
    }
    return state
  }

  /// The same for an asset that is recorded, without looking at the rest of its folder.
  package func state(of record: AssetRecord, isLeaving: Bool = false) throws(EditError) -> AssetState {
    try state(of: record, isKnown: true, edited: try editedFiles(of: record), isLeaving: isLeaving)
  }

  /// The files in the home that have the names of an asset's renders and adjustment data.
  func editedFiles(of record: AssetRecord, _ present: Set<String>? = nil) throws(EditError) -> EditedFiles {
    let recorded = record.version(record.shown)?.files ?? []
    return try EditedFiles(
      originals: record.originals.map(\.name), ofAsset: record.stem, recorded: recorded, in: home,
      originalsIn: originalsFolder, present: present)
  }

  /// The names in the folder of renders, in lower case: see ``state(of:isLeaving:hashesOriginals:present:)``.
  package var presentNames: Set<String> {
    get throws(EditError) {
      try whileReading(home.path) { Set(try home.namesIfAny(in: "").map { $0.lowercased() }) }
    }
  }

  /// The original of another asset with the same stem, if the asset can't have versions because of it.
  func ownerOfVersions(besides asset: OriginalFiles) throws(EditError) -> String? {
    guard let other = asset.namesake, try record(of: asset) == nil else { return nil }
    if let name = asset.wholeName {
      // `clip.mp4` is also the stem of `clip.mp4.jpg`.
      return try FolderListing(folder: folder).hasHalves(stem: name) ? other.name : nil
    }
    if try record(of: asset.stem) != nil { return other.name }
    if case .first(let name) = other { return name }
    return nil
  }

  private func newRecord(of asset: OriginalFiles, _ hashes: Bool) throws(EditError) -> AssetRecord {
    let originals = try asset.halves.map { kind, name throws(EditError) in
      let print =
        try hashes
        ? fingerprint(of: FileRole(kind), name, in: originalsFolder, isOriginal: true)
        : Fingerprint(
          whileReading(originalPath(name)) { try originalsFolder.status(name, followingLinks: true) },
          sha256: "")
      return VersionFile(role: FileRole(kind), name: name, fingerprint: print)
    }
    return AssetRecord(stem: asset.stem, originals: originals, versions: [], current: 0)
  }

  private func state(
    of record: AssetRecord, isKnown: Bool, edited: EditedFiles, isLeaving: Bool
  ) throws(EditError) -> AssetState {
    var state = AssetState(record: record, edited: edited, home: home.path)
    state.isChanged = !isKnown
    if let error = unfinished[record.stem] {
      // What stands beside the originals is neither the old version nor the new one.
      guard !isOpenForWriting else { throw error }
      state.notes.append("Its last edit is not finished: \(error.problem).")
      return state
    }
    do throws(EditError) { try checkNotStale(record) } catch {
      guard !isOpenForWriting else { throw error }
      state.notes.append("\(error.problem).")
      return state
    }
    if isKnown { try checkOriginals(&state.record) }
    if let shown = record.version(record.shown), shown.hasFiles {
      try compare(&state, with: shown, isLeaving: isLeaving)
    } else if !edited.names.isEmpty {
      try recordForeignRender(edited, in: home, &state)
    }
    if !isBesideOriginals { try recordBesideOriginals(&state) }
    return state
  }

  private func checkOriginals(_ record: inout AssetRecord) throws(EditError) {
    for index in record.originals.indices {
      let path = originalPath(record.originals[index].name)
      let (name, print) = (record.originals[index].name, record.originals[index].fingerprint)
      guard let now = try print.verified(name, in: originalsFolder, isOriginal: true) else {
        throw EditError(
          .changedOriginal, file: path, "was changed by another program since liveedit recorded it",
          remedy:
            "put the original back, run liveedit check --accept on it if only its tags were changed, or run liveedit "
            + "forget on it to begin anew")
      }
      record.originals[index].fingerprint = now
    }
  }

  /// Compares the files beside the originals with the version that should stand there.
  private func compare(
    _ state: inout AssetState, with shown: Version, isLeaving: Bool
  ) throws(EditError) {
    var changed: [String] = []
    var missing: [VersionFile] = []
    let shown = try releasingSidecar(of: shown, &state)
    for file in shown.files {
      if !state.edited.contains(file.name) {
        missing.append(file)
      } else if try !file.fingerprint.matches(file.name, in: home) {
        changed.append(file.name)
      }
    }
    let recorded = Set(shown.files.map(\.name))
    let extra = state.edited.names.filter { !recorded.contains($0.name) }
    if missing.count == shown.files.count, extra.isEmpty {
      // Somebody took the version away: the original is current, and the version stays in the history.
      state.record.update(shown.number) { $0.hasFiles = false }
      try append(to: &state, origin: .changed, files: [])
      state.notes.append(
        "The last version's files were taken away by another program, which left the original.")
    } else if !changed.isEmpty || missing.contains(where: { one in extra.contains { $0.role == one.role } }) {
      try recordChangedRender(&state, lost: shown, changed: changed)
    } else if let file = missing.first, !isLeaving {
      throw EditError(
        .inTheWay, file: path(file.name), "is recorded as the current version, and is not there",
        remedy: "put it back, or run liveedit revert to leave this version")
    } else {
      try recordStrays(extra, in: &state)
    }
  }

  /// Leaves the sidecar of a render to another program that changed it or took it away: it says nothing of the render's
  /// bytes, and such programs write to what stands there.
  ///
  /// - Returns: the version as it is from now on.
  private func releasingSidecar(
    of shown: Version, _ state: inout AssetState
  ) throws(EditError) -> Version {
    guard let file = shown.file(.sidecar) else { return shown }
    if state.edited.contains(file.name), try file.fingerprint.matches(file.name, in: home) { return shown }
    state.record.update(shown.number) { $0.files.removeAll { $0.role == .sidecar } }
    state.edited.remove(file.name)
    state.isChanged = true
    return state.record.version(shown.number) ?? shown
  }

  /// Moves what another program left in the place of a sidecar to the versions' folder, with the next commit.
  func makeWay(for name: String, in state: inout AssetState) throws(EditError) {
    guard !state.edited.contains(name), try whileReading(path(name), { try home.exists(name) }) else {
      return
    }
    try recordStrays([(.sidecar, name)], in: &state)
  }

  /// Adds a version that another program made or changed; it is current from now on unless it is aside.
  ///
  /// - Parameter time: the time of its edit, in seconds since 1970; nil when it is not known.
  /// - Returns: its number.
  @discardableResult
  func append(
    to state: inout AssetState, origin: Version.Origin, adjustment: AdjustmentData? = nil,
    editor: String = "", time: Int? = nil, files: [VersionFile], isAside: Bool = false
  ) throws(EditError) -> Int {
    let number = try state.record.nextNumber
    state.record.versions.append(
      Version(
        number: number, previous: state.record.current, base: 0, origin: origin, adjustment: adjustment,
        editor: editor, time: time ?? HostSystem.now, build: "", files: files, hasFiles: !files.isEmpty,
        isAside: isAside))
    if !isAside { state.record.current = number }
    state.isChanged = true
    return number
  }

  private func recordChangedRender(
    _ state: inout AssetState, lost: Version, changed: [String]
  ) throws(EditError) {
    let files = try versionFiles(state.edited, in: home)
    let sidecar = try files.first { $0.role == .adjustments }.map { file throws(EditError) in
      try AdjustmentFile.read(file.name, in: home)
    }
    state.record.update(lost.number) { $0.hasFiles = false }
    let isForeign = sidecar?.adjustment.isOwn == false
    try append(
      to: &state, origin: isForeign ? .foreign : .changed, adjustment: sidecar?.adjustment,
      editor: isForeign ? sidecar?.editor ?? "" : "", files: files)
    let number = state.record.current
    state.notes.append(
      changed.isEmpty
        ? "The render was changed by another program; it counts as version \(number)."
        : "\(changed.joined(separator: ", ")) was changed by another program; it counts as version \(number)."
    )
  }

  /// The files of a version that was found, at most one for each role.
  func versionFiles(_ edited: EditedFiles, in folder: HeldFolder) throws(EditError) -> [VersionFile] {
    var files: [VersionFile] = []
    for (role, name) in edited.names {
      if let other = files.first(where: { $0.role == role }) {
        throw EditError(
          .inTheWay, file: folder.path(name), "and \(other.name) both stand where one version can have one",
          remedy: "move one of them to another folder")
      }
      files.append(try versionFile(role, name, in: folder))
    }
    return files
  }

  private func versionFile(
    _ role: FileRole, _ name: String, in folder: HeldFolder
  ) throws(EditError) -> VersionFile {
    let print = try fingerprint(of: role, name, in: folder, isOriginal: folder !== home)
    return VersionFile(role: role, name: name, fingerprint: print)
  }

  /// Hashes a file that was found, unless it is larger than a file of its role may be.
  ///
  /// - Parameter isOriginal: true for a file beside the originals, which may be a link.
  private func fingerprint(
    of role: FileRole, _ name: String, in folder: HeldFolder, isOriginal: Bool
  ) throws(EditError) -> Fingerprint {
    try whileReading(folder.path(name)) {
      let source = try folder.source(name, followingLinks: isOriginal)
      switch role {
      case .photo: try source.checkPhotoSize()
      case .adjustments: try AdjustmentFile.checkSize(of: source, folder.path(name))
      case .sidecar: try SidecarFacts.checkSize(of: source)
      case .movie: break
      }
    }
    return try Fingerprint(of: name, in: folder, isOriginal: isOriginal)
  }

  /// Files that stand beside the current version's own become versions that are not current, and move to the
  /// versions' folder with the next commit.
  private func recordStrays(
    _ extra: [(role: FileRole, name: String)], in state: inout AssetState
  ) throws(EditError) {
    for (role, name) in extra {
      let file = try versionFile(role, name, in: home)
      let number = try append(to: &state, origin: .foreign, files: [file], isAside: true)
      state.strays.append((file, number))
      state.notes.append("\(name) was not made by liveedit; it counts as version \(number).")
    }
  }
}
