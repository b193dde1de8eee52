import Basics

/// A displayable description of a movie file. Only the headers and the small samples of timed metadata are read.
package struct MovieInspection: Encodable, Hashable, Sendable {
  /// A top-level atom.
  package struct AtomPlace: Encodable, Hashable, Sendable {
    /// The atom's four-character type.
    package let type: String
    /// The offset of the atom in the file.
    package let offset: Int
    /// The size of the atom in bytes, including its header.
    package let size: Int
  }

  /// The size of the file in bytes.
  package let size: Int
  /// The major brand, such as `qt  `, or nil if the file has no `ftyp`.
  package let brand: String?
  /// The file's top-level atoms.
  package let atoms: [AtomPlace]
  /// The time scale of the movie's timeline, in ticks per second.
  package let timeScale: UInt32
  /// The duration of the movie in ticks.
  package let duration: UInt64
  /// The duration of the movie in seconds.
  package let seconds: Double
  /// The creation date in the movie header, in UTC, or nil if the header does not contain a creation date.
  package let created: String?
  /// The modification date in the movie header, in UTC, or nil if the header does not contain a modification date.
  package let modified: String?
  /// The identifier that pairs the movie with its photo.
  package let identifier: String?
  /// The photo's position on the movie's timeline in seconds, or nil if the movie does not have a still-image-time
  /// track.
  package let stillImageTime: Double?
  /// The metadata of the entire movie: first the entries identified by keys, and then the entries identified by codes
  /// such as “©day”.
  package let keys: [KeyInspection]
  /// The tracks in file order.
  package let tracks: [TrackInspection]
  /// The paths of the unknown atoms.
  package let unknownAtoms: [String]

  /// Reads a movie's headers.
  ///
  /// - Throws: ``MediaError`` if the file is not a movie, is damaged, or is of an unsupported kind, or any error that
  ///   `source` throws.
  package init(reading source: any ByteSource) throws {
    let movie = try Movie(source)
    size = movie.fileSize
    atoms = movie.fileAtoms.map { AtomPlace(type: $0.kind.description, offset: $0.offset, size: $0.size) }
    brand = movie.brand?.description
    timeScale = movie.timeScale
    duration = movie.duration
    seconds = movie.seconds
    created = movie.header.dates.created
    modified = movie.header.dates.modified
    let known = try movie.keys
    identifier = known.text(MetadataItems.contentIdentifier)
    stillImageTime = movie.stillImageTime
    keys =
      known.items.map(KeyInspection.init)
      + known.codes.map { KeyInspection(text: $0.text, named: $0.code.description) }
    tracks = try movie.tracks.map { try TrackInspection($0, of: movie, source) }
    let topLevel = movie.fileAtoms.map { $0.kind }.filter { !KnownAtoms.file.contains($0) }
    unknownAtoms = topLevel.map(\.description) + KnownAtoms.unknown(in: movie.moov, path: "moov")
  }
}

/// The atoms found in movies from phones, cameras and editors, with their valid positions.
enum KnownAtoms {
  static let file: Set<FourCC> = [
    "ftyp", "wide", "mdat", "moov", "free", "skip", "uuid", "pnot", "udta", "meta",
  ]

  private static let inside: [FourCC: Set<FourCC>] = [
    "moov": ["mvhd", "trak", "udta", "meta", "iods", "ctab", "prfl", "clip"],
    "trak": [
      "tkhd", "tapt", "edts", "tref", "mdia", "udta", "meta", "clip", "matt", "load", "imap", "txas", "tagc",
    ],
    "edts": ["elst"],
    "tapt": ["clef", "prof", "enof"],
    "mdia": ["mdhd", "hdlr", "minf", "elng", "udta"],
    "minf": ["vmhd", "smhd", "gmhd", "nmhd", "sthd", "hmhd", "hdlr", "dinf", "stbl"],
    "dinf": ["dref"],
    "stbl": SampleTable.perSample.union(["stsd", "stts", "stsc", "stsz", "stz2", "stco", "co64"]),
  ]

  /// Returns the paths of unknown atoms at any depth inside an atom. `free`, `skip` and `wide` are allowed at any
  /// position.
  static func unknown(in atom: Atom, path: String) -> [String] {
    guard let known = inside[atom.kind], case .children(let children, _) = atom.content else { return [] }
    return children.flatMap { child -> [String] in
      let here = path + "/" + child.kind.description
      if !known.contains(child.kind), !["free", "skip", "wide"].contains(child.kind) { return [here] }
      // The unknown atoms in a track are listed separately for that track.
      return child.kind == "trak" ? [] : unknown(in: child, path: here)
    }
  }
}
