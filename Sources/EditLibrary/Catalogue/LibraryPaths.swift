import FileSystem

/// The paths of a library's files in `.liveedit`, relative to the originals' folder.
enum LibraryPaths {
  /// The library's folder.
  static let folder = HeldFolder.ownPrefix
  /// The path of the catalogue's database.
  static let catalogue = folder + "/library.sqlite"
  /// The path of a catalogue that is still being written.
  static let newCatalogue = folder + "/library.sqlite.new"
  /// The index of the originals' metadata, which is only a cache.
  static let index = folder + "/index.sqlite"
  /// A copy of the favourites, hidden assets and albums, used if the catalogue is lost.
  static let collections = folder + "/collections.json"
  /// The lock file that a writer keeps locked.
  static let lock = folder + "/lock"
  /// The work folder, which contains files that are still being written.
  static let work = folder + "/work"
  /// The folder for the files of versions that are not displayed.
  static let versions = folder + "/versions"

  /// The folder of finished renders that interrupted batches keep.
  static let kept = folder + "/kept"

  /// Returns the folder of a batch's renders.
  static func kept(_ batch: String) -> String { "\(kept)/\(batch)" }

  /// Returns the folder of a batch's render of an asset.
  static func kept(_ batch: String, _ stem: String) -> String { "\(kept(batch))/\(stem)" }

  /// Returns the folder that contains all versions of an asset.
  static func versions(of stem: String) -> String { "\(versions)/\(stem)" }

  /// Returns the folder of one version.
  static func version(_ number: Int, of stem: String) -> String { "\(versions(of: stem))/\(number)" }

  /// Returns the path of the `version.json` that describes a version, from which a lost catalogue is rebuilt.
  static func description(_ number: Int, of stem: String) -> String {
    version(number, of: stem) + "/version.json"
  }

  /// Returns the version number contained in the name of a version's folder, or nil if the name is not in liveedit's
  /// format.
  static func number(ofFolder name: String) -> Int? {
    guard let number = Int(name), Version.numbers.contains(number), String(number) == name else { return nil }
    return number
  }

  /// Returns the stems of the assets to which a file beside the originals can belong, judging by the file's name.
  static func stems(ofName name: String) -> [String] {
    let stem = RenderNames.Parts(name).stem
    return [RenderNames.originalStem(ofRender: stem), stem].compactMap { $0 }
  }

  /// Returns a name for a file in the work folder: its kind, the process that writes it, and a counter.
  static func workName(_ kind: String, _ number: Int) -> String {
    "\(kind)-\(ChildProcess.ownIdentifier)-\(number)"
  }

  /// Whether a name in the work folder has a form that liveedit uses.
  static func isWorkName(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 3 && workKinds.contains(String(parts[0])) && Int32(parts[1]) != nil
      && Int(parts[2]) != nil
  }

  /// Whether a name in the work folder belongs to one of the folders that the render helper writes to.
  static func isRenderFolder(_ name: String) -> Bool { RenderFolder.isName(name, isWorkName) }

  /// The first words of file names in the work folder.
  private static let workKinds = FileRole.allCases.map(\.rawValue) + ["description", "collections"]
}
