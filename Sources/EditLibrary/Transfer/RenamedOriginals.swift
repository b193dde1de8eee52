import Basics
import EditModel
import FileSystem
import Synchronization

/// Searches for originals that another program renamed or moved to another folder: files with the recorded size and
/// SHA-256 under other names.
struct OriginalSearch {
  /// The result of searching for missing originals.
  enum Answer {
    /// All originals are in one folder, under these names.
    case renamed(folder: String, photo: String?, movie: String?)
    /// Each of these files could be one of the originals.
    case unclear([String])
  }

  /// A folder that is searched. The folder is not kept open, because the number of folders can exceed the number of
  /// files that a process may open.
  fileprivate struct Place {
    let path: String
    let place: FileStatus.Place
    /// All names in the folder.
    let listed: ListedNames
    /// The names of the photos and movies in the folder, by kind.
    private(set) var names: [Kind: [String]] = [:]
    /// The photos and movies by their SHA-256, for the kinds that were requested.
    private var hashed: [Kind: [String: [String]]] = [:]

    /// The properties that distinguish files without reading them.
    struct Kind: Hashable {
      let half: HalfKind?
      let size: Int

      init(_ original: VersionFile) {
        (half, size) = (HalfKind.allCases.first { FileRole($0) == original.role }, original.fingerprint.size)
      }

      init(_ half: HalfKind, size: Int) { (self.half, self.size) = (half, size) }
    }

    /// Lists a folder's files without reading them.
    ///
    /// - Returns: The listed folder, or nil if the folder does not exist or is not readable for this user.
    /// - Throws: ``EditError`` if the system cannot determine whether the folder is readable.
    init?(_ path: String) throws(EditError) {
      do {
        let folder = try HeldFolder(path: path)
        (self.path, place) = (folder.path, try folder.status.place)
        let all = try folder.names()
        listed = ListedNames(all)
        for name in all where !name.hasPrefix(".") {
          guard let half = HalfKind(fileExtension: RenderNames.Parts(name).fileExtension),
            let status = try folder.statusIfAny(name), status.kind == .regular
          else { continue }
          names[Kind(half, size: status.size), default: []].append(name)
        }
      } catch SystemError.notFound, SystemError.notPermitted {
        return nil
      } catch {
        throw EditError(reading: FilePath.shown(path), error)
      }
    }

    /// Returns the names of the files that have the content of an original.
    ///
    /// - Parameter folder: The folder that is currently open at this path.
    mutating func names(of original: VersionFile, in folder: HeldFolder) throws(EditError) -> [String] {
      let kind = Kind(original)
      if hashed[kind] == nil {
        var sums: [String: [String]] = [:]
        for name in names[kind] ?? [] {
          // A file that a repair has renamed in the meantime belongs to an asset.
          let sum = try whileReading(folder.path(name)) {
            try folder.exists(name) ? Digest.sha256(of: folder.source(name)) : nil
          }
          if let sum { sums[sum, default: []].append(name) }
        }
        hashed[kind] = sums
      }
      return hashed[kind]?[original.fingerprint.sha256] ?? []
    }
  }

  private var own: Place?
  private let folders: SoughtFolders?

  /// Lists the files in an assets' folder without reading them.
  ///
  /// - Parameters:
  ///   - folder: The assets' folder.
  ///   - folders: The other folders to search, or nil for none.
  /// - Throws: ``EditError`` if the folder cannot be read.
  init(_ folder: String, and folders: SoughtFolders?) throws(EditError) {
    own = try Place(folder)
    self.folders = folders
  }

  /// Returns the originals of an asset in its own folder if they exist there under other spellings of their names;
  /// otherwise nil.
  func inOtherSpelling(_ record: AssetRecord, of library: Library) throws(EditError) -> Answer? {
    guard let own else { return nil }
    var found: [FileRole: String] = [:]
    for original in record.originals {
      guard let name = try library.presentName(of: original, of: record, among: own.listed) else {
        return nil
      }
      found[original.role] = name
    }
    return .renamed(folder: own.path, photo: found[.photo], movie: found[.movie])
  }

  /// Searches for the originals of an asset if at least one of them is missing.
  ///
  /// - Parameter library: The asset's library.
  /// - Returns: The result, or nil if the originals were not found, or were not all found in one folder.
  mutating func find(_ record: AssetRecord, of library: Library) throws(EditError) -> Answer? {
    var answers: [Answer] = []
    let home = try whileReading(library.path("")) { try library.originalsFolder.status.place }
    let place = own?.place
    if let answer = try own?.answer(record, of: library, isOwn: place == home) { answers.append(answer) }
    answers += try folders?.answers(record, of: library, besides: [place, home]) ?? []
    guard answers.count > 1 else { return answers.first }
    return .unclear(
      answers.flatMap { answer in
        switch answer {
        case .unclear(let paths): paths
        case .renamed(let folder, let photo, let movie):
          [photo, movie].compactMap { $0 }.map { FilePath.joined(folder, $0) }
        }
      })
  }
}

extension OriginalSearch.Place {
  /// Returns the originals of an asset if they are all in this folder.
  ///
  /// - Parameter isOwn: Whether this is the asset's own folder.
  fileprivate mutating func answer(
    _ record: AssetRecord, of library: Library, isOwn: Bool
  ) throws(EditError) -> OriginalSearch.Answer? {
    var found: [FileRole: [String]] = [:]
    for original in record.originals {
      let candidates = try candidates(for: original, record, library, isOwn: isOwn)
      if candidates.isEmpty { return nil }
      found[original.role] = candidates
    }
    if found.values.allSatisfy({ $0.count == 1 }) {
      return .renamed(folder: path, photo: found[.photo]?.first, movie: found[.movie]?.first)
    }
    return .unclear(found.values.flatMap { $0 }.sorted().map { FilePath.joined(path, $0) })
  }

  private mutating func candidates(
    for original: VersionFile, _ record: AssetRecord, _ library: Library, isOwn: Bool
  ) throws(EditError) -> [String] {
    // One half may still be in its folder, or have another spelling now.
    if isOwn, let name = try library.presentName(of: original, of: record, among: listed) { return [name] }
    let (path, place) = (path, place)
    guard names[Kind(original)] != nil, let folder = try ifSound(path, { try HeldFolder(path: path) }),
      try whileReading(path, { try folder.status.place }) == place
    else { return [] }
    var found: [String] = []
    for name in try names(of: original, in: folder) {
      // A copy with its own history is not a match.
      let other = isOwn ? library : try? Library.forReading(folder.path)
      let owner = try? other?.record(ofOriginal: name)
      if let owner, !owner.stem.hasBytes(of: record.stem) || !isOwn { continue }
      found.append(name)
    }
    return found.sorted()
  }
}

/// Folders to search for originals that are missing from their own folder. Each folder is listed once for all libraries
/// of a command, and each file in it is hashed at most once.
package final class SoughtFolders: Sendable {
  private struct State {
    var places: [OriginalSearch.Place] = []
    /// The indices of the folders that contain files of a kind.
    var withKind: [OriginalSearch.Place.Kind: [Int]] = [:]
  }

  private let paths: [String]
  private let state = Mutex<State?>(nil)

  /// Creates a set of folders to search.
  ///
  /// - Parameter paths: The paths of the folders. A folder that does not exist or is not readable for this user is left
  ///   out.
  package init(_ paths: [String]) { self.paths = paths }

  private func looked() throws(EditError) -> State {
    var state = State()
    var seen: Set<FileStatus.Place> = []
    for path in paths {
      guard let place = try OriginalSearch.Place(path), seen.insert(place.place).inserted else { continue }
      for kind in place.names.keys { state.withKind[kind, default: []].append(state.places.count) }
      state.places.append(place)
    }
    return state
  }

  /// Returns the originals of an asset for each folder that contains all of them.
  fileprivate func answers(
    _ record: AssetRecord, of library: Library, besides own: [FileStatus.Place?]
  ) throws(EditError) -> [OriginalSearch.Answer] {
    try state.withLock { state throws(EditError) in
      var known = if let state { state } else { try looked() }
      state = nil
      defer { state = known }
      guard let first = record.originals.first.map(OriginalSearch.Place.Kind.init) else { return [] }
      var answers: [OriginalSearch.Answer] = []
      for index in known.withKind[first] ?? [] where !own.contains(known.places[index].place) {
        if let answer = try known.places[index].answer(record, of: library, isOwn: false) {
          answers.append(answer)
        }
      }
      return answers
    }
  }
}

extension Library {
  /// Whether an original is missing at its recorded path, or is listed under a name with different bytes.
  ///
  /// - Parameter listed: The names in the originals' folder; nil until they are needed.
  func hasLostOriginals(_ record: AssetRecord, _ listed: inout ListedNames?) throws(EditError) -> Bool {
    for original in record.originals {
      let isListed = try whileReading(path(original.name)) {
        guard try originalsFolder.exists(original.name) else { return false }
        let names = if let listed { listed } else { ListedNames(try originalsFolder.names()) }
        listed = names
        return names.contains(original.name)
      }
      if !isListed { return true }
    }
    return false
  }

  /// Returns the name of an original, spelled exactly as in the directory listing: the recorded name, or the same name
  /// in another spelling. The result is nil if neither name exists, or if the name belongs to another asset.
  fileprivate func presentName(
    of original: VersionFile, of record: AssetRecord, among listed: ListedNames
  ) throws(EditError) -> String? {
    if listed.contains(original.name) { return original.name }
    guard let name = listed.spelling(of: original.name) else { return nil }
    if let owner = try self.record(ofOriginal: name), !owner.stem.hasBytes(of: record.stem) { return nil }
    return try whileReading(path(name)) {
      if try originalsFolder.isOneEntry(original.name, name) { return name }
      let isSame =
        try name == original.name && original.fingerprint.matches(name, in: originalsFolder, isOriginal: true)
      return isSame ? name : nil
    }
  }

  /// Moves the histories, flags and album positions of originals that another program renamed or moved to the new
  /// names.
  ///
  /// - Parameters:
  ///   - folders: The folders to search besides the assets' folder.
  ///   - isSpelling: Whether to follow only originals whose names are now spelled differently.
  func followRenamed(
    to folders: SoughtFolders?, onlyInSpelling isSpelling: Bool = false, _ report: Report
  ) throws(EditError) {
    // In a separate library, nothing is moved between library homes, and nothing is written beside the originals.
    guard isBesideOriginals else { return }
    var search: OriginalSearch?
    var listed: ListedNames?
    for stem in try stems() {
      if isCancelled() {
        throw EditError(.cancelled, file: folder, "was not repaired completely: stopped on request")
      }
      guard let record = try record(of: stem), unfinished[stem] == nil,
        try hasLostOriginals(record, &listed)
      else { continue }
      if search == nil { search = try OriginalSearch(folder, and: folders) }
      let answer =
        try isSpelling ? search?.inOtherSpelling(record, of: self) : search?.find(record, of: self)
      guard case .renamed(let found, let photo, let movie)? = answer else { continue }
      do throws(EditError) {
        let new = try follow(record, to: found, photo: photo, movie: movie, report)
        report("\(stem) was renamed to \(new); moved its history to the new name")
      } catch {
        report("cannot move the history of \(stem) to its new name: \(error)")
      }
    }
  }

  private func follow(
    _ record: AssetRecord, to folder: String, photo: String?, movie: String?, _ report: Report
  ) throws(EditError) -> String {
    let place = try whileReading(FilePath.shown(folder)) {
      try FileStatus(path: FilePath.shown(folder)).place
    }
    let isOwn = try whileReading(path("")) { try originalsFolder.status.place } == place
    let to =
      isOwn
      ? self
      : try Self.forWriting(
        folder, wait: LibraryLock.glance, beside: self, isCancelled: isCancelled, report: report)
    defer { if !isOwn { to.close() } }
    let new = try transfer(record, to: to, photo: photo, movie: movie, report: report)
    return to.path(new.originals.first?.name ?? new.stem)
  }
}

extension OriginalSearch.Answer {
  /// Whether the originals are in their own folder under other spellings of their names.
  func isRespelling(of record: AssetRecord, in own: String) -> Bool {
    guard case .renamed(let folder, let photo, let movie) = self, folder.hasBytes(of: own) else {
      return false
    }
    return record.originals.allSatisfy { original in
      FileName.areAlike((original.role == .photo ? photo : movie) ?? "", original.name)
    }
  }

  /// Returns the problem that a check reports, as a clause about the old original.
  func problem(of record: AssetRecord, in own: String) -> Message {
    switch self {
    case .renamed(let folder, let photo, let movie):
      let names = [photo, movie].compactMap { $0 }.map { FilePath.joined(folder, $0) }
      if isRespelling(of: record, in: own) {
        return "is present under another spelling of its name: \(names.joined(separator: " + "))"
      }
      return "was renamed to \(names.joined(separator: " + "))"
    case .unclear(let paths):
      return
        "is missing, and several files have its content (\(paths.joined(separator: ", "))): check --repair moves the history once "
        + "only one of these files is present"
    }
  }

  /// The repair, as a clause about the original, or nil if the result is ambiguous.
  var repair: Message? {
    guard case .renamed = self else { return nil }
    return "moves its history to the new name"
  }
}
