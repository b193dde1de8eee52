import Basics
import EditModel
import FileSystem

/// The files in a folder that have the names of an asset's renders and adjustment data, under any extension and
/// regardless of the program that made them.
struct EditedFiles {
  /// The names, by role. A role can have several names.
  private(set) var names: [(role: FileRole, name: String)] = []

  /// Whether a name belongs to one of these files.
  func contains(_ name: String) -> Bool { names.contains { $0.name == name } }

  /// Removes a name.
  mutating func remove(_ name: String) { names.removeAll { $0.name == name } }

  /// Creates an empty set of files.
  init() {}

  /// Finds the files in a folder that was read before.
  ///
  /// - Parameters:
  ///   - originals: The names of the asset's originals.
  ///   - stem: The asset's stem.
  ///   - listing: The folder.
  ///   - beside: The originals' folder, or nil if it is the same folder.
  init(
    originals: [String], ofAsset stem: String, in listing: FolderListing,
    originalsIn beside: FolderListing? = nil
  ) {
    let isAlone = originals.contains(where: HalfKind.standsAlone)
    for stem in RenderNames.stems(ofAsset: stem, originals: originals) {
      for name in listing.names(stem: RenderNames.renderStem(of: stem)) {
        let isPossible = isAlone || !HalfKind.standsAlone(name)
        if isPossible, let half = HalfKind(fileExtension: RenderNames.Parts(name).fileExtension) {
          names.append((FileRole(half), name))
        }
      }
      for name in listing.adjustments(stem: stem) { names.append((.adjustments, name)) }
    }
    sort()
    let beside = beside ?? listing
    if originals.contains(stem) { return }
    leaveToNamesakes(originals, key: listing.key) { stem, kind in
      !beside.halves(stem: stem, kind: kind).isEmpty
    }
  }

  /// Removes the files of another asset that has the stem of one of the originals: a movie that has the photo's name
  /// but is not paired with it, or a photo that has the movie's name.
  ///
  /// - Parameters:
  ///   - originals: The names of the asset's originals.
  ///   - recorded: The names that belong to the asset in any case.
  ///   - key: A function that returns a stem in the form in which the folder compares stems.
  ///   - isThere: A function that returns whether the originals' folder contains an original with a stem and a kind.
  ///     This function is called only for files that could belong to another asset.
  private mutating func leaveToNamesakes<Failure: Error>(
    _ originals: [String], recorded: [String] = [], key: (String) -> String = { $0 },
    isThere: (_ stem: String, _ kind: HalfKind) throws(Failure) -> Bool
  ) throws(Failure) {
    func original(_ kind: HalfKind) -> RenderNames.Parts? {
      originals.map(RenderNames.Parts.init).first { HalfKind(fileExtension: $0.fileExtension) == kind }
    }
    let (photo, movie) = (original(.photo), original(.movie))
    let roles = Set(names.map(\.role))
    var others: Set<String> = []
    for (role, name) in names where !recorded.contains(name) {
      let stem = key(RenderNames.Parts(name).stem)
      let other: (stem: String, kind: HalfKind)?
      if let photo, [photo.stem, RenderNames.renderStem(of: photo.stem)].map(key).contains(stem) {
        let isOfMovie =
          role == .movie || role == .adjustments && !roles.contains(.photo) && roles.contains(.movie)
        other = isOfMovie && movie == nil ? (photo.stem, .movie) : nil
      } else if let movie {
        // For a photo and a movie with the same name, all their files together determine which files belong to the
        // photo and which to the movie.
        let isOwn = photo == nil && role != .photo && roles.contains(.movie) && !roles.contains(.photo)
        other = isOwn ? nil : (movie.stem, .photo)
      } else {
        other = nil
      }
      if let other, try isThere(other.stem, other.kind) { others.insert(name) }
    }
    names.removeAll { others.contains($0.name) }
  }

  /// Checks each possible name, with extensions in every mixture of upper and lower case, so that the time required
  /// does not depend on the folder's size. About a hundred names are checked.
  ///
  /// - Parameters:
  ///   - originals: The names of the asset's originals.
  ///   - stem: The asset's stem.
  ///   - recorded: The files of the displayed version.
  ///   - folder: The folder of the files.
  ///   - beside: The originals' folder, or nil if it is the same folder.
  ///   - present: The names in the folder, in lower case. Other names are not checked. Nil if the names are unknown.
  init(
    originals: [String], ofAsset stem: String, recorded: [VersionFile], in folder: HeldFolder,
    originalsIn beside: HeldFolder? = nil, present: Set<String>? = nil
  ) throws(EditError) {
    func canBeThere(_ name: String) -> Bool { present?.contains(name.lowercased()) ?? true }
    // The recorded name comes first, because it applies if the file system ignores case.
    let isAlone = originals.contains(where: HalfKind.standsAlone)
    var candidates = recorded.filter { canBeThere($0.name) }.map { (role: $0.role, name: $0.name) }
    for stem in RenderNames.stems(ofAsset: stem, originals: originals) {
      let render = RenderNames.renderStem(of: stem)
      for (role, stem, extensions) in [
        (FileRole.photo, render, HalfKind.photo.extensions), (.movie, render, HalfKind.movie.extensions),
        (.adjustments, stem, ["aae"]),
      ] {
        for one in extensions
        where (isAlone || !HalfKind.standsAlone("x." + one)) && canBeThere("\(stem).\(one)") {
          candidates += Self.inAllCases(one).map { (role, "\(stem).\($0)") }
        }
      }
    }
    var seen: [FileStatus.Place: Set<String>] = [:]
    var (found, spelled): (Set<String>, Set<String>) = ([], [])
    var tried: Set<ExactName> = []
    for (role, name) in candidates where tried.insert(ExactName(name)).inserted {
      // A file cannot exist if its name is too long for the file system.
      guard name.utf8.count <= FileName.longest else { continue }
      try whileReading(folder.path(name)) {
        guard let place = try folder.statusIfAny(name)?.place else { return }
        let key = FileName.withoutSpelling(name)
        if seen[place, default: []].insert(key).inserted { names.append((role, name)) }
        if !found.insert(key).inserted { spelled.insert(key) }
      }
    }
    try keepListed(spelled, recorded.map(\.name), in: folder)
    sort()
    let beside = beside ?? folder
    if originals.contains(stem) { return }
    try leaveToNamesakes(originals, recorded: recorded.map(\.name)) { stem, kind throws(EditError) in
      for one in kind.extensions where !HalfKind.standsAlone("x." + one) {
        for name in Self.inAllCases(one).map({ "\(stem).\($0)" }) where !originals.contains(name) {
          let isOther = try whileReading(beside.path(name)) {
            try beside.exists(name) && !originals.contains { try beside.isOneEntry(name, $0) }
          }
          if isOther { return true }
        }
      }
      return false
    }
  }

  /// Removes duplicates among names that differ only in case and that the file system treats as equal. The recorded
  /// name is kept or, if no recorded name exists, the name that the folder lists.
  ///
  /// - Parameters:
  ///   - spelled: The names that were found in several spellings, normalised to remove differences in spelling.
  ///   - recorded: The recorded names.
  private mutating func keepListed(
    _ spelled: Set<String>, _ recorded: [String], in folder: HeldFolder
  ) throws(EditError) {
    if spelled.isEmpty { return }
    let listed = ListedNames(try whileReading(folder.path) { try folder.names() })
    var kept: Set<String> = []
    names = names.compactMap { role, name in
      let key = FileName.withoutSpelling(name)
      guard spelled.contains(key) else { return (role, name) }
      let group = names.map(\.name).filter { FileName.withoutSpelling($0) == key }
      // Each of the names is a separate file.
      if group.allSatisfy(listed.contains) { return (role, name) }
      // The system may cache another spelling of a file that no longer exists.
      guard !listed.alike(name).isEmpty, kept.insert(key).inserted else { return nil }
      let stem = RenderNames.Parts(name).stem
      let found = listed.alike(name).first { RenderNames.Parts($0).stem.hasBytes(of: stem) }
      return (role, group.first(where: recorded.contains) ?? found ?? name)
    }
  }

  /// Returns a word in every mixture of lower and upper case, all upper case first.
  private static func inAllCases(_ word: String) -> [String] {
    word.reduce([""]) { beginnings, letter in
      let cases = letter.isLetter ? [letter.uppercased(), letter.lowercased()] : [String(letter)]
      return beginnings.flatMap { beginning in cases.map { beginning + $0 } }
    }
  }

  private mutating func sort() {
    names.sort { ($0.role.order, $0.name) < ($1.role.order, $1.name) }
  }
}
