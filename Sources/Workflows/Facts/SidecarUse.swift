import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// The part that XMP sidecars beside the originals have in an edit.
package enum SidecarUse: String, CaseIterable, Sendable {
  /// Facts that they tell and the files do not become a part of the edit.
  case read
  /// They are not looked at.
  case ignore
  /// They are read, and the render gets a sidecar of its own.
  case write
}

extension EditSource {
  /// An edit that states what a sidecar says, as far as it does not change that itself.
  ///
  /// - Throws: ``Basics/EditError`` when a photo or movie cannot be read.
  func stating(_ sidecar: SidecarFacts, in edit: Edit) throws(EditError) -> Edit {
    var facts = sidecar.facts(over: try captured(), try place())
    // Movies have no field for names of people.
    if files[.photo] == nil { facts.description.persons = WordChange() }
    var edit = edit
    edit.facts = edit.facts.after(facts)
    return edit
  }
}

extension SidecarFacts {
  /// Reads the sidecar of an asset for an edit.
  ///
  /// - Parameters:
  ///   - path: its path.
  ///   - notes: takes a sentence where it cannot be read: then the edit is made without it.
  init?(path: String, notes: inout [Message]) {
    do throws(EditError) {
      self = try readFile(path) { try SidecarFacts($0) }
    } catch {
      notes.append("\(FilePath.split(path).name) was ignored: \(error.problem).")
      return nil
    }
  }
}
