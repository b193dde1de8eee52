package import Basics
import EditModel
import FileSystem
import LivePhotoFormat

/// The current state of an asset: its record, and any later changes by other programs.
package struct AssetState: Sendable {
  /// The asset's record, with the versions found beside the originals. The next commit records those versions.
  package internal(set) var record: AssetRecord
  /// Notes for the user, one sentence each.
  package internal(set) var notes: [Message] = []
  /// Files beside the originals that belong to a version that is not displayed.
  var strays: [(file: VersionFile, version: Int)] = []
  /// The files that were found, by role.
  var edited: EditedFiles
  /// The path of the folder that contains the asset's renders.
  private let home: String
  /// Whether the asset's state differs from the catalogue.
  package internal(set) var isChanged = false
  /// Whether the asset's versions were made before all its files had arrived, see
  /// ``Library/joinedState(of:dataEnds:)``. The next new version purges their files, because they can be rendered again
  /// from all the originals.
  package internal(set) var isJoined = false

  init(record: AssetRecord, edited: EditedFiles, home: String) {
    (self.record, self.edited, self.home) = (record, edited, home)
  }

  /// Returns the path of a render or of adjustment data.
  package func renderPath(_ name: String) -> String { FilePath.joined(home, name) }
}

extension AssetRecord {
  /// Checks that the originals in a folder match the record.
  package func checkOriginals(in path: String) throws(EditError) {
    try whileReading(FilePath.shown(path)) { try checkOriginals(in: HeldFolder(path: path)) }
  }

  func checkOriginals(in folder: HeldFolder) throws(EditError) {
    for file in originals {
      guard try file.fingerprint.matches(file.name, in: folder, isOriginal: true) else {
        throw EditError(
          .changedOriginal, file: folder.path(file.name),
          "was changed by another program during the edit",
          remedy: "edit the file again when no other program writes to it")
      }
    }
  }
}

extension Library {
  /// Determines the state of an asset: checks the originals, and adopts files that other programs left beside them.
  ///
  /// - Parameters:
  ///   - asset: The originals, see ``AssetLocator``.
  ///   - isLeaving: Whether the current version is about to be replaced, and may therefore be incomplete.
  ///   - hashesOriginals: Whether to hash the originals of an asset without a record. This can be false if nothing will
  ///     be recorded.
  ///   - present: A recent result of ``presentNames``, for callers that process many assets.
  ///   - isReading: Whether the caller accepts an asset without versions if the versions under the asset's name belong
  ///     to another asset.
  /// - Throws: ``EditError`` if an original has changed, or an unknown file is in the way.
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
          "has the same name as \(other), and only one of the two can have versions under that name",
          remedy:
            "rename one of the two with liveedit move, or pair the two with liveedit pair if they are a "
            + "photo and its movie")
      }
      return AssetState(
        record: try newRecord(of: asset, hashesOriginals), edited: EditedFiles(), home: home.path)
    }
    if known == nil, !isReading, let other = try ownerOfOtherCase(of: asset) {
      throw EditError(
        .pairing, file: asset.path(originals.first ?? asset.stem),
        "differs from \(other) only in upper and lower case, which the library's file system does not distinguish",
        remedy: "rename one of the two files")
    }
    let record = if let known { known } else { try newRecord(of: asset, hashesOriginals) }
    if known != nil, Set(originals) != Set(record.originals.map(\.name)) {
      let recorded = record.originals.map(\.name).joined(separator: " + ")
      throw EditError(
        .changedOriginal, file: asset.path(originals.first ?? asset.stem),
        "was recorded as \(recorded), but is now \(originals.joined(separator: " + "))",
        remedy: "put the recorded files back, or run liveedit forget on this file to start a new history")
    }
    return try state(
      of: record, isKnown: known != nil, edited: try editedFiles(of: record, present), isLeaving: isLeaving)
  }

  /// Determines the state of an asset that was edited before all its data had arrived: one half before the other, or a
  /// file before it was copied completely. The originals are all files that exist now, and the asset's edit is kept.
  ///
  /// - Parameter ends: The ends of the data in originals that ended in zeros when they were edited, by their names.
  /// - Returns: The state, or nil for any other asset and for an asset with a version made by another program.
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
      state.notes.append(
        "\(file.name) was edited before it had been copied completely, so the edit is rendered again.")
    }
    return state
  }

  /// Determines the state of a recorded asset without reading the rest of its folder.
  package func state(of record: AssetRecord, isLeaving: Bool = false) throws(EditError) -> AssetState {
    try state(of: record, isKnown: true, edited: try editedFiles(of: record), isLeaving: isLeaving)
  }

  /// Returns the files in the library home that have the names of an asset's renders and adjustment data.
  func editedFiles(of record: AssetRecord, _ present: Set<String>? = nil) throws(EditError) -> EditedFiles {
    let recorded = record.version(record.shown)?.files ?? []
    return try EditedFiles(
      originals: record.originals.map(\.name), ofAsset: record.stem, recorded: recorded, in: home,
      originalsIn: originalsFolder, present: present)
  }

  /// The names in the folder of renders, in lower case, see ``state(of:isLeaving:hashesOriginals:present:)``.
  package var presentNames: Set<String> {
    get throws(EditError) {
      try whileReading(home.path) { Set(try home.namesIfAny(in: "").map { $0.lowercased() }) }
    }
  }

  /// Returns the original of another asset with the same stem that prevents this asset from having versions, or nil if
  /// no asset prevents this.
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
      // The files beside the originals match neither the old version nor the new version.
      guard !isOpenForWriting else { throw error }
      state.notes.append("The last edit is not finished: \(error).")
      return state
    }
    do throws(EditError) { try checkNotStale(record) } catch {
      guard !isOpenForWriting else { throw error }
      state.notes.append("\(error).")
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
          .changedOriginal, file: path, "has been changed by another program since liveedit recorded it",
          remedy:
            "put the original back, run liveedit check --accept on it if only its metadata was changed, or run liveedit "
            + "forget on it to start a new history")
      }
      record.originals[index].fingerprint = now
    }
  }

  /// Compares the files beside the originals with the version that is expected there.
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
      // Another program removed the version's files. The original is current, and the version stays in the history.
      state.record.update(shown.number) { $0.hasFiles = false }
      try append(to: &state, origin: .changed, files: [])
      state.notes.append(
        "Another program removed the last version's files; the original is now current.")
    } else if !changed.isEmpty || missing.contains(where: { one in extra.contains { $0.role == one.role } }) {
      try recordChangedRender(&state, lost: shown, changed: changed)
    } else if let file = missing.first, !isLeaving {
      throw EditError(
        .inTheWay, file: path(file.name), "is recorded as the current version but is missing",
        remedy: "put the file back, or run liveedit revert to switch to another version")
    } else {
      try recordStrays(extra, in: &state)
    }
  }

  /// Stops tracking a render's sidecar if another program changed or removed it. The sidecar does not affect the
  /// render's bytes, and such programs write to existing sidecars.
  ///
  /// - Returns: The version without the sidecar.
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

  /// Moves a file that another program left at the path of a sidecar to the versions folder, with the next commit.
  func makeWay(for name: String, in state: inout AssetState) throws(EditError) {
    guard !state.edited.contains(name), try whileReading(path(name), { try home.exists(name) }) else {
      return
    }
    try recordStrays([(.sidecar, name)], in: &state)
  }

  /// Adds a version that another program made or changed. It becomes the current version unless it is set aside.
  ///
  /// - Parameter time: The time of the version's edit, in seconds since 1970, or nil if it is unknown.
  /// - Returns: The version's number.
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
        ? "Another program changed the edited files; the change is recorded as version \(number)."
        : "Another program changed \(changed.joined(separator: ", ")); the change is recorded as version \(number)."
    )
  }

  /// Returns the files of a version that was found, with at most one file for each role.
  func versionFiles(_ edited: EditedFiles, in folder: HeldFolder) throws(EditError) -> [VersionFile] {
    var files: [VersionFile] = []
    for (role, name) in edited.names {
      if let other = files.first(where: { $0.role == role }) {
        throw EditError(
          .inTheWay, file: folder.path(name),
          "conflicts with \(other.name): the two files cannot both belong to one version",
          remedy: "move one of the two to another folder")
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

  /// Hashes a file that was found, unless it exceeds the size limit of its role.
  ///
  /// - Parameter isOriginal: Whether the file is beside the originals, and can therefore be a symbolic link.
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

  /// Records other files beside the current version's files as versions that are not current. The next commit moves
  /// them to the versions folder.
  private func recordStrays(
    _ extra: [(role: FileRole, name: String)], in state: inout AssetState
  ) throws(EditError) {
    for (role, name) in extra {
      let file = try versionFile(role, name, in: home)
      let number = try append(to: &state, origin: .foreign, files: [file], isAside: true)
      state.strays.append((file, number))
      state.notes.append("\(name) was not made by liveedit; it is recorded as version \(number).")
    }
  }
}
