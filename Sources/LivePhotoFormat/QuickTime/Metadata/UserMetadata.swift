/// The metadata that people and programs put beside a movie's media, in `udta` and `meta` atoms of the movie and its tracks (QuickTime
/// File Format, “User Data Atoms”), as it stands after an edit. Entries that stay keep their bytes.
struct UserMetadata {
  /// True if pictures go: they may show what is cut off.
  let dropsPictures: Bool
  /// True if what describes places in the picture goes.
  let dropsPlaces: Bool
  /// The names of the pictures that went.
  private(set) var pictures: [String] = []
  /// The names of what described places and went.
  private(set) var places: [String] = []

  /// Goes through the metadata of a movie or a track.
  ///
  /// - Parameter holder: its `moov` or `trak` atom.
  mutating func rewrite(_ holder: inout Atom) throws {
    guard dropsPictures || dropsPlaces else { return }
    try holder.changeChildren { children in
      children = try children.compactMap { child in
        switch child.kind {
        case "udta": try rewritten(userData: child)
        case "meta": rewritten(metadata: child, "meta")
        default: child
        }
      }
    }
  }

  private mutating func rewritten(userData udta: Atom) throws -> Atom? {
    guard var user = try? udta.takenApart() else {
      // Of what cannot be taken apart nothing can be left out.
      return unlessPicture(udta, "udta")
    }
    let entries = try user.children
    try user.changeChildren { children in
      children = try entries.compactMap { entry in
        switch entry.kind {
        case "meta": rewritten(metadata: entry, "udta meta")
        case "XMP_": try rewritten(packet: entry)
        default: unlessPicture(entry, "udta \(entry.kind)")
        }
      }
    }
    return try user.children == entries ? udta : user
  }

  /// An atom as it is, or nil where it holds a picture that goes.
  private mutating func unlessPicture(_ atom: Atom, _ name: String) -> Atom? {
    guard dropsPictures, atom.bytes.holdsPicture else { return atom }
    pictures.append(name)
    return nil
  }

  /// Metadata of any kind: by keys, as QuickTime has it, or by codes, as iTunes has it (“covr”).
  private mutating func rewritten(metadata meta: Atom, _ name: String) -> Atom? {
    guard dropsPictures, meta.bytes.holdsPicture else { return meta }
    if let items = try? MetadataItems(meta)?.items {
      let names = Set(items.filter { $0.value.holdsPicture }.map(\.name))
      if let left = try? MetadataItems.removing(names, from: meta), !left.bytes.holdsPicture {
        pictures += names.sorted()
        return left
      }
    } else if let (left, names) = Self.withoutPictures(codes: meta), !left.bytes.holdsPicture {
      pictures += names.map { "\(name) \($0)" }
      return left
    }
    return unlessPicture(meta, name)
  }

  /// Metadata by codes without its pictures.
  private static func withoutPictures(codes meta: Atom) -> (Atom, [String])? {
    let gone = Set(meta.codes.filter(\.bytes.holdsPicture))
    guard !gone.isEmpty else { return nil }
    var left = meta
    left.changeCodes { $0.removeAll(where: gone.contains) }
    return (left, meta.codes.filter(gone.contains).map(\.kind.description))
  }

  /// An XMP packet (XMP specification part 3, section 2.3.1) without properties that describe places.
  private mutating func rewritten(packet atom: Atom) throws -> Atom? {
    guard dropsPlaces, try !Self.placeGroups(of: atom.bytes).isEmpty else {
      return unlessPicture(atom, "udta XMP_")
    }
    guard var packet = try XMPPacket(atom.bytes) else {
      places.append("udta XMP_")
      return nil
    }
    for property in packet.properties {
      guard let group = XMPPacket.placeGroup(property.name, prefix: property.prefix) else { continue }
      packet.remove(property)
      places.append(group)
    }
    return unlessPicture(Atom(atom.kind, packet.rewritten()), "udta XMP_")
  }

  /// Names of the groups of an XMP packet that describe places.
  static func placeGroups(of packet: [UInt8]) throws -> [String] {
    guard packet.firstIndex(of: "<") != nil else { return [] }
    return try XMPPacket.staleGroups(of: packet, pixelsMoved: true).filter { $0 != "xmp:Thumbnails" }
  }
}
