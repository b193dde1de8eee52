import Basics
import EditLibrary
import EditModel
import FileSystem

/// The versions of an asset, for display. Reading the versions writes nothing.
package struct AssetHistory: Sendable {
  /// The asset's folder, as the user wrote it.
  package let folder: String
  /// The asset's record. The record also contains versions that were found beside the originals but are not yet
  /// recorded.
  package let record: AssetRecord
  /// Remarks for the user, one sentence each.
  package let notes: [Message]

  /// Reads the history of the asset that a file belongs to.
  ///
  /// - Parameters:
  ///   - path: The path of an original, a render or adjustment data.
  ///   - layout: The layout of the library, which determines where the renders are stored.
  ///   - report: Receives a message if the unfinished work of a crashed process is completed or rolled back.
  package init(
    path: String, layout: LibraryLayout = .besideOriginals, report: (Message) -> Void = { _ in }
  ) throws(EditError) {
    let (folder, name) = FilePath.split(path)
    self.folder = folder
    (record, notes) = try Library.reading(folder, layout: layout, report: report) {
      library throws(EditError) in
      do throws(EditError) {
        let state = try library.state(named: name, isReading: true)
        return (state.record, state.notes)
      } catch {
        // The history can be displayed even if the original has changed or is missing.
        guard error.code == .changedOriginal || error.code == .notFound,
          let known = try library.record(ofFile: name)
        else { throw error }
        return (known, [error.message])
      }
    }
  }

  /// Describes a version's edit. For another program's edit, the text lists the names of the adjustments if they are
  /// known.
  package func words(_ version: Version) -> Message {
    if let own = version.recordedEdit {
      return version.origin == .adopted ? "adopted: \(own.edit.words)" : own.edit.words
    }
    guard let adjustment = version.adjustment else {
      return version.isIdentity ? "edit removed by another program" : "changed by another program"
    }
    let names = adjustments(of: version).filter(\.isEnabled).map(\.identifier)
    if version.origin == .changed { return "changed by another program after liveedit rendered it" }
    return "\(names.isEmpty ? adjustment.formatIdentifier : names.joined(separator: ", "))"
  }

  /// Returns the adjustments that another program recorded, if their format is supported.
  package func adjustments(of version: Version) -> [AdjustmentInspection.Adjustment] {
    guard let adjustment = version.adjustment, version.recordedEdit == nil, version.origin != .rendered else {
      return []
    }
    let file = AdjustmentFile(adjustment: adjustment, editor: version.editor)
    return AdjustmentInspection(bytes: file.bytes)?.adjustments ?? []
  }

  /// Returns the edit of the current version, so that it can be copied to other assets.
  ///
  /// - Throws: ``Basics/EditError`` if the current version has no edit, or if another program made the edit.
  package func editToCopy() throws(EditError) -> Edit {
    let file = record.originals.first.map { FilePath.joined(folder, $0.name) }
    guard let version = record.currentVersion, !version.isIdentity else {
      throw EditError(
        .notFound, file: file, "has no edit to copy",
        remedy: "edit it first, or name another file")
    }
    if let own = version.recordedEdit {
      guard let base = record.version(version.base)?.adoptedEdit else { return own.edit }
      if let whole = own.edit.after(base) { return whole }
      throw EditError(
        .unsupported, file: file,
        "was edited further after adopting another program's edit, and the two edits cannot be copied as one",
        remedy: "to copy the adopted edit, switch to its version with liveedit revert first")
    }
    if version.origin == .rendered, version.adjustment?.isOwn == true {
      throw EditError(
        .unsupported, file: file, "was edited by a newer liveedit", remedy: "update liveedit to copy its edit"
      )
    }
    throw EditError(
      .unsupported, file: file, "was edited by another program, whose edit cannot be copied",
      remedy: "name a file that liveedit edited")
  }
}
