import EditModel

extension PlaceChange {
  /// The new location as a value for QuickTime's location key, or nil if the location is removed.
  fileprivate var quickTimeText: String? {
    guard case .set(let place) = self else { return nil }
    var facts = CaptureFacts()
    facts.location = place
    return facts.quickTimeLocation
  }
}

/// Changes the location in a movie's atoms.
extension Atom {
  /// Changes the location in a `moov` atom. The new location is stored under QuickTime's key, the standard key for
  /// locations, and in all other metadata that contains a location. Recorded GPS tracks are removed.
  ///
  /// - Returns: The names of the removed tracks and user data entries.
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
    if let text = change.quickTimeText { try setText(MetadataItems.location, to: text) }
    return gone
  }

  /// Whether a `trak` atom contains timed metadata with locations.
  private var recordsPath: Bool {
    get throws {
      let handler = try first("mdia", "hdlr")?.bytes.dropFirst(8).prefix(4) ?? []
      guard !handler.elementsEqual("vide".utf8), !handler.elementsEqual("soun".utf8) else { return false }
      let description = try first("mdia", "minf", "stbl", "stsd")?.bytes ?? []
      return ["location", "gpmd", "camm"].contains { description.firstIndex(of: $0) != nil }
    }
  }

  /// Removes tracks from a `moov` atom, and from the reference lists of the other tracks.
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
    let text = change.quickTimeText
    // QuickTime's key for the location is removed here and written again later.
    try changeAll("meta") { $0.changeMetadata(place: text, keepsKeys: false) }
    try changeAll("udta") { udta in
      guard var user = try? udta.takenApart() else { return }
      try user.changeChildren { entries in
        entries = try entries.compactMap { entry in
          var entry = entry
          switch entry.kind {
          case .userDataPlace:
            guard let text else { return nil }
            entry.bytes = try UserText(entry.bytes).changed { _ in text }
            return entry
          case "meta":
            entry.changeMetadata(place: text, keepsKeys: true)
            return entry
          case "loci", "GPMF":
            gone.append("udta \(entry.kind)")
            return nil
          case "XMP_":
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

  /// Changes the location in metadata identified by keys or by codes.
  ///
  /// - Parameters:
  ///   - text: The new location, or nil to remove the location.
  ///   - keepsKeys: Whether existing location keys are kept and set to the new location.
  private mutating func changeMetadata(place text: String?, keepsKeys: Bool) {
    changePlainMetadata { meta in
      guard (try? MetadataItems(meta)) == nil else {
        // The keys used by ffmpeg and by QuickTime.
        let kept = keepsKeys && text != nil ? ["location", MetadataItems.location] : []
        // The old location's name and accuracy do not apply to the new location.
        _ = try? MetadataItems.remove(from: &meta) {
          MovieSurgery.tellsPlace($0) && $0 != "com.apple.quicktime.location.date" && !kept.contains($0)
        }
        return meta.changeTexts(Dictionary(uniqueKeysWithValues: kept.map { ($0, text ?? "") }))
      }
      meta.changeCodes { entries in
        entries = entries.compactMap { entry in
          guard entry.isCodedPlace else { return entry }
          guard let text, entry.kind == .userDataPlace else { return nil }
          return Atom(entry.kind, Atom("data", [UInt8](words: [1, 0]) + Array(text.utf8)).serialized)
        }
      }
    }
  }
}
