import Basics
import EditModel

/// Writes a HEIC photo that carries a JPEG's metadata.
extension JPEGSurgery {
  /// Writes the photo as a HEIC.
  ///
  /// Exif, XMP, the colour profile and a gain map are carried over and updated to describe the new picture. A HEIC
  /// cannot contain the other data in the JPEG's segments.
  ///
  /// - Parameters:
  ///   - picture: The new coded picture. A clean aperture cuts off the parts that exceed `shown` on the right and at
  ///     the bottom.
  ///   - shown: The size of the new picture.
  ///   - transform: The rotation and mirroring applied to the stored pixels: the original's orientation, then the
  ///     orientation that the edit adds.
  ///   - projection: The mapping from positions in the rotated picture to positions in the new picture, in fractions of
  ///     width and height, if the new picture shows only a part of the rotated picture.
  ///   - orientation: The orientation in which the new picture is displayed.
  ///   - identifier: The content identifier to write into Apple's maker note, or nil to keep the existing identifier.
  ///   - thumbnail: A JPEG that replaces the Exif thumbnail. If nil, an existing thumbnail is removed.
  ///   - gainMap: The gain map with the same edits applied. If nil, an existing gain map is removed.
  ///   - sink: The destination of the file.
  /// - Returns: The metadata that is not carried over to the HEIC.
  /// - Throws: ``MediaError`` if the identifier cannot be stored, or if the picture has too many tiles, or any error
  ///   that `sink` throws.
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
    // A HEIC photo contains its own list of pictures.
    parts.remove(.multiPicture, .gainMap)
    let profile = try original.header.iccProfile()
    // The code points describe sRGB with JPEG's matrix and range (ITU-T H.273).
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
    // In HEIC photos, Samsung phones store these blocks in a `sefd` box.
    if !behind.samsung.isEmpty { try sink.write(Atom("sefd", behind.samsung).serialized) }
    var names = try Self.namesWithoutPlace(parts)
    if !behind.rest.isEmpty { names.append("data after the picture") }
    return rewriter.removals
      + names.unique.map { Removal(half: .photo, name: $0, reason: "cannot be stored in a HEIC photo") }
  }

  /// Returns the colour primaries (ITU-T H.273 table 2) of a colour profile, which is identified by its name. Returns 2
  /// if the name is unknown, and 1 if `profile` is nil.
  private static func primaries(of profile: [UInt8]?) -> UInt8 {
    guard let profile else { return 1 }
    let name = ICCProfile(profile).name ?? ""
    return name.contains("P3") ? 12 : name.contains("sRGB") ? 1 : name.contains("2020") ? 9 : 2
  }

  /// Returns the names of the metadata that is not carried over: everything except one Exif block, one XMP packet, the
  /// profile, and the coding parameters of the JPEG.
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
  /// Returns the properties of a new photo, and whether a reader must support each property. Descriptive properties
  /// come before transforming properties (ISO/IEC 23000-22 section 7.3.5).
  ///
  /// - Parameters:
  ///   - size: The width and height of the coded picture in pixels.
  ///   - shown: The size of the displayed part. The displayed part begins at the top-left corner.
  ///   - isGrey: Whether the picture has no chroma.
  ///   - color: The colour description of the picture, which becomes the content of `colr`.
  ///   - orientation: The orientation in which the picture is displayed.
  static func properties(
    of size: PixelSize, showing shown: PixelSize, isGrey: Bool, color: [UInt8], orientation: Orientation
  ) -> [(atom: Atom, isEssential: Bool)] {
    var properties: [(atom: Atom, isEssential: Bool)] = [
      (.spatialExtents(size), false),
      (Atom("pixi", [0, 0, 0, 0] + (isGrey ? [1, 8] : [3, 8, 8, 8])), false),
      (Atom("colr", color), false),
      // This placeholder is replaced by the decoder configuration.
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

  /// Returns the boxes of a file with one picture that has no data yet.
  ///
  /// - Parameter hasToneMap: Whether the file will contain a tone map. If so, the file's brands declare the tone map.
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
      // No item has a location yet.
      Atom("iloc", [0, 0, 0, 0, 0x44, 0, 0, 0]), Atom("grpl", []),
    ]
    let brands = "heic\0\0\0\0mif1heicmiaf" + (hasToneMap ? "tmap" : "")
    return Atom("ftyp", Array(brands.utf8)).serialized
      + Atom("meta", [0, 0, 0, 0] + boxes.flatMap(\.serialized)).serialized
  }
}
