import Basics
import EditModel
import Workflows

/// A change of the geometry that requires no files.
struct GeometryChange: EditChange {
  /// The closure that changes the geometry.
  let change: @Sendable (inout Geometry) -> Void

  func function() -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    { edit, _ in
      var edit = edit
      change(&edit.geometry)
      return edit
    }
  }
}
