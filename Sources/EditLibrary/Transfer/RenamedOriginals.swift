import Basics
import EditModel
import FileSystem
import Synchronization

/// The search for originals that another program renamed or moved to another folder: files with the recorded size and
/// SHA-256 under other names.
struct OriginalSearch {
  /// The fate of originals that are not where they were.
  enum Answer {
    /// They are all in one folder, under these names.
    case renamed(folder: String, photo: String?, movie: String?)
    /// Each of these files could be one of them.
    case unclear([String])
  }

  /// A folder that is looked through. It is not held open: there can be more of them than a process may have open files.
  fileprivate struct Place {
    let path: String
    let place: FileStatus.Place
    /// All names.
    let listed: ListedNames
    /// The photos and movies.
    private(set) var names: [Kind: [String]] = [:]
    /// The same by their SHA-256, of the kinds that were asked for.
    private var hashed: [Kind: [String: [String]]] = [:]

    /// The facts that tell files apart without reading.
    struct Kind: Hashable {
      let half: HalfKind?
      let size: Int

      init(_ original: VersionFile) {
        (half, size) = (HalfKind.allCases.first { FileRole($0) == original.role }, original.fingerprint.size)
      }

      init(_ half: HalfKind, size: Int) { (self.half, self.size) = (half, size) }
    }

    /// Looks which files there are; none is read.
    ///
    /// - Returns: nil for a folder that is not there, or not for this user.
    /// - Throws: ``EditError`` when the system does not tell.
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

    /// The files with the content of an original, as they are in the folder that has this place now.
    mutating func names(of original: VersionFile, in folder: HeldFolder) throws(EditError) -> [String] {
      let kind = Kind(original)
      if hashed[kind] == nil {
        var sums: [String: [String]] = [:]
        for name in names[kind] ?? [] {
          // One that a repair gave another name meanwhile is an asset's own.
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

  /// Looks which files there are in an assets' folder; none is read.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder.
  ///   - folders: where they are sought besides; nil for nowhere.
  /// - Throws: ``EditError`` when the system does not tell.
  init(_ folder: String, and folders: SoughtFolders?) throws(EditError) {
    own = try Place(folder)
    self.folders = folders
  }

  /// The originals of an asset in its own folder if they are there under other spellings of their names; nil otherwise.
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

  /// Looks for the originals of an asset, of which at least one is not where it was.
  ///
  /// - Parameter library: the asset's.
  /// - Returns: nil when they are nowhere, or not all in one folder.
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
  /// The originals of an asset, as far as they all are in this folder.
  ///
  /// - Parameter isOwn: true for the assets' own folder.
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
    // One half may have stayed where it was, or have another spelling now.
    if isOwn, let name = try library.presentName(of: original, of: record, among: listed) { return [name] }
    let (path, place) = (path, place)
    guard names[Kind(original)] != nil, let folder = try ifSound(path, { try HeldFolder(path: path) }),
      try whileReading(path, { try folder.status.place }) == place
    else { return [] }
    var found: [String] = []
    for name in try names(of: original, in: folder) {
      // Not a copy that has a history of its own.
      let other = isOwn ? library : try? Library.forReading(folder.path)
      let owner = try? other?.record(ofOriginal: name)
      if let owner, !owner.stem.hasBytes(of: record.stem) || !isOwn { continue }
      found.append(name)
    }
    return found.sorted()
  }
}

/// Folders in which originals are sought that are not in their own any more. They are looked through once for all the
/// libraries of a command, and each file in them is hashed once at most.
package final class SoughtFolders: Sendable {
  private struct State {
    var places: [OriginalSearch.Place] = []
    /// The numbers of the places that have files of a kind.
    var withKind: [OriginalSearch.Place.Kind: [Int]] = [:]
  }

  private let paths: [String]
  private let state = Mutex<State?>(nil)

  /// - Parameter paths: the folders. One that is not there, or not for this user, is left out.
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

  /// The originals of an asset in each folder that has them all.
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
  /// True if an original is not where it was recorded, or is not listed with the bytes of its recorded name.
  ///
  /// - Parameter listed: the names in the originals' folder; nil until they are needed.
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

  /// The name of an original as its folder lists it: the recorded one, or the same in another spelling; nil if neither is there, or
  /// it is that of another asset.
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

  /// Lets history, marks and albums follow the originals that another program renamed or moved.
  ///
  /// - Parameters:
  ///   - folders: where they are sought besides the assets' folder.
  ///   - isSpelling: true to follow only those whose names have another spelling.
  func followRenamed(
    to folders: SoughtFolders?, onlyInSpelling isSpelling: Bool = false, _ report: Report
  ) throws(EditError) {
    // In a library elsewhere nothing goes from one home to another, and nothing is written beside the originals.
    guard isBesideOriginals else { return }
    var search: OriginalSearch?
    var listed: ListedNames?
    for stem in try stems() {
      if isCancelled() {
        throw EditError(.cancelled, file: folder, "was not repaired to its end: stopped on request")
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
        report("\(stem) was renamed to \(new): its history went along")
      } catch {
        report("the history of \(stem) cannot go along: \(error)")
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
  /// True if the originals are in their own folder under other spellings of their names.
  func isRespelling(of record: AssetRecord, in own: String) -> Bool {
    guard case .renamed(let folder, let photo, let movie) = self, folder.hasBytes(of: own) else {
      return false
    }
    return record.originals.allSatisfy { original in
      FileName.areAlike((original.role == .photo ? photo : movie) ?? "", original.name)
    }
  }

  /// The problem that a check tells, as a clause about the old original.
  func problem(of record: AssetRecord, in own: String) -> Message {
    switch self {
    case .renamed(let folder, let photo, let movie):
      let names = [photo, movie].compactMap { $0 }.map { FilePath.joined(folder, $0) }
      if isRespelling(of: record, in: own) {
        return "is there under another spelling of its name: \(names.joined(separator: " + "))"
      }
      return "was renamed to \(names.joined(separator: " + "))"
    case .unclear(let paths):
      return
        "is gone, and each of \(paths.joined(separator: ", ")) is the same file: check --repair takes its history "
        + "along once only one of them is there"
    }
  }

  /// The repair, as a clause about it; nil where it is unclear.
  var repair: Message? {
    guard case .renamed = self else { return nil }
    return "takes its history along"
  }
}
