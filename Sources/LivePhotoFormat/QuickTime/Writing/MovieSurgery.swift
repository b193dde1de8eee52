import Basics
import EditModel

/// Changes what a movie says of itself. Frames and sound are copied as they are; samples of tracks that are taken out
/// are not.
package struct MovieSurgery {
  /// The movie as it was read.
  package let movie: Movie
  /// The `moov` atom as it will be written.
  var moov: Atom
  /// The numbers of the tracks that are left out.
  var removedTracks: Set<UInt32> = []
  /// Atoms beside `moov` that are left out.
  var removedAtoms: Set<FourCC> = []

  private let source: any ByteSource
  private var added: [(track: Track, samples: [[UInt8]])] = []
  private var fileType: [UInt8]?

  /// Reads a movie.
  ///
  /// - Throws: see ``Movie/init(_:)``.
  package init(_ source: any ByteSource) throws {
    self.source = source
    movie = try Movie(source)
    moov = movie.moov
    try moov.remove(["free", "skip"])
  }

  /// The parts of the movie that are not carried over: those that never are, and those that stripping took out because they could not
  /// be looked through.
  package var removals: [Removal] {
    movie.removals
      + strippedNames.unique.map { Removal(half: .movie, name: $0, reason: "was to be stripped") }
  }
  /// Names of what stripping took out because it could not be looked through.
  var strippedNames: [String] = []

  /// Gives the movie the identifier that ties it to a photo.
  package mutating func setIdentifier(_ identifier: String) throws {
    try moov.setIdentifier(identifier)
  }

  /// Sets a key of the movie's metadata, which becomes a plain `meta` atom where there is none.
  ///
  /// - Parameters:
  ///   - name: the key, reverse-DNS.
  ///   - text: its value.
  package mutating func setText(_ name: String, to text: String) throws {
    try moov.setText(name, to: text)
  }

  /// Makes the file one of QuickTime's own, by its brand.
  package mutating func setQuickTime() {
    // “qt  ”, minor version 0, and itself as the one compatible brand.
    fileType = Array("qt  ".utf8) + [0, 0, 0, 0] + Array("qt  ".utf8)
  }

  /// True if the movie is QuickTime's already and phones play it: frames and sound of kinds that iPhones write.
  package var isReady: Bool {
    guard movie.isQuickTime, let format = (try? MovieSummary(movie))?.videoFormat else { return false }
    let sounds: Set<FourCC> = ["lpcm", "sowt", "twos", "mp4a", "alac"]
    return ["avc1", "hvc1"].contains(format)
      && movie.tracks.allSatisfy { $0.handler != "soun" || sounds.contains($0.format) }
  }

  /// Lays the turned picture down at the origin, where some programs forget to.
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

  /// Takes out what ties the movie to a photo: the identifier, and the timed metadata about the photo.
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

  /// Marks the photo's place in the movie by a timed metadata track, in place of one that does so already.
  ///
  /// - Parameter seconds: on the movie's timeline.
  /// - Throws: ``MediaError`` when that is not within the movie.
  package mutating func markStill(at seconds: Double) throws {
    let ticks = (seconds * Double(movie.timeScale)).rounded()
    guard seconds >= 0, ticks < Double(movie.duration), let time = UInt32(exactly: ticks), time < .max else {
      throw MediaError("it does not last as long as \(seconds) s")
    }
    if let old = movie.stillImageTrack { removedTracks.insert(old.header.trackID) }
    let used = movie.tracks.map(\.header.trackID) + added.map(\.track.header.trackID)
    guard let number = used.max(), number < .max - 1 else { throw MediaError("it has no tracks") }
    let atom = StillImageTrack.atom(
      trackID: number + 1, time: time, timeScale: movie.timeScale,
      describing: (try? movie.video)?.header.trackID)
    try moov.changeChildren { children in
      children.insert(atom, at: (children.lastIndex { $0.kind == "trak" } ?? -1) + 1)
    }
    added.append((try Track(atom, fileSize: movie.fileSize), [StillImageTrack.sample]))
    try moov.update("mvhd") { mvhd in
      // The number for the next track ends the header.
      if mvhd.bytes.count >= 4 { mvhd.bytes.replace(at: mvhd.bytes.count - 4, bigEndian: number + 2) }
    }
  }

  /// Writes the movie.
  ///
  /// - Parameters:
  ///   - sink: where it goes.
  ///   - putsTablesFirst: whether the `moov` atom goes before the media, so that playing can begin before the whole file
  ///     is there.
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

  /// Takes over what another file of the same movie says of itself: its typed metadata without what ties it to a photo,
  /// that of its picture and its sound, its place and its other user data.
  ///
  /// MP4 files of Android's cameras carry typed metadata as QuickTime lays it down, so readers know it there.
  ///
  /// - Parameter other: the movie that this one was made of.
  /// - Returns: the tracks of it that this movie does not have: timed metadata, more sound, subtitles.
  /// - Throws: ``MediaError`` when the metadata is damaged.
  package mutating func takeMetadata(from other: Movie) throws -> [Removal] {
    let users = (try other.moov.first("udta")?.takenApart().children ?? [])
    let own = try other.moov.all("meta")
    let metadata = own + users.filter { $0.kind == "meta" }
    for (index, meta) in metadata.map(\.plainMetadata).enumerated() {
      // Damaged user data is passed over.
      guard let items = try index < own.count ? MetadataItems(meta) : (try? MetadataItems(meta)) else {
        continue
      }
      let kept = try MetadataItems.removing([MetadataItems.contentIdentifier], from: meta)
      try moov.changeChildren { children in
        children.removeAll { $0.kind == "meta" && (try? MetadataItems($0)) != nil }
        children.append(kept)
      }
      if let place = items.text("com.apple.quicktime.location.ISO6709") {
        // Where Android looks for it: text in a language that is not told (0x55C4, packed ISO 639-2 “und”).
        let head = [UInt8](words: [place.utf8.count << 16 | 0x55C4])
        try addUserData([Atom(.userDataPlace, head + Array(place.utf8))])
      }
      break
    }
    // What has been taken over as QuickTime's own is not needed twice.
    try addUserData(
      users.filter { entry in
        entry.kind != "meta" || (try? MetadataItems(entry.plainMetadata)) == nil
      })
    // One picture, one sound.
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
          reason: "has no place in an MP4 file")
      }
  }

  /// Adds entries to the user data, each unless there is one of its kind.
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
  /// Gives a `moov` atom the identifier that ties the movie to a photo: where Photos looks for it, and where other programs have
  /// put one.
  mutating func setIdentifier(_ identifier: String) throws {
    try changeUserKeys { $0.changeTexts([MetadataItems.contentIdentifier: identifier]) }
    try setText(MetadataItems.contentIdentifier, to: identifier)
  }

  /// Takes the identifier that ties the movie to a photo out of a `moov` atom.
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

  /// Sets a key of the typed metadata of a `moov` atom, which becomes a plain `meta` atom where there is none.
  ///
  /// - Parameters:
  ///   - name: the key, reverse-DNS.
  ///   - text: its value.
  mutating func setText(_ name: String, to text: String) throws {
    try setValue(name, type: 1, to: Array(text.utf8))
  }

  /// The same with a value of another type; see ``MetadataItems/replacing(_:_:type:with:)``.
  mutating func setValue(_ name: String, type: Int, to value: [UInt8]) throws {
    // Photos does not read what begins with version and flags.
    if let meta = try first("meta")?.plainMetadata, try MetadataItems(meta) != nil {
      try put(MetadataItems.replacing(meta, name, type: type, with: value))
    } else {
      let handler = [UInt8](repeating: 0, count: 8) + Array("mdta".utf8) + [UInt8](repeating: 0, count: 14)
      let meta = Atom("meta", Atom("hdlr", handler).serialized)
      let new = try MetadataItems.replacing(meta, name, type: type, with: value)
      try changeChildren { children in
        // Before metadata of another kind: readers look at the first.
        children.insert(new, at: children.firstIndex { $0.kind == "meta" } ?? children.count)
      }
    }
  }
}
