import Basics
import EditLibrary
import EditModel
import FileSystem

extension AssetHistory {
  /// The edit of the current version, to be laid over the edits of others.
  ///
  /// - Throws: ``Basics/EditError`` when there is none, or another program made it.
  package func editToCopy() throws(EditError) -> Edit {
    let file = record.originals.first.map { FilePath.joined(folder, $0.name) }
    guard let version = record.currentVersion, !version.isIdentity else {
      throw EditError(
        .notFound, file: file, "has no edit that could be copied",
        remedy: "edit it first, or name another file")
    }
    if let own = version.ownEdit { return own.edit }
    if version.origin == .rendered, version.adjustment?.isOwn == true {
      throw EditError(
        .unsupported, file: file, "was edited by a later liveedit", remedy: "update liveedit to copy its edit"
      )
    }
    throw EditError(
      .unsupported, file: file, "was edited by another program, whose edit cannot be copied",
      remedy: "name a file that liveedit edited")
  }
}
