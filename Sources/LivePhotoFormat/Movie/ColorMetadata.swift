/// Metadata whose values tell how colours were made, and are wrong when an edit changed them.
enum ColorMetadata {
  static let reason = "describes colours as they were before the edit"

  /// True if a key's values are no longer true when colours are changed: those of photographic styles
  /// (`smartstyle.…`, `smartstyle-info`).
  static func describesColors(_ key: String) -> Bool {
    let prefix = "com.apple.quicktime."
    return key.hasPrefix(prefix) && key.dropFirst(prefix.count).hasPrefix("smartstyle")
  }

  /// Takes the keys of that kind out of a `meta` atom, and names them.
  static func remove(from meta: inout Atom) throws -> [String] {
    try MetadataItems.remove(from: &meta) { describesColors($0.name) }
  }
}
