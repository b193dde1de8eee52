internal import CZlib

/// A shared library that a liveedit process uses, as shown by `liveedit version --verbose`.
package struct LinkedLibrary: Codable, Hashable, Sendable {
  /// The name of the library.
  package var name: String
  /// The version of the library, or its interface number if the library provides no version.
  package var version: String
  /// The first digits of the library's GNU build identifier; nil if the library has no such identifier, or if the
  /// identifier was not looked up.
  package var build: String?

  /// - Parameters:
  ///   - name: The name of the library.
  ///   - version: The version of the library.
  ///   - build: The first digits of the library's GNU build identifier.
  package init(name: String, version: String, build: String? = nil) {
    self.name = name
    self.version = version
    self.build = build
  }

  /// zlib, which compresses colour profiles and pictures.
  ///
  /// The corresponding C function is `zlibVersion`.
  package static var zlib: LinkedLibrary {
    LinkedLibrary(name: "zlib", version: String(cString: zlibVersion()))
  }
}
