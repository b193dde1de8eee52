import Basics
import EditModel
import Workflows

/// A change of the geometry that depends on no file.
struct GeometryChange: EditChange {
  /// The change.
  let change: @Sendable (inout Geometry) -> Void

  func function() -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    { edit, _ in
      var edit = edit
      change(&edit.geometry)
      return edit
    }
  }
}
