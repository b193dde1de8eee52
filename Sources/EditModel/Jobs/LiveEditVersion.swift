/// The version of liveedit itself. ``RenderResult/build`` also contains the versions of the libraries used for
/// rendering.
package enum LiveEditVersion {
  /// The current version.
  package static let current = "0.4.0"

  /// The beginning of ``RenderResult/build`` for renders by this version; the libraries' versions follow.
  package static let buildPrefix = "liveedit \(current) "
}
