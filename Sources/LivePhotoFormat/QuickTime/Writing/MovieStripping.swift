/// Removes private metadata from movies.
extension MovieSurgery {
  /// Removes all copies of private metadata.
  ///
  /// - Parameter identifier: The content identifier to write together with the photo's position if `what` is `all`, or
  ///   nil to write no identifier.
  package mutating func strip(_ what: PrivateMetadata, identifier: String?) throws {
    switch what {
    case .location: try stripLocation()
    case .all: try stripAll(identifier: identifier)
    }
  }

  private mutating func stripLocation() throws {
    func clean(_ atom: inout Atom) throws {
      try atom.changeAll("meta") { Self.takePlaces(outOf: &$0) }
      // Metadata is removed completely if it contains a location in a format that cannot be changed.
      try atom.changeChildren { $0.removeAll { $0.kind == "meta" && Self.mayTellPlace($0.bytes) } }
      try atom.changeAll("udta") { udta in
        udta = try udta.takenApart()
        try udta.changeChildren { entries in
          for index in entries.indices where entries[index].kind == "meta" {
            Self.takePlaces(outOf: &entries[index])
          }
          entries.removeAll { Self.placeAtoms.contains($0.kind) || Self.mayTellPlace($0.bytes) }
        }
      }
    }
    try clean(&moov)
    try moov.changeAll("trak", clean)
    var names = try Self.removeUnknownPlaces(from: &moov)
    try moov.changeAll("trak") { names += try Self.removeUnknownPlaces(from: &$0) }
    strippedNames += names
    for track in movie.tracks where track.handler != "vide" && track.handler != "soun" {
      // Timed metadata in a format other than QuickTime's may be a recorded GPS track.
      guard let keys = track.metadata?.keys else {
        if ["meta", "camm", "gpmd"].contains(track.handler) { removedTracks.insert(track.header.trackID) }
        continue
      }
      if keys.contains(where: { Self.tellsPlace($0.name) }) { removedTracks.insert(track.header.trackID) }
    }
    removedAtoms.formUnion(["uuid", "meta", "udta"])
  }

  /// The kinds of known atoms that do not contain a location themselves.
  private static let known: Set<FourCC> = [
    "mvhd", "trak", "mvex", "iods", "ctab", "rmra", "meta", "udta", "tkhd", "tapt", "edts", "tref", "mdia",
    "load", "clip",
    "matt", "imap", "txas",
  ]

  /// Removes atoms of unknown kinds that may contain a location.
  ///
  /// - Returns: The names of the removed atoms.
  private static func removeUnknownPlaces(from holder: inout Atom) throws -> [String] {
    var names: [String] = []
    try holder.changeChildren { children in
      let gone = children.filter { !known.contains($0.kind) && mayTellPlace($0.bytes) }
      names = gone.map { "atom \($0.kind)" }
      children.removeAll { child in gone.contains { $0.kind == child.kind && $0.bytes == child.bytes } }
    }
    return names
  }

  /// The kinds of user data that contain locations: `©xyz` (QuickTime File Format, “User Data Atoms”), `loci` (3GPP TS
  /// 26.244 section 8.10), GoPro's settings, and XMP.
  private static let placeAtoms: Set<FourCC> = [.userDataPlace, "loci", "GPMF", "XMP_"]

  static func tellsPlace(_ key: String) -> Bool { key.lowercased().contains("location") }

  /// Removes all entries that contain a location from a `meta` atom, whether the entries are identified by keys or by
  /// codes.
  private static func takePlaces(outOf meta: inout Atom) {
    meta.changePlainMetadata { meta in
      guard let items = try? MetadataItems(meta)?.items else {
        return meta.changeCodes { $0.removeAll { $0.isCodedPlace || mayTellPlace($0.bytes) } }
      }
      let gone = Set(items.filter { tellsPlace($0.name) || mayTellPlace($0.value) }.map(\.name))
      if !gone.isEmpty { meta = (try? MetadataItems.removing(gone, from: meta)) ?? meta }
    }
  }

  private static func mayTellPlace(_ bytes: [UInt8]) -> Bool {
    let marks = [FourCC.userDataPlace.bytes, Array("GPS".utf8), Array("location".utf8)]
    return marks.contains { bytes.firstIndex(of: $0) != nil } || bytes.holdsCoordinates
  }

  private mutating func stripAll(identifier: String?) throws {
    let still = movie.stillImageTime
    for track in movie.tracks where track.handler != "vide" && track.handler != "soun" {
      removedTracks.insert(track.header.trackID)
    }
    removedAtoms = Set(movie.fileAtoms.map(\.kind)).subtracting(["ftyp", "moov", "mdat", "wide"])
    try moov.changeChildren { $0.removeAll { $0.kind != "mvhd" && $0.kind != "trak" } }
    try moov.update("mvhd") { Self.clearDates(&$0) }
    try moov.changeAll("trak") { trak in
      try trak.changeChildren { children in
        children.removeAll { !["tkhd", "tapt", "edts", "tref", "mdia"].contains($0.kind) }
      }
      try trak.update("tkhd") { Self.clearDates(&$0) }
      try trak.update("mdia") { media in
        try media.changeChildren { $0.removeAll { !["mdhd", "hdlr", "minf"].contains($0.kind) } }
      }
      try trak.update("mdia", "mdhd") { Self.clearDates(&$0) }
      try trak.update("mdia", "hdlr") { Self.clearName(&$0) }
      try trak.update("mdia", "minf", "hdlr") { Self.clearName(&$0) }
      guard try trak.first("mdia", "minf", "vmhd") != nil else { return }
      try trak.update("mdia", "minf", "stbl", "stsd") { stsd in
        var description = try VisualSampleDescription(stsd: stsd)
        description.clearOrigin()
        stsd = description.stsd
      }
    }
    if let identifier {
      try setIdentifier(identifier)
      if let still { try markStill(at: still) }
    }
  }

  /// Clears the creation and modification dates in `mvhd`, `tkhd` or `mdhd`. The dates follow the version and flags.
  /// Each date is 4 or 8 bytes wide.
  private static func clearDates(_ header: inout Atom) {
    let count = header.bytes.first == 1 ? 16 : 8
    guard header.bytes.count >= 4 + count else { return }
    header.bytes.replaceSubrange(4..<4 + count, with: [UInt8](repeating: 0, count: count))
  }

  /// Clears the manufacturer and name of a handler, because they identify programs and cameras.
  private static func clearName(_ hdlr: inout Atom) {
    guard hdlr.bytes.count >= 24 else { return }
    hdlr.bytes = hdlr.bytes[..<12] + [UInt8](repeating: 0, count: 13)
  }
}
