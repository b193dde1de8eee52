package import Basics
package import EditModel
import FileSystem
import FoundationEssentials

/// Finished renders of a change that was interrupted before it was recorded. Each render is kept until the batch is
/// resumed, along with a description of everything that determines the render's bytes. If the kept render is missing,
/// the asset is rendered again.
extension Library {
  /// The description of a kept render.
  private struct Kept: Codable {
    var form = 1
    var base: Int
    var format: String
    var formatVersion: String
    var data: Data
    var originals: [VersionFile]
    var files: [VersionFile]
    var result: RenderResult

    static let largest = 1 << 25
  }

  private static let description = "kept.json"

  /// Keeps the rendered files of a commit that will not be carried out.
  ///
  /// - Parameters:
  ///   - commit: The commit, with one new version.
  ///   - result: The renderer's result.
  ///   - batch: The identifier of the batch.
  package func keep(_ commit: AssetCommit, _ result: RenderResult, batch: String) throws(EditError) {
    guard let version = commit.version, let adjustment = version.adjustment,
      let made = commit.made[version.number], FileName.isPlain(batch)
    else { return }
    let files = made.filter { $0.file.role.isHalf }
    let kept = Kept(
      base: version.base, format: adjustment.formatIdentifier, formatVersion: adjustment.formatVersion,
      data: adjustment.data, originals: commit.after.originals, files: files.map(\.file), result: result)
    let folder = LibraryPaths.kept(batch, commit.after.stem)
    try whileWriting(path(folder)) {
      try home.makeFolder(LibraryPaths.kept)
      try home.makeFolder(LibraryPaths.kept(batch))
      // An older kept render of the same asset is no longer useful.
      removeKept(folder)
      try home.makeFolder(folder)
      for one in files { try home.move(one.place, toFree: "\(folder)/\(one.file.role.rawValue)") }
      try home.create("\(folder)/\(Self.description)", bytes: VersionDescription.json(kept))
    }
  }

  /// Retrieves the kept render of a version if rendering the version now would produce the same bytes.
  ///
  /// - Parameters:
  ///   - state: The asset as it was found.
  ///   - base: The version to which the edit is applied.
  ///   - adjustment: The edit and its settings.
  ///   - build: The common prefix of the names of all builds that produce the same bytes as this build.
  ///   - batch: The identifier of the batch.
  /// - Returns: The files in the work folder by role, and the renderer's result; nil if no intact render is kept.
  package func takeKept(
    of state: AssetState, base: Int, adjustment: AdjustmentData, build: String, batch: String
  ) throws(EditError) -> (outputs: [FileRole: String], result: RenderResult)? {
    let folder = LibraryPaths.kept(batch, state.record.stem)
    defer {
      removeKept(folder)
      try? home.removeFolder(LibraryPaths.kept(batch))
      try? home.removeFolder(LibraryPaths.kept)
    }
    guard let kept = kept(in: folder), kept.base == base, kept.result.build.hasPrefix(build),
      AdjustmentData(formatIdentifier: kept.format, formatVersion: kept.formatVersion, data: kept.data)
        == adjustment,
      kept.originals.map(\.name) == state.record.originals.map(\.name),
      kept.originals.map(\.fingerprint.sha256) == state.record.originals.map(\.fingerprint.sha256),
      !kept.files.isEmpty, Set(kept.files.map(\.role)).count == kept.files.count
    else { return nil }
    for file in kept.files {
      let place = "\(folder)/\(file.role.rawValue)"
      // The files were not synced to disk, so only the hash can confirm their content.
      guard file.role.isHalf, (try? home.status(place).kind) == .regular,
        (try? Fingerprint(of: place, in: home).sha256) == file.fingerprint.sha256
      else { return nil }
    }
    var outputs: [FileRole: String] = [:]
    for file in kept.files {
      let name = try workName(file.role.rawValue)
      try whileWriting(path(name)) { try home.move("\(folder)/\(file.role.rawValue)", toFree: name) }
      outputs[file.role] = path(name)
    }
    return (outputs, kept.result)
  }

  private func kept(in folder: String) -> Kept? {
    guard let bytes = try? home.bytes(of: "\(folder)/\(Self.description)", atMost: Kept.largest),
      let kept = try? JSONText.decode(Kept.self, from: bytes), kept.form == 1
    else { return nil }
    return kept
  }

  /// Returns the identifiers of the batches that have kept renders, with the number of renders.
  func keptBatches() -> [(batch: String, count: Int)] {
    ((try? home.namesIfAny(in: LibraryPaths.kept)) ?? []).sorted().map { batch in
      (batch, ((try? home.names(in: LibraryPaths.kept(batch))) ?? []).count)
    }
  }

  /// Removes the kept renders of a batch, and nothing else.
  ///
  /// - Returns: The number of removed renders.
  @discardableResult
  package func removeKept(of batch: String) -> Int {
    var count = 0
    for stem in (try? home.namesIfAny(in: LibraryPaths.kept(batch))) ?? [] {
      if removeKept(LibraryPaths.kept(batch, stem)) { count += 1 }
    }
    try? home.removeFolder(LibraryPaths.kept(batch))
    try? home.removeFolder(LibraryPaths.kept)
    return count
  }

  @discardableResult
  private func removeKept(_ folder: String) -> Bool {
    for name in [Self.description] + FileRole.allCases.map(\.rawValue) {
      _ = try? home.remove("\(folder)/\(name)")
    }
    return (try? home.removeFolder(folder)) != nil
  }
}
