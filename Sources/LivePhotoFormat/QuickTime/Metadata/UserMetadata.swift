/// The metadata that people and programs store alongside a movie's media, in its state after an edit. Such metadata is
/// in the `udta` and `meta` atoms of the movie and its tracks (QuickTime File Format, “User Data Atoms”). The bytes of
/// kept entries do not change.
struct UserMetadata {
  /// Whether pictures are removed because they may show parts that have been cropped away.
  let dropsPictures: Bool
  /// Whether metadata that describes positions in the picture is removed.
  let dropsPlaces: Bool
  /// The names of the removed pictures.
  private(set) var pictures: [String] = []
  /// The names of the removed metadata that contained positions.
  private(set) var places: [String] = []

  /// Updates the metadata of a movie or a track.
  ///
  /// - Parameter holder: The `moov` or `trak` atom.
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
      // If user data cannot be parsed, its parts cannot be removed individually.
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

  /// Returns an atom unchanged, or nil if the atom contains a picture that must be removed.
  private mutating func unlessPicture(_ atom: Atom, _ name: String) -> Atom? {
    guard dropsPictures, atom.bytes.holdsPicture else { return atom }
    pictures.append(name)
    return nil
  }

  /// Updates metadata of any kind. The entries are identified by keys, as in QuickTime, or by codes, as in iTunes
  /// (“covr”).
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

  /// Removes the pictures from metadata identified by codes. Returns the remaining metadata and the names of the
  /// removed pictures.
  private static func withoutPictures(codes meta: Atom) -> (Atom, [String])? {
    let gone = Set(meta.codes.filter(\.bytes.holdsPicture))
    guard !gone.isEmpty else { return nil }
    var left = meta
    left.changeCodes { $0.removeAll(where: gone.contains) }
    return (left, meta.codes.filter(gone.contains).map(\.kind.description))
  }

  /// Removes the properties that describe positions from an XMP packet (XMP specification part 3, section 2.3.1) and
  /// returns the atom.
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

  /// Returns the names of an XMP packet's property groups that describe positions.
  static func placeGroups(of packet: [UInt8]) throws -> [String] {
    guard packet.firstIndex(of: "<") != nil else { return [] }
    return try XMPPacket.staleGroups(of: packet, pixelsMoved: true).filter { $0 != "xmp:Thumbnails" }
  }
}
