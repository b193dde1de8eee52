import Basics
import EditModel
import FileSystem

/// The files in a folder that belong together, judging by their names. The files form one asset, or two assets if their
/// identifiers differ.
struct FileGroup: Hashable, Sendable {
  /// The name of the original photo.
  var photo: String?
  /// The name of the original movie.
  var movie: String?
  /// The renders and the adjustment data of the current version.
  var current: CurrentFiles
  /// The names of XMP sidecars beside the originals. Only the first sidecar is used.
  var sidecars: [String] = []
  /// Notes on ambiguous names, one sentence each.
  var notes: [Message] = []
  /// The whole name that identifies the asset, see ``OriginalFiles/wholeName``.
  var wholeName: String?

  /// The names of the originals.
  var originals: [String] { [photo, movie].compactMap { $0 } }
  /// The name that represents the asset: the photo's name or, without a photo, the movie's name.
  var name: String { photo ?? movie ?? "" }
  /// The stem that identifies the asset.
  var stem: String { wholeName ?? RenderNames.Parts(name).stem }

  /// Creates a group of originals with the files of its current version.
  init(
    photo: String?, movie: String?, wholeName: String? = nil, in listing: AssetListing, notes: [Message] = []
  ) {
    (self.photo, self.movie, self.wholeName, self.notes) = (photo, movie, wholeName, notes)
    current = CurrentFiles(names: [], areInHome: false)
    current = listing.currentFiles(of: originals, ofAsset: stem)
    sidecars = listing.originals.sidecars(of: originals)
  }

  init(
    photo: String?, movie: String?, current: CurrentFiles, sidecars: [String] = [], wholeName: String? = nil
  ) {
    (self.photo, self.movie, self.current, self.sidecars) = (photo, movie, current, sidecars)
    self.wholeName = wholeName
  }

  /// Groups the names of a folder. Hidden files, whose names begin with a dot, are left out.
  ///
  /// - Parameter pairs: The movies that are paired with photos of other names, if known, by the photos' names.
  /// - Returns: The groups in the order of their stems.
  static func all(in listing: AssetListing, pairs: [String: String] = [:]) -> [FileGroup] {
    var groups: [FileGroup] = []
    for stem in listing.originals.stems where !stem.hasPrefix(".") {
      groups += Self.groups(stem: stem, in: listing)
    }
    guard !pairs.isEmpty else { return groups }
    let alone = Dictionary(
      groups.enumerated().filter { $0.element.photo == nil }.map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    var taken: Set<Int> = []
    for index in groups.indices {
      guard groups[index].movie == nil, let photo = groups[index].photo, let movie = pairs[photo],
        let other = alone[movie], taken.insert(other).inserted
      else { continue }
      groups[index] = FileGroup(
        photo: photo, movie: movie, wholeName: groups[index].wholeName, in: listing,
        notes: groups[index].notes)
    }
    return groups.enumerated().filter { !taken.contains($0.offset) }.map(\.element)
  }

  /// Returns the groups for a stem: usually one group, none if the stem belongs to a render, and several if names
  /// clash.
  static func groups(stem: String, in listing: AssetListing) -> [FileGroup] {
    let photos = listing.originals.halves(stem: stem, kind: .photo)
    let movies = listing.originals.halves(stem: stem, kind: .movie)
    guard !photos.isEmpty || !movies.isEmpty else { return [] }
    guard listing.originals.originalStem(ofRender: stem, hasVersions: listing.hasVersions) == nil else {
      return []
    }
    guard photos.count > 1 || movies.count > 1 else {
      // A photo and a movie count as one asset until their identifiers are read.
      let isOne = photos.isEmpty || movies.isEmpty
      return [
        FileGroup(
          photo: photos.first, movie: movies.first,
          wholeName: isOne ? listing.wholeName(of: photos + movies, besides: nil) : nil, in: listing)
      ]
    }
    func note(_ name: String, _ all: [String], _ kind: HalfKind) -> [Message] {
      let others = all.filter { $0 != name }
      if others.isEmpty { return [] }
      return [
        kind == .photo
          ? "\(name) is not the only photo with this name: the folder also contains \(others.joined(separator: ", "))"
          : "\(name) is not the only movie with this name: the folder also contains \(others.joined(separator: ", "))"
      ]
    }
    // A pair needs a movie.
    let namesakes =
      movies.isEmpty ? nil : try? Namesakes(photos, movies, in: listing.originals, named: "")
    let pair = namesakes?.pairs.first
    func wholeName(_ name: String) -> String? {
      listing.wholeName(
        of: pair.flatMap { $0.contains(name) ? [$0.photo, $0.movie] : nil } ?? [name],
        besides: Namesakes.other(than: name, photos, movies, pair: pair))
    }
    return photos.map {
      FileGroup(
        photo: $0, movie: nil, wholeName: wholeName($0), in: listing, notes: note($0, photos, .photo))
    }
      + movies.map {
        FileGroup(
          photo: nil, movie: $0, wholeName: wholeName($0), in: listing, notes: note($0, movies, .movie))
      }
  }

  /// Returns a separate group for one of two originals that are not a pair. A sidecar that has the other original's
  /// name belongs to that other original.
  func alone(_ name: String, in folders: AssetFolders) -> FileGroup {
    let isPhoto = name == photo
    let other: OriginalFiles.Namesake? =
      isPhoto ? movie.map { .second($0) } : photo.map { .first($0) }
    let own = SidecarNames.possible(of: [name])
    var group = FileGroup(
      photo: isPhoto ? photo : nil, movie: isPhoto ? nil : movie,
      current: current.alone(isPhoto ? .photo : .movie), sidecars: sidecars.filter(own.contains),
      wholeName: (try? folders.wholeName(of: [name], besides: other)) ?? nil)
    group.notes = notes
    if group.wholeName != nil {
      let files = try? EditedFiles(originals: [name], ofAsset: name, recorded: [], in: folders.home)
      group.current = CurrentFiles(files ?? EditedFiles())
      group.current.areInHome = !folders.areOne
    }
    return group
  }

  /// The stems that the missing originals would have if this group's originals were renders.
  private var lostStems: [String] {
    Set(originals.map { RenderNames.Parts($0).stem }).sorted().compactMap {
      RenderNames.originalStem(ofRender: $0)
    }
  }

  /// Returns a hash (FNV-1a, 64 bits) of the stem and of the files' names, sizes, times and inodes. A different hash
  /// means that a file changed.
  func stamp(in folders: AssetFolders) -> Int64 {
    let shown = current.areInHome ? folders.home : folders.originals
    let files =
      (originals + sidecars.prefix(1)).map { (folders.originals, $0) }
      + current.names.map { (shown, $0) }
      + lostStems.flatMap { stem in
        LostOriginal.traces(of: stem).map { (folders.originals, $0) }
          + [(folders.home, LibraryPaths.versions(of: stem))]
      }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    func mix(_ number: Int64) {
      for shift in stride(from: 0, to: 64, by: 8) {
        mix(UInt8(truncatingIfNeeded: number >> Int64(shift)))
      }
    }
    for byte in (wholeName ?? "").utf8 { mix(byte) }
    for (folder, name) in files {
      for byte in name.utf8 { mix(byte) }
      mix(UInt8(0))
      guard let status = try? folder.status(name, followingLinks: true) else { continue }
      mix(Int64(status.size))
      mix(status.modified)
      mix(status.changed)
      mix(Int64(bitPattern: status.place.inode))
      // A later change may leave all these values the same, so the stamp is made unique.
      if !status.isSettled { mix(Int64.random(in: Int64.min...Int64.max)) }
    }
    return Int64(bitPattern: hash)
  }
}
