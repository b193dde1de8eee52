/// The version of liveedit itself; the libraries that it renders with are in ``RenderResult/build`` besides.
public enum LiveEditVersion {
  /// The running version.
  public static let current = "0.1.1"

  /// What ``RenderResult/build`` begins with where this version rendered; the libraries come next.
  public static let buildPrefix = "liveedit \(current) "
}
