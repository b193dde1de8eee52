import Basics

/// A description of a movie file for display. Made from its headers; media is not read, but for the small samples of
/// timed metadata.
package struct MovieInspection: Encodable, Hashable, Sendable {
  /// A top-level atom.
  package struct AtomPlace: Encodable, Hashable, Sendable {
    /// Its four characters.
    package let type: String
    /// The byte of the file at which it begins.
    package let offset: Int
    /// Its bytes, header included.
    package let size: Int
  }

  /// Bytes of the file.
  package let size: Int
  /// The major brand, `qt  ` say; nil without `ftyp`.
  package let brand: String?
  /// The file's atoms side by side.
  package let atoms: [AtomPlace]
  /// Ticks a second of the movie's timeline.
  package let timeScale: UInt32
  /// Ticks of the movie.
  package let duration: UInt64
  /// Seconds of the movie.
  package let seconds: Double
  /// Time it was made, UTC, by its header; nil when the file does not say.
  package let created: String?
  /// Time it was changed, UTC; nil when the file does not say.
  package let modified: String?
  /// The identifier that ties it to its photo.
  package let identifier: String?
  /// The photo's place in the movie, in seconds on its timeline; nil without a still-image-time track.
  package let stillImageTime: Double?
  /// Metadata of the whole movie: by keys, then by codes like “©day”.
  package let keys: [KeyInspection]
  /// The tracks in file order.
  package let tracks: [TrackInspection]
  /// Atoms that are not known, as paths.
  package let unknownAtoms: [String]

  /// Reads a movie's headers.
  ///
  /// - Throws: ``MediaError`` when it is no movie, broken, or of a kind that is not handled; what `source`
  ///   throws.
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

/// The atoms of the movies of phones, cameras and editors, and their places.
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

  /// The paths of unknown descendants; `free`, `skip` and `wide` are known everywhere.
  static func unknown(in atom: Atom, path: String) -> [String] {
    guard let known = inside[atom.kind], case .children(let children, _) = atom.content else { return [] }
    return children.flatMap { child -> [String] in
      let here = path + "/" + child.kind.description
      if !known.contains(child.kind), !["free", "skip", "wide"].contains(child.kind) { return [here] }
      // Tracks list their own.
      return child.kind == "trak" ? [] : unknown(in: child, path: here)
    }
  }
}
