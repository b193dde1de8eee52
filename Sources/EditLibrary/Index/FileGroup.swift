import FileSystem

/// The files of a folder that belong together by their names: one asset, or two if their identifiers differ.
struct FileGroup: Hashable, Sendable {
  /// The name of the original photo.
  var photo: String?
  /// The name of the original movie.
  var movie: String?
  /// The names of the renders and the adjustment data beside them.
  var beside: [String]
  /// Notes on ambiguous names, one sentence each.
  var notes: [String] = []

  /// The names of the originals.
  var originals: [String] { [photo, movie].compactMap { $0 } }
  /// The name that stands for the asset.
  var name: String { photo ?? movie ?? "" }

  /// Groups the names of a folder. Hidden files, whose names begin with a dot, are left out.
  ///
  /// - Parameter pairs: movies by the photos of other names that they belong to, as far as that is known.
  /// - Returns: the groups in the order of their stems.
  static func all(in listing: FolderListing, pairs: [String: String] = [:]) -> [FileGroup] {
    var groups: [FileGroup] = []
    for stem in listing.stems where !stem.hasPrefix(".") {
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
      groups[index].movie = movie
      groups[index].beside = EditedFiles(originals: [photo, movie], in: listing).names.map(\.name)
    }
    return groups.enumerated().filter { !taken.contains($0.offset) }.map(\.element)
  }

  /// The groups with one stem: none when it is that of a render, one as a rule, more when names clash.
  static func groups(stem: String, in listing: FolderListing) -> [FileGroup] {
    let photos = listing.halves(stem: stem, kind: .photo)
    let movies = listing.halves(stem: stem, kind: .movie)
    guard !photos.isEmpty || !movies.isEmpty else { return [] }
    if let original = RenderNames.originalStem(ofRender: stem), listing.hasHalves(stem: original) {
      return []
    }
    func beside(_ names: [String]) -> [String] {
      EditedFiles(originals: names, in: listing).names.map(\.name)
    }
    guard photos.count > 1 || movies.count > 1 else {
      return [
        FileGroup(photo: photos.first, movie: movies.first, beside: beside(photos + movies))
      ]
    }
    func note(_ name: String, _ all: [String], _ kind: HalfKind) -> [String] {
      let others = all.filter { $0 != name }
      if others.isEmpty { return [] }
      return [
        "\(name) is not the only \(kind.rawValue) of its name: \(others.joined(separator: ", ")) is there too"
      ]
    }
    return photos.map {
      FileGroup(photo: $0, movie: nil, beside: beside([$0]), notes: note($0, photos, .photo))
    }
      + movies.map {
        FileGroup(photo: nil, movie: $0, beside: beside([$0]), notes: note($0, movies, .movie))
      }
  }

  /// The group without one of its originals.
  func alone(_ name: String) -> FileGroup {
    FileGroup(
      photo: name == photo ? photo : nil, movie: name == photo ? nil : movie, beside: beside, notes: notes)
  }

  /// The places of files that may prove an original of this group to be the render of an original that is gone.
  private var traces: [String] {
    Set(originals.map { RenderNames.Parts($0).stem }).sorted().compactMap(RenderNames.originalStem)
      .flatMap(LostOriginal.traces)
  }

  /// A hash (FNV-1a, 64 bits) of the files' names, sizes, times and inodes: another one means that a file changed.
  func stamp(in folder: String) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    func mix(_ number: Int64) {
      for shift in stride(from: 0, to: 64, by: 8) {
        mix(UInt8(truncatingIfNeeded: number >> Int64(shift)))
      }
    }
    for name in originals + beside + traces {
      for byte in name.utf8 { mix(byte) }
      mix(UInt8(0))
      guard let status = try? FileStatus(path: FilePath.joined(folder, name)) else { continue }
      mix(Int64(status.size))
      mix(status.modified)
      mix(status.changed)
      mix(Int64(bitPattern: status.place.inode))
    }
    return Int64(bitPattern: hash)
  }
}
