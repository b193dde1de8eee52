import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// How an edit uses XMP sidecars beside the originals.
package enum SidecarUse: String, CaseIterable, Sendable {
  /// Adds the sidecar's metadata to the edit if it differs from the metadata in the files.
  case read
  /// Does not read sidecars.
  case ignore
  /// Reads sidecars and writes a sidecar for the render.
  case write
}

extension EditSource {
  /// Returns the edit with a sidecar's metadata added, except for values that the edit itself changes.
  ///
  /// - Throws: ``Basics/EditError`` if a photo or movie cannot be read.
  func stating(_ sidecar: SidecarFacts, in edit: Edit) throws(EditError) -> Edit {
    var facts = sidecar.facts(over: try captured(), try place())
    // Movies have no field for people's names.
    if files[.photo] == nil { facts.description.persons = WordChange() }
    var edit = edit
    edit.facts = edit.facts.after(facts)
    return edit
  }
}

extension SidecarFacts {
  /// Reads an asset's sidecar for an edit.
  ///
  /// - Parameters:
  ///   - path: The path of the sidecar.
  ///   - notes: Receives a remark if the sidecar cannot be read. In that case, the edit is made without the sidecar.
  init?(path: String, notes: inout [Message]) {
    do throws(EditError) {
      self = try readFile(path) { try SidecarFacts($0) }
    } catch {
      notes.append("\(FilePath.split(path).name) was ignored: \(error.problem).")
      return nil
    }
  }
}
