package import Basics
import EditModel
import FileSystem
import LivePhotoFormat

extension AdjustmentFile {
  private static let largest = 1 << 24

  /// Makes sure that a file is small enough to hold adjustment data.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - path: its path.
  /// - Throws: ``EditError`` when it is not.
  static func checkSize(of source: FileByteSource, _ path: String) throws(EditError) {
    guard source.count <= largest else { throw holdsNone(path) }
  }

  private static func holdsNone(_ path: String) -> EditError {
    EditError(
      .inTheWay, file: path, "is in the way and holds no adjustment data", remedy: "move it to another folder"
    )
  }

  /// Reads the adjustment data beside an asset.
  ///
  /// - Parameter isOriginal: true beside originals that are not written to, where it may be a link as they may.
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
  /// True if the adjustment data beside a render says that its photo stands alone.
  ///
  /// - Parameters:
  ///   - stem: the name of the render without its extension.
  ///   - folder: its folder.
  /// - Throws: ``EditError`` when the system does not let it be read.
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
  /// Records a version that no catalogue knows, made by another program, or by an early liveedit that kept no catalogue.
  ///
  /// - Parameters:
  ///   - edited: its files.
  ///   - folder: their folder.
  ///   - state: the asset, which gets the version.
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
        "\(renders.map(\.name).joined(separator: " + ")) has no adjustment data; it counts as version \(state.record.current)."
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
          "\(sidecar.name) holds an edit (\(what)) without its render; it is kept, and the original is the base."
        )
      }
      return
    }
    let isSame = try isOwn(content, files: files, in: folder, record: state.record, sidecar: sidecar.name)
    try append(
      to: &state, origin: !isSame ? .changed : content.adjustment.isAdopted ? .adopted : .rendered,
      adjustment: content.adjustment,
      // Rendered again, it has the bytes that it has now.
      editor: isSame ? content.editor : "", time: isSame ? content.time : nil, files: files)
    if !isSame, !renders.isEmpty {
      state.notes.append(
        "The render is not what liveedit makes of the original; it counts as version \(state.record.current)."
      )
    }
  }

  /// Makes sure that a file with the name of an asset's render is not an original that has a history of its own.
  func checkIsNoOriginal(_ name: String, of asset: AssetRecord) throws(EditError) {
    guard isBesideOriginals, let owner = try record(ofOriginal: name), !owner.stem.hasBytes(of: asset.stem)
    else { return }
    throw EditError(
      .inTheWay, file: path(name),
      "has a history of its own, and the name of the render of \(asset.originals.first?.name ?? asset.stem)",
      remedy: "move it to another folder")
  }

  /// True if the files are what liveedit rendered, by the hashes in the adjustment data.
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
            .inTheWay, file: folder.path(sidecar), "records the render \(name), which is not there",
            remedy: "put the render back, or remove the adjustment data to begin from the original")
        }
        if try !isMade(folder.path(file.name), role, from: original.name, content.adjustment) {
          // Of a version that was forgotten, or of another photo of the same name.
          guard try isSameScene(file, in: folder, as: record) else {
            throw EditError(
              .inTheWay, file: folder.path(file.name),
              "is the render of another original than \(original.name)",
              remedy: "move it and its adjustment data to another folder")
          }
          isSame = false
        }
      }
      if file?.fingerprint.sha256 != hash { isSame = false }
      if hash != nil, !record.originals.contains(where: { $0.role == role }) {
        throw EditError(
          .inTheWay, file: folder.path(sidecar),
          role == .photo
            ? "belongs to a Live Photo whose original photo is not beside it"
            : "belongs to a Live Photo whose original movie is not beside it",
          remedy: role == .photo
            ? "put the photo back, or move the adjustment data and the renders to another folder"
            : "put the movie back, or move the adjustment data and the renders to another folder")
      }
    }
    return isSame
  }

  /// True if a render was made of this original: its identifier says so.
  private func isMade(
    _ render: String, _ role: FileRole, from original: String, _ adjustment: AdjustmentData
  ) throws(EditError) -> Bool {
    let kind: HalfKind = role == .photo ? .photo : .movie
    let base = try HalfIdentifier.read(originalPath(original), kind: kind)
    let expected = try NameBasedUUID.renderIdentifier(base: base, adjustment: adjustment)
    // A render that somebody changed may be beyond reading; its hash tells then.
    guard let found = try? HalfIdentifier.read(render, kind: kind) else { return true }
    return found == expected
  }

  /// True if a render shows what the original shows: camera and date agree.
  private func isSameScene(
    _ render: VersionFile, in folder: HeldFolder, as record: AssetRecord
  ) throws(EditError) -> Bool {
    guard let original = record.originals.first(where: { $0.role == render.role }),
      let mine = try Self.capture(originalPath(original.name), render.role)
    else { return false }
    return try Self.capture(folder.path(render.name), render.role) == mine
  }

  /// Makes sure that a render without adjustment data is one of this asset.
  private func checkIsRender(
    _ render: VersionFile, in folder: HeldFolder, of record: AssetRecord
  ) throws(EditError) {
    guard try isSameScene(render, in: folder, as: record) else {
      throw EditError(
        .inTheWay, file: folder.path(render.name),
        "is in the way and was not made by liveedit, nor of the same scene as far as it tells",
        remedy: "move it to another folder")
    }
  }

  /// Camera and date of a half; nil when it does not tell both.
  private static func capture(_ path: String, _ role: FileRole) throws(EditError) -> [String]? {
    try ifSound(path) {
      let source = try FileByteSource(path: path)
      if role == .photo {
        let photo = try Photo(source).metadata()
        guard let date = photo.captureDate, let make = photo.make, let model = photo.model else { return nil }
        // Without fraction and time zone, which renders may lack.
        return [String(date.prefix(19)), make, model]
      }
      let movie = try MovieSummary(source)
      guard let date = movie.creationDate, let make = movie.make, let model = movie.model else { return nil }
      return [date, make, model]
    }
  }
}
