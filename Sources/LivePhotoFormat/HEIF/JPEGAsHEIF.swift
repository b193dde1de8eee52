import Basics
import EditModel

/// A JPEG's metadata around a HEIC picture.
extension JPEGSurgery {
  /// Writes the photo as a HEIC.
  ///
  /// Exif, XMP, the colour profile and a gain map are carried over, and made true of the new picture. What else segments of a JPEG
  /// hold has no place there.
  ///
  /// - Parameters:
  ///   - picture: the new picture, coded; what it has beyond `shown` at its right and its bottom is cut off by a clean
  ///     aperture.
  ///   - shown: the size of the new picture.
  ///   - transform: how the stored pixels were turned: the original's orientation, then the edit's.
  ///   - projection: from places of the turned picture to places of the new one, in fractions, where it is another part.
  ///   - orientation: how the new picture is displayed.
  ///   - identifier: the content identifier to write into Apple's maker note; nil leaves it as it is.
  ///   - thumbnail: a JPEG to stand in for the thumbnail in Exif; without one an old thumbnail is removed.
  ///   - gainMap: the gain map, edited along; nil removes one that there is.
  ///   - sink: where the file goes.
  /// - Returns: what it does not carry any more.
  /// - Throws: ``MediaError`` when there is no place for the identifier, or the picture has too many tiles; what `sink`
  ///   throws.
  package func writeHEIF(
    _ picture: HEIFCodedPicture, showing shown: PixelSize, transform: Orientation,
    projection: PictureProjection? = nil, orientation: Orientation, identifier: String?, thumbnail: [UInt8]?,
    gainMap: HEIFGainMap? = nil, to sink: any ByteSink
  ) throws -> [Removal] {
    let change = PictureChange(
      transform: transform, projection: projection, orientation: orientation,
      old: original.header.frame.size, new: shown, isNewPicture: true, keepsGainMap: gainMap != nil)
    var rewriter = try JPEGRewriter(parts: JPEGParts(original), change: change)
    rewriter.removeManifests()
    rewriter.nameMetadataBetweenScans()
    try rewriter.rewriteExif(identifier: identifier, thumbnail: thumbnail)
    let behind = try rewriter.rewriteFurtherPictures(maps: gainMap.map { [$0.map] } ?? [])
    try rewriter.rewriteXMP()
    var parts = rewriter.parts
    // A HEIC photo lists its pictures itself.
    parts.remove(.multiPicture, .gainMap)
    let profile = try original.header.iccProfile()
    // sRGB by code points, with the matrix and the range of JPEG: ITU-T H.273.
    let properties = HEIFFile.properties(
      of: picture.grid.size, showing: shown, isGrey: original.header.frame.components.count == 1,
      color: profile.map { Array("prof".utf8) + $0 } ?? Array("nclx".utf8) + [0, 1, 0, 13, 0, 6, 0x80],
      orientation: orientation)
    let skeleton = HEIFFile.skeleton(properties, hasToneMap: gainMap?.hasToneMap ?? false)
    let file = try HEIFFile(reading: MemoryByteSource(skeleton))
    var composition = HEIFComposition(file)
    try composition.replacePicture(file.primaryItem, with: picture)
    if let exif = parts.exifBlocks.first {
      try composition.add("Exif", HEIFExif(block: exif).bytes, describing: file.primaryItem)
    }
    if var packet = try parts.packets.first {
      packet.removeExtension()
      if gainMap != nil {
        for namespace in [XMPPacket.Namespace.container, XMPPacket.Namespace.gainMap] {
          _ = packet.removeAll(in: namespace)
        }
      }
      try composition.add(
        "mime", packet.rewritten(), contentType: "application/rdf+xml", describing: file.primaryItem)
    }
    try gainMap?.add(
      to: &composition, of: file.primaryItem, size: shown, primaries: Self.primaries(of: profile),
      orientation: orientation)
    try composition.writeAnew(to: sink)
    // Where Samsung's phones put them in a HEIC photo.
    if !behind.samsung.isEmpty { try sink.write(Atom("sefd", behind.samsung).serialized) }
    var names = try Self.namesWithoutPlace(parts)
    if !behind.rest.isEmpty { names.append("data behind the picture") }
    return rewriter.removals
      + names.unique.map { Removal(half: .photo, name: $0, reason: "has no place in a HEIC photo") }
  }

  /// The primaries of a profile's colours (ITU-T H.273 table 2), told by its name: 2 where it is not known, 1 without a profile.
  private static func primaries(of profile: [UInt8]?) -> UInt8 {
    guard let profile else { return 1 }
    let name = ICCProfile(profile).name ?? ""
    return name.contains("P3") ? 12 : name.contains("sRGB") ? 1 : name.contains("2020") ? 9 : 2
  }

  /// The names of what stays behind: all but one Exif block, one XMP packet, the profile, and what says how the JPEG is
  /// coded.
  private static func namesWithoutPlace(_ parts: JPEGParts) throws -> [String] {
    var names: [String] = []
    for (kind, carried) in try [(JPEGMetadataKind.exif, parts.exifBlocks.count), (.xmp, parts.packets.count)]
    where parts.indices(of: kind).count > min(carried, 1) { names.append(kind.rawValue) }
    if !parts.file.laterComments.isEmpty { names.append("comment") }
    for part in parts.list where !part.isRemoved && part.segments.first?.isMetadata ?? false {
      switch part.kind {
      case .exif, .xmp, .jfif: continue
      case .photoshop:
        names += PhotoshopResources.iptcSize(part.content) > 0 ? ["IPTC", "Photoshop"] : ["Photoshop"]
      case let kind?: names.append(kind.rawValue)
      case nil where part.marker == 0xFE: names.append("comment")
      case nil where part.marker == 0xEE && part.content.hasPrefix("Adobe"): continue
      case nil where part.marker == 0xE2 && part.content.starts(with: ICCProfile.signature): continue
      case nil: names.append("APP\(part.marker & 15)")
      }
    }
    return names
  }
}

extension HEIFFile {
  /// The properties of a photo that is written anew, those that describe before those that change it (ISO/IEC 23000-22
  /// section 7.3.5), and whether a reader must know each.
  ///
  /// - Parameters:
  ///   - size: columns and rows of the coded picture.
  ///   - shown: those of the part of it that is shown, at its upper left.
  ///   - isGrey: whether it has no chroma.
  ///   - color: what tells of its colours: the content of `colr`.
  ///   - orientation: how it is displayed.
  static func properties(
    of size: PixelSize, showing shown: PixelSize, isGrey: Bool, color: [UInt8], orientation: Orientation
  ) -> [(atom: Atom, isEssential: Bool)] {
    var properties: [(atom: Atom, isEssential: Bool)] = [
      (.spatialExtents(size), false),
      (Atom("pixi", [0, 0, 0, 0] + (isGrey ? [1, 8] : [3, 8, 8, 8])), false),
      (Atom("colr", color), false),
      // The configuration takes this one's place.
      (Atom("hvcC", []), true),
    ]
    if shown != size {
      let parts = [
        shown.width, 1, shown.height, 1, shown.width - size.width, 2, shown.height - size.height, 2,
      ]
      properties.append((Atom("clap", words: parts), true))
    }
    return properties + Atom.pictureTurns(orientation, keepsTurn: false).map { ($0, true) }
  }

  /// The boxes of a file of one picture, which has no data yet.
  ///
  /// - Parameter hasToneMap: whether it will have a tone map, which its brands say then.
  fileprivate static func skeleton(
    _ properties: [(atom: Atom, isEssential: Bool)], hasToneMap: Bool
  ) -> [UInt8] {
    let numbers = properties.enumerated().map { UInt8($0.offset + 1) | ($0.element.isEssential ? 0x80 : 0) }
    let association: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, 0, 1, UInt8(numbers.count)] + numbers
    let list = Atom("ipco", properties.flatMap(\.atom.serialized)).serialized
    let reference = Atom("dref", [0, 0, 0, 0, 0, 0, 0, 1] + Atom("url ", [0, 0, 0, 1]).serialized)
    let handler = [UInt8](repeating: 0, count: 8) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)
    let boxes = [
      Atom("hdlr", handler), Atom("dinf", reference.serialized), Atom("pitm", [0, 0, 0, 0, 0, 1]),
      Atom(
        "iinf",
        [0, 0, 0, 0, 0, 1] + Atom("infe", [2, 0, 0, 0, 0, 1, 0, 0] + Array("hvc1".utf8) + [0]).serialized),
      Atom("iprp", list + Atom("ipma", association).serialized),
      // No item has a place yet.
      Atom("iloc", [0, 0, 0, 0, 0x44, 0, 0, 0]), Atom("grpl", []),
    ]
    let brands = "heic\0\0\0\0mif1heicmiaf" + (hasToneMap ? "tmap" : "")
    return Atom("ftyp", Array(brands.utf8)).serialized
      + Atom("meta", [0, 0, 0, 0] + boxes.flatMap(\.serialized)).serialized
  }
}
