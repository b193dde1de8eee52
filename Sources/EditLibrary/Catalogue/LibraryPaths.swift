import FileSystem

/// The places of a library's files: in `.liveedit`, beside the originals. All are relative to the originals' folder.
enum LibraryPaths {
  /// The library's folder.
  static let folder = HeldFolder.ownPrefix
  /// The catalogue.
  static let catalogue = folder + "/library.sqlite"
  /// A catalogue in the making.
  static let newCatalogue = folder + "/library.sqlite.new"
  /// The index of the originals' metadata: a cache.
  static let index = folder + "/index.sqlite"
  /// A copy of marks and albums, for a catalogue that is lost.
  static let collections = folder + "/collections.json"
  /// The lock that a writer holds.
  static let lock = folder + "/lock"
  /// Files in the making.
  static let work = folder + "/work"
  /// The files of versions that are not shown.
  static let versions = folder + "/versions"

  /// Finished renders of interrupted batches.
  static let kept = folder + "/kept"

  /// The folder of the renders of a batch.
  static func kept(_ batch: String) -> String { "\(kept)/\(batch)" }

  /// The folder of a batch's render of an asset.
  static func kept(_ batch: String, _ stem: String) -> String { "\(kept(batch))/\(stem)" }

  /// The folder of all versions of an asset.
  static func versions(of stem: String) -> String { "\(versions)/\(stem)" }

  /// The folder of one version.
  static func version(_ number: Int, of stem: String) -> String { "\(versions(of: stem))/\(number)" }

  /// A version's own description, from which a lost catalogue is rebuilt.
  static func description(_ number: Int, of stem: String) -> String {
    version(number, of: stem) + "/version.json"
  }

  /// The number that the name of a version's folder stands for; nil for names that liveedit does not give.
  static func number(ofFolder name: String) -> Int? {
    guard let number = Int(name), Version.numbers.contains(number), String(number) == name else { return nil }
    return number
  }

  /// The stems of the assets that a name beside the originals can belong to.
  static func stems(ofName name: String) -> [String] {
    let stem = RenderNames.Parts(name).stem
    return [RenderNames.originalStem(ofRender: stem), stem].compactMap { $0 }
  }

  /// The name of a file in the making: what it is, the process that makes it, and a count.
  static func workName(_ kind: String, _ number: Int) -> String {
    "\(kind)-\(ChildProcess.ownIdentifier)-\(number)"
  }

  /// True if a name in the work folder is one that liveedit gives.
  static func isWorkName(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 3 && workKinds.contains(String(parts[0])) && Int32(parts[1]) != nil
      && Int(parts[2]) != nil
  }

  /// True if a name in the work folder is that of a folder in which a helper makes a file.
  static func isRenderFolder(_ name: String) -> Bool { RenderFolder.isName(name, isWorkName) }

  /// The first words of the names of files in the making.
  private static let workKinds = FileRole.allCases.map(\.rawValue) + ["description", "collections"]
}
