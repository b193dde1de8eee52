package import Basics
import FileSystem

/// The names of the XMP sidecar that other programs write beside an asset's originals: `IMG_0001.JPG.xmp` (digiKam, darktable,
/// Immich) or `IMG_0001.xmp` (Adobe's programs). It is read and never written.
enum SidecarNames {
  /// The names that it can have; the first of them that is there counts. Those of the photo come before those of the movie,
  /// and with the original's extension before those without.
  ///
  /// - Parameter originals: the names of the originals, the photo first.
  static func possible(of originals: [String]) -> [String] {
    var bases: [String] = []
    for name in originals {
      for base in [name, RenderNames.Parts(name).stem] where !bases.contains(base) { bases.append(base) }
    }
    return bases.flatMap { [$0 + ".xmp", $0 + ".XMP"] }
  }
}

extension FolderListing {
  /// The names of the sidecars of an asset; the first one counts.
  ///
  /// - Parameter originals: the names of its originals, the photo first.
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
  /// The names of the sidecars of an asset; the first one counts.
  ///
  /// - Parameter originals: the names of its originals, the photo first.
  func sidecars(of originals: [String]) throws(EditError) -> [String] {
    var found: [String] = []
    for name in SidecarNames.possible(of: originals) where name.utf8.count <= FileName.longest {
      // A link that must not be followed leads to no sidecar.
      let status = try ifSound(path(name)) { try statusIfAny(name, followingLinks: true) }
      if status?.kind == .regular { found.append(name) }
    }
    return found
  }
}

extension Library {
  /// The path of the sidecar of an asset; nil where there is none.
  package func sidecarPath(of record: AssetRecord) throws(EditError) -> String? {
    try originalsFolder.sidecars(of: record.originals.map(\.name)).first.map(originalPath)
  }
}
