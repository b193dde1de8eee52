import EditModel

extension MovieSurgery {
  /// Takes over what another file of the same movie says of itself: its typed metadata without what ties it to a photo,
  /// that of its picture and its sound, its place and its other user data.
  ///
  /// MP4 files of Android's cameras carry typed metadata as QuickTime lays it down, so readers know it there.
  ///
  /// - Parameter other: the movie that this one was made of.
  /// - Returns: the tracks of it that this movie does not have: timed metadata, more sound, subtitles.
  /// - Throws: ``MediaError`` when the metadata is damaged.
  package mutating func takeMetadata(from other: Movie) throws -> [Removal] {
    for meta in try other.moov.all("meta") {
      guard let items = try MetadataItems(meta) else { continue }
      let kept = try MetadataItems.removing([MetadataItems.contentIdentifier], from: meta)
      try moov.changeChildren { children in
        children.removeAll { $0.kind == "meta" && (try? MetadataItems($0)) != nil }
        children.append(kept)
      }
      if let place = items.text("com.apple.quicktime.location.ISO6709") { try addUserData(place) }
      break
    }
    for entry in try other.moov.first("udta")?.takenApart().children ?? [] where entry.kind != "meta" {
      try addUserData(entry)
    }
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
    return other.tracks.filter { !taken.contains($0.header.trackID) }.map { track in
      let keys = track.metadata?.keys.first.map { " (\($0.name))" } ?? ""
      return Removal(
        half: .movie, name: "track \(track.header.trackID) “\(track.handler)”\(keys)",
        reason: "has no place in an MP4 file")
    }
  }

  /// Adds a place where Android looks for it: text in a language that is not told (0x55C4, packed ISO 639-2 “und”).
  private mutating func addUserData(_ place: String) throws {
    let head = [UInt8](words: [place.utf8.count << 16 | 0x55C4])
    try addUserData(Atom(.userDataPlace, head + Array(place.utf8)))
  }

  /// Adds an entry to the user data, unless there is one of its kind.
  private mutating func addUserData(_ entry: Atom) throws {
    var user = try (moov.first("udta") ?? Atom("udta", [])).takenApart()
    guard try user.first(entry.kind) == nil else { return }
    try user.changeChildren { $0.append(entry) }
    try moov.put(user)
  }
}
