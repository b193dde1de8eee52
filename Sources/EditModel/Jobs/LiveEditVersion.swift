/// The version of liveedit itself; the libraries that it renders with are in ``RenderResult/build`` besides.
package enum LiveEditVersion {
  /// The running version.
  package static let current = "0.4.0"

  /// The beginning of ``RenderResult/build`` where this version rendered; the libraries' versions follow it.
  package static let buildPrefix = "liveedit \(current) "
}
