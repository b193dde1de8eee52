internal import CZlib

/// A shared library that a process of liveedit uses, as `liveedit version --verbose` names it.
package struct LinkedLibrary: Codable, Hashable, Sendable {
  /// Its name.
  package var name: String
  /// Its version; the number of its interface where it tells no other.
  package var version: String
  /// The first digits of its GNU build identifier; nil where it has none, or nobody looked.
  package var build: String?

  /// - Parameters:
  ///   - name: its name.
  ///   - version: its version.
  ///   - build: the first digits of its build identifier.
  package init(name: String, version: String, build: String? = nil) {
    self.name = name
    self.version = version
    self.build = build
  }

  /// zlib, which packs colour profiles and pictures.
  ///
  /// The corresponding C function is `zlibVersion`.
  package static var zlib: LinkedLibrary {
    LinkedLibrary(name: "zlib", version: String(cString: zlibVersion()))
  }
}
