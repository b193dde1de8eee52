import Basics
import FileSystem

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
  private struct Place {
    let path: String
    let place: FileStatus.Place
    /// The photos and movies by size.
    var names: [Int: [String]] = [:]
    /// The SHA-256 of files that were hashed, by name.
    var sums: [String: String] = [:]
  }

  private var places: [Place] = []

  /// Looks which files there are; none is read.
  ///
  /// - Parameter folders: the assets' folder, and others. One that is not there, or not for this user, is left out.
  /// - Throws: ``EditError`` when the system does not tell.
  init(_ folders: [String]) throws(EditError) {
    for path in folders {
      do {
        let folder = try HeldFolder(path: path)
        try look(in: folder, at: folder.status.place)
      } catch SystemError.notFound, SystemError.notPermitted {
        continue
      } catch {
        throw EditError(reading: FilePath.shown(path), error)
      }
    }
  }

  private mutating func look(in folder: HeldFolder, at place: FileStatus.Place) throws {
    guard !places.contains(where: { $0.place == place }) else { return }
    var found = Place(path: folder.path, place: place)
    for name in try folder.names() where !name.hasPrefix(".") {
      guard HalfKind(fileExtension: RenderNames.Parts(name).fileExtension) != nil,
        let status = try folder.statusIfAny(name), status.kind == .regular
      else { continue }
      found.names[status.size, default: []].append(name)
    }
    places.append(found)
  }

  /// Looks for the originals of an asset, of which at least one is not where it was.
  ///
  /// - Parameter library: the asset's.
  /// - Returns: nil when they are nowhere, or not all in one folder.
  mutating func find(_ record: AssetRecord, of library: Library) throws(EditError) -> Answer? {
    var answers: [Answer] = []
    for index in places.indices {
      var names: [FileRole: [String]] = [:]
      for original in record.originals {
        names[original.role] = try candidates(for: original, at: index, record, library)
      }
      let folder = places[index].path
      guard names.values.allSatisfy({ !$0.isEmpty }) else { continue }
      if names.values.allSatisfy({ $0.count == 1 }) {
        answers.append(
          .renamed(folder: folder, photo: names[.photo]?.first, movie: names[.movie]?.first))
      } else {
        answers.append(.unclear(names.values.flatMap { $0 }.sorted().map { FilePath.joined(folder, $0) }))
      }
    }
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

  private mutating func candidates(
    for original: VersionFile, at index: Int, _ record: AssetRecord, _ library: Library
  ) throws(EditError) -> [String] {
    let (path, place) = (places[index].path, places[index].place)
    let isOwn = try whileReading(library.path("")) { try library.originalsFolder.status.place } == place
    // One half may have stayed where it was.
    if isOwn,
      try whileReading(library.path(original.name), { try library.originalsFolder.exists(original.name) })
    {
      return [original.name]
    }
    var found: [String] = []
    guard let names = places[index].names[original.fingerprint.size],
      let folder = try ifSound(path, { try HeldFolder(path: path) }),
      try whileReading(path, { try folder.status.place }) == place
    else { return [] }
    for name in names {
      let parts = RenderNames.Parts(name)
      guard HalfKind(fileExtension: parts.fileExtension).map(FileRole.init) == original.role else { continue }
      if places[index].sums[name] == nil {
        places[index].sums[name] = try whileReading(folder.path(name)) {
          try Digest.sha256(of: folder.source(name))
        }
      }
      guard places[index].sums[name] == original.fingerprint.sha256 else { continue }
      // Not a copy that has a history of its own.
      let other = isOwn ? library : try? Library.forReading(folder.path)
      let owner = try? other?.record(of: parts.stem)
      if let owner, !owner.stem.hasBytes(of: record.stem) || !isOwn,
        owner.originals.contains(where: { $0.name.hasBytes(of: name) })
      {
        continue
      }
      found.append(name)
    }
    return found.sorted()
  }
}

extension Library {
  /// True if an original is not where it was recorded.
  func hasLostOriginals(_ record: AssetRecord) throws(EditError) -> Bool {
    for original in record.originals {
      let isThere = try whileReading(path(original.name)) { try originalsFolder.exists(original.name) }
      if !isThere { return true }
    }
    return false
  }

  /// Lets history, marks and albums follow the originals that another program renamed or moved.
  ///
  /// - Parameter folders: where they are sought besides the assets' folder.
  func followRenamed(to folders: [String], _ report: Report) throws(EditError) {
    // In a library elsewhere nothing goes from one home to another, and nothing is written beside the originals.
    guard isBesideOriginals else { return }
    var search: OriginalSearch?
    for stem in try stems() {
      if isCancelled() {
        throw EditError(.cancelled, file: folder, "was not repaired to its end: stopped on request")
      }
      guard let record = try record(of: stem), unfinished[stem] == nil, try hasLostOriginals(record) else {
        continue
      }
      if search == nil { search = try OriginalSearch([folder] + folders) }
      let answer = try search?.find(record, of: self)
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
  /// The problem that a check tells, as a clause about the old original.
  var problem: Message {
    switch self {
    case .renamed(let folder, let photo, let movie):
      let names = [photo, movie].compactMap { $0 }.map { FilePath.joined(folder, $0) }
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
