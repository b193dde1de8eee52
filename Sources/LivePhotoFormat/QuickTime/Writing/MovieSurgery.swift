import Basics
import EditModel

/// A change to a movie's metadata. Frames and audio are copied unchanged. The samples of removed tracks are not copied.
package struct MovieSurgery {
  /// The movie before any changes.
  package let movie: Movie
  /// The `moov` atom as it will be written.
  var moov: Atom
  /// The IDs of the tracks that are removed.
  var removedTracks: Set<UInt32> = []
  /// The kinds of top-level atoms other than `moov` that are removed.
  var removedAtoms: Set<FourCC> = []

  private let source: any ByteSource
  private var added: [(track: Track, samples: [[UInt8]])] = []
  private var fileType: [UInt8]?

  /// Reads a movie.
  ///
  /// - Throws: The errors of ``Movie/init(_:)``.
  package init(_ source: any ByteSource) throws {
    self.source = source
    movie = try Movie(source)
    moov = movie.moov
    try moov.remove(["free", "skip"])
  }

  /// The parts of the movie that are not copied. Some parts are never copied. Stripping removes other parts if their
  /// content cannot be examined.
  package var removals: [Removal] {
    movie.removals
      + strippedNames.unique.map { Removal(half: .movie, name: $0, reason: "removed on request") }
  }
  /// The names of the parts that stripping removed because their content could not be examined.
  var strippedNames: [String] = []

  /// Sets the identifier that pairs the movie with a photo.
  package mutating func setIdentifier(_ identifier: String) throws {
    try moov.setIdentifier(identifier)
  }

  /// Sets the text of a key in the movie's metadata. If necessary, a plain `meta` atom is created.
  ///
  /// - Parameters:
  ///   - name: The key in reverse-DNS form.
  ///   - text: The new text.
  package mutating func setText(_ name: String, to text: String) throws {
    try moov.setText(name, to: text)
  }

  /// Sets the file's brand to QuickTime.
  package mutating func setQuickTime() {
    // The major brand is “qt  ”, the minor version is 0, and the only compatible brand is “qt  ”.
    fileType = Array("qt  ".utf8) + [0, 0, 0, 0] + Array("qt  ".utf8)
  }

  /// Whether the movie is already a QuickTime file that phones can play, with the video and audio formats that iPhones
  /// write.
  package var isReady: Bool {
    guard movie.isQuickTime, let format = (try? MovieSummary(movie))?.videoFormat else { return false }
    let sounds: Set<FourCC> = ["lpcm", "sowt", "twos", "mp4a", "alac"]
    return ["avc1", "hvc1"].contains(format)
      && movie.tracks.allSatisfy { $0.handler != "soun" || sounds.contains($0.format) }
  }

  /// Moves the rotated picture to the origin, because some programs place the picture elsewhere.
  package mutating func layAtOrigin() throws {
    try moov.changeAll("trak") { trak in
      guard try trak.first("mdia", "minf", "vmhd") != nil else { return }
      try trak.update("tkhd") { tkhd in
        let header = try TrackHeader(tkhd)
        guard let orientation = header.matrix.orientation else { return }
        let matrix = TrackHeader.Matrix(orientation, width: header.width, height: header.height)
        try TrackHeader.rewrite(&tkhd, matrix: matrix, width: header.width, height: header.height)
      }
    }
  }

  /// Removes the identifier and the timed metadata that pair the movie with a photo.
  package mutating func untie() throws {
    try moov.removeIdentifier()
    for track in movie.tracks {
      guard let keys = track.metadata?.keys, !keys.isEmpty else { continue }
      let prefixes = ["com.apple.quicktime.still-image-time", "com.apple.quicktime.live-photo"]
      if keys.allSatisfy({ key in prefixes.contains { key.name.hasPrefix($0) } }) {
        removedTracks.insert(track.header.trackID)
      }
    }
  }

  /// Marks the photo's position in the movie with a timed metadata track. An existing track for the photo's position is
  /// replaced.
  ///
  /// - Parameter seconds: The position on the movie's timeline.
  /// - Throws: ``MediaError`` if the position is outside the movie.
  package mutating func markStill(at seconds: Double) throws {
    let ticks = (seconds * Double(movie.timeScale)).rounded()
    guard seconds >= 0, ticks < Double(movie.duration), let time = UInt32(exactly: ticks), time < .max else {
      throw MediaError("the time \(seconds) s lies outside the movie")
    }
    if let old = movie.stillImageTrack { removedTracks.insert(old.header.trackID) }
    let used = movie.tracks.map(\.header.trackID) + added.map(\.track.header.trackID)
    guard let number = used.max(), number < .max - 1 else { throw MediaError("the movie has no tracks") }
    let atom = StillImageTrack.atom(
      trackID: number + 1, time: time, timeScale: movie.timeScale,
      describing: (try? movie.video)?.header.trackID)
    try moov.changeChildren { children in
      children.insert(atom, at: (children.lastIndex { $0.kind == "trak" } ?? -1) + 1)
    }
    added.append((try Track(atom, fileSize: movie.fileSize), [StillImageTrack.sample]))
    try moov.update("mvhd") { mvhd in
      // The last field of the header contains the ID for the next new track.
      if mvhd.bytes.count >= 4 { mvhd.bytes.replace(at: mvhd.bytes.count - 4, bigEndian: number + 2) }
    }
  }

  /// Writes the movie.
  ///
  /// - Parameters:
  ///   - sink: The destination of the file.
  ///   - putsTablesFirst: Whether the `moov` atom is written before the media, so that playback can begin before the
  ///     complete file has arrived.
  package func write(to sink: any ByteSink, puttingTablesFirst putsTablesFirst: Bool = false) throws {
    var tracks: [MovieRewrite.OutputTrack] = []
    for atom in try moov.all("trak") {
      guard let number = try atom.first("tkhd").map({ try TrackHeader($0).trackID }),
        !removedTracks.contains(number)
      else { continue }
      if let track = movie.tracks.first(where: { $0.header.trackID == number }) {
        tracks.append(MovieRewrite.OutputTrack(source: track, atom: atom, media: .copied))
      } else if let new = added.first(where: { $0.track.header.trackID == number }) {
        tracks.append(MovieRewrite.OutputTrack(source: new.track, atom: atom, media: .samples(new.samples)))
      }
    }
    let dropped = movie.fileAtoms.filter { removedAtoms.contains($0.kind) }.map(\.offset)
    let rewrite = try MovieRewrite(
      moov: moov, tracks: tracks, without: removedTracks, dropped: movie.manifests.union(dropped),
      type: fileType)
    try MovieWriter(
      movie: movie, source: source, rewrite: rewrite, putsTablesFirst: putsTablesFirst, sink: sink
    ).finish()
  }

  /// Copies metadata from another file of the same movie: the typed metadata, the metadata of the video and audio
  /// tracks, the location and the other user data. The identifier that pairs the movie with a photo is not copied.
  ///
  /// MP4 files from Android cameras contain typed metadata in QuickTime's layout, where other programs look for it.
  ///
  /// - Parameter other: The movie from which this movie was created.
  /// - Returns: The tracks of the other movie that are missing from this movie, such as timed metadata, additional
  ///   audio or subtitles.
  /// - Throws: ``MediaError`` if the metadata is damaged.
  package mutating func takeMetadata(from other: Movie) throws -> [Removal] {
    let users = (try other.moov.first("udta")?.takenApart().children ?? [])
    let own = try other.moov.all("meta")
    let metadata = own + users.filter { $0.kind == "meta" }
    for (index, meta) in metadata.map(\.plainMetadata).enumerated() {
      // Damaged user data is ignored.
      guard let items = try index < own.count ? MetadataItems(meta) : (try? MetadataItems(meta)) else {
        continue
      }
      let kept = try MetadataItems.removing([MetadataItems.contentIdentifier], from: meta)
      try moov.changeChildren { children in
        children.removeAll { $0.kind == "meta" && (try? MetadataItems($0)) != nil }
        children.append(kept)
      }
      if let place = items.text("com.apple.quicktime.location.ISO6709") {
        // Android expects the location here, as text in an undetermined language (0x55C4, packed ISO 639-2 “und”).
        let head = [UInt8](words: [place.utf8.count << 16 | 0x55C4])
        try addUserData([Atom(.userDataPlace, head + Array(place.utf8))])
      }
      break
    }
    // Typed metadata that has already been copied is not added again.
    try addUserData(
      users.filter { entry in
        entry.kind != "meta" || (try? MetadataItems(entry.plainMetadata)) == nil
      })
    // At most one video track and one audio track are matched.
    var taken: Set<UInt32> = []
    let tracks = movie.tracks
    try moov.changeAll("trak") { trak in
      let number = try trak.first("tkhd").map { try TrackHeader($0).trackID }
      guard let own = tracks.first(where: { $0.header.trackID == number }),
        let old = other.tracks.first(where: { $0.handler == own.handler })
      else { return }
      taken.insert(old.header.trackID)
      if try own.atom.first("meta") == nil, let meta = try old.atom.first("meta") {
        try trak.changeChildren { $0.append(meta) }
      }
    }
    return other.removals
      + other.tracks.filter { !taken.contains($0.header.trackID) }.map { track in
        let keys = track.metadata?.keys.first.map { " (\($0.name))" } ?? ""
        return Removal(
          half: .movie, name: "track \(track.header.trackID) “\(track.handler)”\(keys)",
          reason: "cannot be stored in an MP4 file")
      }
  }

  /// Adds entries to the user data, except for entries whose kind already exists.
  private mutating func addUserData(_ entries: [Atom]) throws {
    var user = try (moov.first("udta") ?? Atom("udta", [])).takenApart()
    var kinds = Set(try user.children.map(\.kind))
    let new = entries.filter { kinds.insert($0.kind).inserted }
    guard !new.isEmpty else { return }
    try user.changeChildren { $0 += new }
    try moov.put(user)
  }
}

extension Atom {
  /// Sets the identifier that pairs a movie with its photo in a `moov` atom. The identifier is written where Photos
  /// reads it, and wherever other programs have stored an identifier.
  mutating func setIdentifier(_ identifier: String) throws {
    try changeUserKeys { $0.changeTexts([MetadataItems.contentIdentifier: identifier]) }
    try setText(MetadataItems.contentIdentifier, to: identifier)
  }

  /// Removes the identifier that pairs the movie with a photo from a `moov` atom.
  mutating func removeIdentifier() throws {
    func remove(_ meta: inout Atom) {
      meta.changePlainMetadata { meta in
        _ = try? MetadataItems.remove(from: &meta) { $0 == MetadataItems.contentIdentifier }
      }
    }
    try changeAll("meta", remove)
    try changeUserKeys(remove)
  }

  /// Changes the metadata atoms in the user data of a `moov` atom.
  private mutating func changeUserKeys(_ change: (inout Atom) -> Void) throws {
    try changeAll("udta") { udta in
      guard var user = try? udta.takenApart() else { return }
      try user.changeAll("meta") { change(&$0) }
      udta = user
    }
  }

  /// Sets the text of a key in the typed metadata of a `moov` atom. If necessary, a plain `meta` atom is created.
  ///
  /// - Parameters:
  ///   - name: The key in reverse-DNS form.
  ///   - text: The new text.
  mutating func setText(_ name: String, to text: String) throws {
    try setValue(name, type: 1, to: Array(text.utf8))
  }

  /// Sets a value of any type for a key in the typed metadata of a `moov` atom. See
  /// ``MetadataItems/replacing(_:_:type:with:)``.
  mutating func setValue(_ name: String, type: Int, to value: [UInt8]) throws {
    // Photos ignores metadata that begins with a version and flags.
    if let meta = try first("meta")?.plainMetadata, try MetadataItems(meta) != nil {
      try put(MetadataItems.replacing(meta, name, type: type, with: value))
    } else {
      let handler = [UInt8](repeating: 0, count: 8) + Array("mdta".utf8) + [UInt8](repeating: 0, count: 14)
      let meta = Atom("meta", Atom("hdlr", handler).serialized)
      let new = try MetadataItems.replacing(meta, name, type: type, with: value)
      try changeChildren { children in
        // The new atom is inserted before other kinds of metadata, because other programs read only the first `meta`
        // atom.
        children.insert(new, at: children.firstIndex { $0.kind == "meta" } ?? children.count)
      }
    }
  }
}
