internal import CCrypto
internal import CSQLite
package import EditModel

extension LinkedLibrary {
  /// The shared libraries used to store versions: for the catalogue, for hashes and for adjustment data.
  ///
  /// The corresponding C functions are `sqlite3_libversion` and `OpenSSL_version`.
  package static var own: [LinkedLibrary] {
    let crypto = String(cString: OpenSSL_version(0)).split(separator: " ").prefix(2).last.map(String.init)
    return [
      LinkedLibrary(name: "SQLite", version: String(cString: sqlite3_libversion())),
      LinkedLibrary(name: "OpenSSL", version: crypto ?? ""), .zlib,
    ]
  }
}
