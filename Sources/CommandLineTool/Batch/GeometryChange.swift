import Basics
import EditModel
import Workflows

/// A change of the geometry that does not depend on any file.
struct GeometryChange: EditChange {
  /// Changes the geometry.
  let change: @Sendable (inout Geometry) -> Void

  func function() -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    { edit, _ in
      var edit = edit
      change(&edit.geometry)
      return edit
    }
  }
}
