package import Basics
import EditModel
import FileSystem
import LivePhotoFormat

extension AdjustmentFile {
  private static let largest = 1 << 24

  /// Checks that a file is small enough to be adjustment data.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - path: The file's path.
  /// - Throws: ``EditError`` if the file is too large.
  static func checkSize(of source: FileByteSource, _ path: String) throws(EditError) {
    guard source.count <= largest else { throw holdsNone(path) }
  }

  private static func holdsNone(_ path: String) -> EditError {
    EditError(
      .inTheWay, file: path, "is in the way and does not contain adjustment data",
      remedy: "move it to another folder"
    )
  }

  /// Reads the adjustment data beside an asset.
  ///
  /// - Parameter isOriginal: Whether the file is beside read-only originals and, like an original, can be a symbolic
  ///   link.
  static func read(
    _ name: String, in folder: HeldFolder, isOriginal: Bool = false
  ) throws(EditError) -> AdjustmentFile {
    let path = folder.path(name)
    return try whileReading(path) {
      let bytes = try folder.source(name, followingLinks: isOriginal).bytes(atMost: largest)
      guard let file = bytes.flatMap(AdjustmentFile.init) else { throw holdsNone(path) }
      return file
    }
  }
}

extension AdjustmentFile {
  /// Whether the adjustment data beside a render states that its photo has no movie.
  ///
  /// - Parameters:
  ///   - stem: The name of the render without its extension.
  ///   - folder: The render's folder.
  /// - Throws: ``EditError`` if the adjustment data cannot be read.
  package static func isLiveOff(
    besideRender stem: String, in folder: String
  ) throws(EditError) -> Bool {
    guard let original = RenderNames.originalStem(ofRender: stem) else { return false }
    let name = RenderNames.adjustments(of: original)
    let file = try ifSound(FilePath.joined(folder, name)) { try read(name, in: HeldFolder(path: folder)) }
    guard let file else { return false }
    return file.adjustment.decoded()?.edit.motion.isLiveOff ?? false
  }
}

extension Library {
  /// Records a version that is missing from the catalogue. The version was made by another program, or by an early
  /// version of liveedit that had no catalogue.
  ///
  /// - Parameters:
  ///   - edited: The version's files.
  ///   - folder: The folder of the files.
  ///   - state: The asset, to which the version is added.
  func recordForeignRender(
    _ edited: EditedFiles, in folder: HeldFolder, _ state: inout AssetState
  ) throws(EditError) {
    let files = try versionFiles(edited, in: folder)
    let renders = files.filter { $0.role.isHalf }
    for render in renders where folder === home { try checkIsNoOriginal(render.name, of: state.record) }
    guard let sidecar = files.first(where: { $0.role == .adjustments }) else {
      for render in renders { try checkIsRender(render, in: folder, of: state.record) }
      try append(to: &state, origin: .foreign, files: files)
      state.notes.append(
        "\(renders.map(\.name).joined(separator: " + ")) has no adjustment data; it is recorded as version \(state.record.current)."
      )
      return
    }
    let content = try AdjustmentFile.read(sidecar.name, in: folder, isOriginal: folder !== home)
    guard content.adjustment.isOwn else {
      try append(
        to: &state, origin: .foreign, adjustment: content.adjustment, editor: content.editor, files: files)
      if renders.isEmpty {
        let what = content.adjustment.formatIdentifier
        state.notes.append(
          "\(sidecar.name) contains an edit (\(what)) without an edited file; the edit is kept, and new edits start from the original."
        )
      }
      return
    }
    let isSame = try isOwn(content, files: files, in: folder, record: state.record, sidecar: sidecar.name)
    try append(
      to: &state, origin: !isSame ? .changed : content.adjustment.isAdopted ? .adopted : .rendered,
      adjustment: content.adjustment,
      // With these values, rendering the version again produces the same bytes.
      editor: isSame ? content.editor : "", time: isSame ? content.time : nil, files: files)
    if !isSame, !renders.isEmpty {
      state.notes.append(
        "The edited files differ from what liveedit renders; they are recorded as version \(state.record.current)."
      )
    }
  }

  /// Checks that a file with the name of an asset's render is not an original with its own history.
  func checkIsNoOriginal(_ name: String, of asset: AssetRecord) throws(EditError) {
    guard isBesideOriginals, let owner = try record(ofOriginal: name), !owner.stem.hasBytes(of: asset.stem)
    else { return }
    throw EditError(
      .inTheWay, file: path(name),
      "has its own history, but also the name of an edited version of \(asset.originals.first?.name ?? asset.stem)",
      remedy: "move it to another folder")
  }

  /// Whether liveedit rendered the files, judging by the hashes in the adjustment data.
  private func isOwn(
    _ content: AdjustmentFile, files: [VersionFile], in folder: HeldFolder, record: AssetRecord,
    sidecar: String
  ) throws(EditError) -> Bool {
    var isSame = content.adjustment.canHandle
    for (role, hash) in [(FileRole.photo, content.rendered.photo), (.movie, content.rendered.movie)] {
      let file = files.first { $0.role == role }
      if isSame, let original = record.originals.first(where: { $0.role == role }), hash != nil {
        let name = RenderNames.render(of: original.name, ofAsset: record.stem)
        guard let file, RenderNames.isRender(file.name, of: original.name, ofAsset: record.stem) else {
          throw EditError(
            .inTheWay, file: folder.path(sidecar), "refers to the edited file \(name), which is missing",
            remedy: "put the edited file back, or remove the adjustment data to start from the original")
        }
        if try !isMade(folder.path(file.name), role, from: original.name, content.adjustment) {
          // The file belongs to a version that was forgotten, or to another photo with the same name.
          guard try isSameScene(file, in: folder, as: record) else {
            throw EditError(
              .inTheWay, file: folder.path(file.name),
              "was not made from the original \(original.name)",
              remedy: "move the file and its adjustment data to another folder")
          }
          isSame = false
        }
      }
      if file?.fingerprint.sha256 != hash { isSame = false }
      if hash != nil, !record.originals.contains(where: { $0.role == role }) {
        throw EditError(
          .inTheWay, file: folder.path(sidecar),
          role == .photo
            ? "belongs to a Live Photo whose original photo is missing"
            : "belongs to a Live Photo whose original movie is missing",
          remedy: role == .photo
            ? "put the photo back, or move the adjustment data and the edited files to another folder"
            : "put the movie back, or move the adjustment data and the edited files to another folder")
      }
    }
    return isSame
  }

  /// Whether a render was made from this original, judging by its identifier.
  private func isMade(
    _ render: String, _ role: FileRole, from original: String, _ adjustment: AdjustmentData
  ) throws(EditError) -> Bool {
    let kind: HalfKind = role == .photo ? .photo : .movie
    let base = try HalfIdentifier.read(originalPath(original), kind: kind)
    let expected = try NameBasedUUID.renderIdentifier(base: base, adjustment: adjustment)
    // A render that was changed may be unreadable. In that case, its hash decides.
    guard let found = try? HalfIdentifier.read(render, kind: kind) else { return true }
    return found == expected
  }

  /// Whether a render shows the same capture as the original, judging by camera and date.
  private func isSameScene(
    _ render: VersionFile, in folder: HeldFolder, as record: AssetRecord
  ) throws(EditError) -> Bool {
    guard let original = record.originals.first(where: { $0.role == render.role }),
      let mine = try Self.capture(originalPath(original.name), render.role)
    else { return false }
    return try Self.capture(folder.path(render.name), render.role) == mine
  }

  /// Checks that a render without adjustment data belongs to this asset.
  private func checkIsRender(
    _ render: VersionFile, in folder: HeldFolder, of record: AssetRecord
  ) throws(EditError) {
    guard try isSameScene(render, in: folder, as: record) else {
      throw EditError(
        .inTheWay, file: folder.path(render.name),
        "is in the way: liveedit did not make it, and its camera and date differ from the original's or are missing",
        remedy: "move it to another folder")
    }
  }

  /// Returns the camera and the date of a half, or nil if the half does not contain both.
  private static func capture(_ path: String, _ role: FileRole) throws(EditError) -> [String]? {
    try ifSound(path) {
      let source = try FileByteSource(path: path)
      if role == .photo {
        let photo = try Photo(source).metadata()
        guard let date = photo.captureDate, let make = photo.make, let model = photo.model else { return nil }
        // Fractions of a second and the time zone are removed, because renders may lack them.
        return [String(date.prefix(19)), make, model]
      }
      let movie = try MovieSummary(source)
      guard let date = movie.creationDate, let make = movie.make, let model = movie.model else { return nil }
      return [date, make, model]
    }
  }
}
