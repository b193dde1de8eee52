import Basics
import FileSystem

/// Handles version files and folders that are in the wrong place.
extension Library {
  /// Renames version folders to the names that their descriptions state. A folder whose name is taken keeps its current
  /// name.
  func bringBackFolders(_ report: Report) throws(EditError) {
    try whileWriting(path(LibraryPaths.versions)) {
      for stem in try home.namesIfAny(in: LibraryPaths.versions).sorted() {
        let folder = LibraryPaths.versions(of: stem)
        guard try home.status(folder).kind == .folder else { continue }
        for name in try home.names(in: folder) where !HeldFolder.isSetAside(name) {
          let place = folder + "/" + name
          guard try home.status(place).kind == .folder,
            let read = try description(at: place + "/version.json")
          else { continue }
          // Another canonical form of the name is handled together with the originals, whose names may also have that
          // form.
          if read.stem == stem, read.number == LibraryPaths.number(ofFolder: name) { continue }
          let right = LibraryPaths.version(read.number, of: read.stem)
          guard !right.hasBytes(of: place), FileName.parts(of: right) != nil, try !home.exists(right) else {
            continue
          }
          let made = try FileMover.makeParents(of: right, in: home)
          try home.move(place, toFree: right)
          for place in [right] + made + [place] { try home.syncFolder(FileMover.parent(place)) }
          report(
            "renamed \(path(place)) back to \(path(right)): it contains version \(read.number) of \(read.stem)"
          )
        }
        try? home.removeFolder(folder)
      }
    }
  }

  /// Moves version files to their correct paths if they are elsewhere in the asset's folder or are conflict copies
  /// beside the originals.
  func placeFiles(of record: AssetRecord) throws(EditError) {
    try whileWriting(path(LibraryPaths.versions(of: record.stem))) {
      let candidates = try strayFiles(of: record)
      guard !candidates.isEmpty else { return }
      var owned: Set<String> = []
      func right(_ file: VersionFile, _ version: Version) -> String {
        LibraryPaths.version(version.number, of: record.stem) + "/" + file.name
      }
      func isThere(_ file: VersionFile, _ place: String) throws -> Bool {
        try home.exists(place) && file.fingerprint.matches(place, in: home)
      }
      for version in record.versions {
        for file in version.files where try isThere(file, right(file, version)) {
          owned.insert(right(file, version))
        }
      }
      // Newer versions come first, because moving their files may free a name that an older version needs.
      for version in record.versions.reversed() {
        for file in version.files where !owned.contains(right(file, version)) {
          let target = right(file, version)
          guard try !isThere(file, file.name) else { continue }
          for place in candidates[file.fingerprint.size] ?? [] {
            guard try home.exists(place), try file.fingerprint.matches(place, in: home),
              try !home.exists(target)
            else { continue }
            let made = try FileMover.makeParents(of: target, in: home)
            if owned.contains(place) || FileMove.isBeside(place) {
              try copyFile(home.source(place), at: path(place), to: target, in: home)
            } else {
              try home.move(place, toFree: target)
            }
            for place in [target] + made + [place] { try home.syncFolder(FileMover.parent(place)) }
            owned.insert(target)
            break
          }
        }
      }
    }
  }

  /// Returns the files in an asset's versions folder and the conflict copies of its renders, by size.
  private func strayFiles(of record: AssetRecord) throws -> [Int: [String]] {
    let folder = LibraryPaths.versions(of: record.stem)
    var places: [String] = []
    if try home.statusIfAny(folder)?.kind == .folder {
      for number in try home.names(in: folder) where try home.status(folder + "/" + number).kind == .folder {
        places += try home.names(in: folder + "/" + number).map { "\(folder)/\(number)/\($0)" }
      }
    }
    let renders = Set(record.versions.flatMap(\.files).map(\.name))
    places += try home.namesIfAny(in: "").filter { name in
      ConflictCopy.original(of: name).map(renders.contains) ?? false
    }
    var files: [Int: [String]] = [:]
    for place in places {
      guard let status = try home.statusIfAny(place), status.kind == .regular else { continue }
      files[status.size, default: []].append(place)
    }
    return files
  }
}
