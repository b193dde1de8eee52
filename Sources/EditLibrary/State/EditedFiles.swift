import Basics
import EditModel
import FileSystem

/// The files in a folder that have the names of an asset's renders and adjustment data, under any extension and whoever
/// made them.
struct EditedFiles {
  /// The names, by role; more than one of a role is possible.
  private(set) var names: [(role: FileRole, name: String)] = []

  /// True if a name is among them.
  func contains(_ name: String) -> Bool { names.contains { $0.name == name } }

  /// Leaves a name out.
  mutating func remove(_ name: String) { names.removeAll { $0.name == name } }

  /// No files.
  init() {}

  /// Looks through a folder that was read.
  ///
  /// - Parameters:
  ///   - originals: the names of the asset's originals.
  ///   - stem: the asset's stem.
  ///   - listing: the folder.
  ///   - beside: the originals' folder; nil where it is the same one.
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

  /// Leaves out the files of another asset that has the stem of one of the originals: of a movie that has the photo's name
  /// and does not belong to it, or of a photo that has the movie's.
  ///
  /// - Parameters:
  ///   - originals: the names of the asset's originals.
  ///   - recorded: the names that are the asset's own, whatever else is there.
  ///   - key: a stem as stems are compared in the folder.
  ///   - isThere: tells whether the originals' folder has an original of a stem and a kind. It is asked only of what
  ///     another asset could have.
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
        // What a photo and a movie of one name have each is told by what there is of both.
        let isOwn = photo == nil && role != .photo && roles.contains(.movie) && !roles.contains(.photo)
        other = isOwn ? nil : (movie.stem, .photo)
      } else {
        other = nil
      }
      if let other, try isThere(other.stem, other.kind) { others.insert(name) }
    }
    names.removeAll { others.contains($0.name) }
  }

  /// Asks for each possible name, with extensions in any mixture of cases, so that a folder of any size takes the
  /// same time: about a hundred questions.
  ///
  /// - Parameters:
  ///   - originals: the names of the asset's originals.
  ///   - stem: the asset's stem.
  ///   - recorded: the files of the version that is shown.
  ///   - folder: the folder of the files.
  ///   - beside: the originals' folder; nil where it is the same one.
  ///   - present: what the folder holds, in lower case; nothing else is asked for. Nil where that is not known.
  init(
    originals: [String], ofAsset stem: String, recorded: [VersionFile], in folder: HeldFolder,
    originalsIn beside: HeldFolder? = nil, present: Set<String>? = nil
  ) throws(EditError) {
    func canBeThere(_ name: String) -> Bool { present?.contains(name.lowercased()) ?? true }
    // Where the file system ignores case, the recorded name is the one that counts: it comes first.
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
      // A name that is too long for the file system nothing has.
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

  /// Of names that differ in case alone, and that the file system takes for one, leaves the recorded one, or else the one that
  /// the folder lists.
  ///
  /// - Parameters:
  ///   - spelled: names that were found in several spellings, without their spelling.
  ///   - recorded: the recorded names.
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
      // Each of them is a file.
      if group.allSatisfy(listed.contains) { return (role, name) }
      // The system may remember another spelling of a file that is gone.
      guard !listed.alike(name).isEmpty, kept.insert(key).inserted else { return nil }
      let stem = RenderNames.Parts(name).stem
      let found = listed.alike(name).first { RenderNames.Parts($0).stem.hasBytes(of: stem) }
      return (role, group.first(where: recorded.contains) ?? found ?? name)
    }
  }

  /// A word in every mixture of lower and upper case, all upper case first.
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
