/// Where a library keeps its files: in `.liveedit`, beside the originals. All paths are relative to their folder.
enum LibraryPaths {
  /// The library's folder.
  static let folder = ".liveedit"
  /// The catalogue.
  static let catalogue = folder + "/library.sqlite"
  /// What the originals say, as far as it was read: a cache.
  static let index = folder + "/index.sqlite"
  /// Marks and albums once more, for a catalogue that is lost.
  static let collections = folder + "/collections.json"
  /// The lock that a writer holds.
  static let lock = folder + "/lock"
  /// Files in the making.
  static let work = folder + "/work"
  /// The files of versions that are not shown.
  static let versions = folder + "/versions"

  /// The folder of one version.
  static func version(_ number: Int, of stem: String) -> String { "\(versions)/\(stem)/\(number)" }

  /// A version's own description, from which a lost catalogue is rebuilt.
  static func description(_ number: Int, of stem: String) -> String {
    version(number, of: stem) + "/version.json"
  }
}
