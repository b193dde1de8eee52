package import Basics
import FileSystem

/// The names of the XMP sidecar that other programs write beside an asset's originals: `IMG_0001.JPG.xmp` (digiKam,
/// darktable, Immich) or `IMG_0001.xmp` (Adobe's programs). liveedit reads this sidecar and never writes it.
enum SidecarNames {
  /// Returns the possible names of the sidecar. The first name that exists is used. Names based on the photo precede
  /// names based on the movie, and names with the original's extension precede names without the extension.
  ///
  /// - Parameter originals: The names of the originals, the photo first.
  static func possible(of originals: [String]) -> [String] {
    var bases: [String] = []
    for name in originals {
      for base in [name, RenderNames.Parts(name).stem] where !bases.contains(base) { bases.append(base) }
    }
    return bases.flatMap { [$0 + ".xmp", $0 + ".XMP"] }
  }
}

extension FolderListing {
  /// Returns the names of an asset's sidecars, of which only the first is used.
  ///
  /// - Parameter originals: The names of the asset's originals, the photo first.
  func sidecars(of originals: [String]) -> [String] {
    guard hasSidecars else { return [] }
    var found: [String] = []
    for name in SidecarNames.possible(of: originals) {
      let listed = names(stem: RenderNames.Parts(name).stem).filter { key($0) == key(name) }
      found += listed.filter { !found.contains($0) }
    }
    return found
  }
}

extension HeldFolder {
  /// Returns the names of an asset's sidecars, of which only the first is used.
  ///
  /// - Parameter originals: The names of the asset's originals, the photo first.
  func sidecars(of originals: [String]) throws(EditError) -> [String] {
    var found: [String] = []
    for name in SidecarNames.possible(of: originals) where name.utf8.count <= FileName.longest {
      // A symbolic link that must not be followed does not count as a sidecar.
      let status = try ifSound(path(name)) { try statusIfAny(name, followingLinks: true) }
      if status?.kind == .regular { found.append(name) }
    }
    return found
  }
}

extension Library {
  /// Returns the path of an asset's sidecar, or nil if the asset has no sidecar.
  package func sidecarPath(of record: AssetRecord) throws(EditError) -> String? {
    try originalsFolder.sidecars(of: record.originals.map(\.name)).first.map(originalPath)
  }
}
