import EditModel

/// The place in a movie's atoms under a change.
extension Atom {
  /// Changes the place in a `moov` atom: in QuickTime's key, which is its home, and wherever else it stands. Recorded paths go.
  ///
  /// - Returns: names of the tracks and the user data that are gone.
  mutating func change(place change: PlaceChange) throws -> [String] {
    var gone = try changePlaceOfMetadata(change)
    var tracks: Set<UInt32> = []
    try changeChildren { children in
      for index in children.indices where children[index].kind == "trak" {
        gone += try children[index].changePlaceOfMetadata(change)
        if try children[index].recordsPath, let header = try children[index].first("tkhd") {
          tracks.insert(try TrackHeader(header).trackID)
        }
      }
    }
    if !tracks.isEmpty {
      try removeTracks(tracks)
      gone += tracks.sorted().map { "track \($0) with a recorded path" }
    }
    guard case .set(let place) = change else { return gone }
    var facts = CaptureFacts()
    facts.location = place
    if let text = facts.quickTimeLocation { try setText(MetadataItems.location, to: text) }
    return gone
  }

  /// True for a `trak` atom of timed metadata with places.
  private var recordsPath: Bool {
    get throws {
      let handler = try first("mdia", "hdlr")?.bytes.dropFirst(8).prefix(4) ?? []
      guard !handler.elementsEqual("vide".utf8), !handler.elementsEqual("soun".utf8) else { return false }
      let description = try first("mdia", "minf", "stbl", "stsd")?.bytes ?? []
      return ["location", "gpmd", "camm"].contains { description.firstIndex(of: $0) != nil }
    }
  }

  /// Takes tracks out of a `moov` atom, and out of the reference lists of the others.
  private mutating func removeTracks(_ gone: Set<UInt32>) throws {
    try changeChildren { children in
      children.removeAll { child in
        guard child.kind == "trak", let header = try? child.first("tkhd") else { return false }
        return (try? TrackHeader(header).trackID).map(gone.contains) ?? false
      }
    }
    try changeAll("trak") { track in
      try track.update("tref") { list in
        try list.changeChildren { references in
          references = try references.compactMap { reference in
            let left = try reference.referencedTracks.filter { !gone.contains($0) }
            return left.isEmpty ? nil : Atom(reference.kind, words: left.map { Int($0) })
          }
        }
      }
      if let list = try track.first("tref"), try list.children.isEmpty { try track.remove(["tref"]) }
    }
  }

  private mutating func changePlaceOfMetadata(_ change: PlaceChange) throws -> [String] {
    var gone: [String] = []
    try changeAll("meta") { meta in
      // The one place that is set is written again; the name of one, or how exact it was, is not true of another.
      _ = try? MetadataItems.remove(from: &meta) {
        MovieSurgery.tellsPlace($0) && $0 != "com.apple.quicktime.location.date"
      }
    }
    try changeAll("udta") { udta in
      guard var user = try? udta.takenApart() else { return }
      try user.changeChildren { entries in
        entries = try entries.compactMap { entry in
          var entry = entry
          switch (entry.kind, change) {
          case (.userDataPlace, .set(let place)):
            var facts = CaptureFacts()
            facts.location = place
            guard let text = facts.quickTimeLocation else { return nil }
            entry.bytes = UserText(entry.bytes).changed { _ in text }
            return entry
          case (.userDataPlace, .removed): return nil
          case ("loci", _), ("GPMF", _):
            gone.append("udta \(entry.kind)")
            return nil
          case ("XMP_", _):
            guard var packet = try XMPPacket(entry.bytes) else { return entry }
            gone += packet.change(place: change, keepsNames: false)
            entry.bytes = packet.rewritten()
            return entry
          default: return entry
          }
        }
      }
      udta = user
    }
    return gone
  }
}
