import Basics
import EditModel

/// The private metadata that is taken out of a photo or movie.
public enum PrivateMetadata: String, CaseIterable, Sendable {
  /// Where it was taken.
  case location
  /// Everything that tells of place, person, camera, program or time.
  case all
}

/// Takes private metadata out of photos.
extension Photo {
  /// Writes the photo without private metadata.
  ///
  /// - Parameter identifier: the content identifier that the result carries where `what` is `all`; nil for none.
  /// - Returns: what went beyond what was asked for, because it could not be looked through.
  /// - Throws: ``MediaError`` when it is no photo or damaged.
  package func write(
    without what: PrivateMetadata, identifier: String?, to sink: any ByteSink
  ) throws -> [Removal] {
    let (photo, lost) = try withoutUnknownMovies()
    return try (lost + photo.container.write(without: what, identifier: identifier, to: sink))
      .unique.map { Removal(half: .photo, name: $0, reason: "was to be stripped") }
  }
}

extension JPEGHeader {
  func write(without what: PrivateMetadata, identifier: String?, to sink: any ByteSink) throws -> [String] {
    let file = try wholeFile()
    var parts = JPEGParts(file)
    let manifests = parts.removeManifests().map(\.name)
    let (bytes, removed) =
      try what == .all
      ? (Self.all(parts, identifier, metadata().orientation), []) : Self.location(parts)
    try sink.write(bytes)
    return manifests + removed
  }

  /// The picture with its colour profile and its orientation, and nothing else.
  private static func all(
    _ parts: JPEGParts, _ identifier: String?, _ orientation: Orientation
  ) throws -> [UInt8] {
    let file = parts.file
    var bytes: [UInt8] = [0xFF, 0xD8]
    if let jfif = parts.contents(of: .jfif).first, jfif.count >= 9 {
      bytes += JPEGMetadataKind.jfif.segment(jfif[..<7] + [0, 0])
    }
    if orientation != .identity || identifier != nil {
      let exif = TIFFBlock.made(
        for: parts.exifPicture, orientation: orientation, contentIdentifier: identifier)
      bytes += JPEGMetadataKind.exif.segment(exif.bytes)
    }
    if let profile = try file.header.iccProfile() {
      for part in ICCProfile.segments(of: ICCProfile.withoutOrigin(profile)) {
        bytes += JPEGSegment.bytes(0xE2, part)
      }
    }
    for segment in file.header.segments {
      // Adobe's segment says how the colours are coded.
      let isAdobe = segment.marker == 0xEE && file.payload(segment).hasPrefix("Adobe")
      if !segment.isMetadata || isAdobe { bytes += file.bytes[segment.range] }
    }
    return bytes + file.scans
  }

  private static func location(_ original: JPEGParts) throws -> ([UInt8], [String]) {
    var parts = original
    let file = parts.file
    var removed: [String] = []
    for index in parts.indices(of: .exif) {
      guard var block = TIFFBlock(exif: parts.list[index].content) else {
        parts.list[index].isRemoved = true
        removed.append("damaged Exif")
        continue
      }
      removed += block.removeLocation(of: parts.exifPicture)
      parts.setContent(block.bytes, at: index)
    }
    for index in parts.indices(of: .xmp) {
      let kept = try XMPPacket.withoutLocation(parts.list[index].content)
      if let kept { parts.setContent(kept, at: index) } else { parts.list[index].isRemoved = true }
      if kept == nil { removed.append("damaged XMP") }
    }
    if parts.contents(of: .extendedXMP).contains(where: XMPPacket.mayTellPlace) {
      parts.remove(.extendedXMP)
      removed.append("extended XMP")
    }
    for index in parts.indices(of: .photoshop) {
      parts.setContent(PhotoshopResources.withoutLocation(parts.list[index].content), at: index)
    }
    let samsung = try SamsungBlocks(endOf: file.trailer, of: MemoryByteSource(file.bytes))
    var trailer = Array(file.bytes[file.trailer.lowerBound..<(samsung?.start ?? file.trailer.upperBound)])
    if trailer.holdsPlace {
      trailer = []
      parts.remove(.multiPicture, .gainMap)
      removed.append("pictures behind the first")
    } else if trailer.firstIndex(of: SamsungBlocks.country) != nil {
      // Blocks without a directory.
      trailer = []
      removed.append("Samsung's trailer")
    }
    if let samsung {
      let places = try samsung.ofPlace
      trailer += try samsung.serialized(without: places)
      removed += places.map(\.title)
    }
    // Nobody reads it, so nobody can say what it tells.
    if !file.laterMetadata.isEmpty { removed.append(JPEGRewriter.betweenScans) }
    return (try parts.assembled(scans: file.scans, trailer: trailer), removed)
  }
}

extension HEIFFile {
  func write(without what: PrivateMetadata, identifier: String?, to sink: any ByteSink) throws -> [String] {
    guard !atoms.contains(where: { $0.kind == "moov" }) else {
      throw MediaError(
        "it is an image sequence, and what its tracks say of place and person would stay", isUnsupported: true
      )
    }
    var removed: [String] = []
    var properties = properties
    if what == .all {
      for index in properties.properties.indices {
        let property = properties.properties[index]
        switch property.kind {
        case "colr" where property.bytes.prefix(4) != Array("nclx".utf8)[...]:
          properties.properties[index].bytes =
            property.bytes.prefix(4) + ICCProfile.withoutOrigin(Array(property.bytes.dropFirst(4)))
        case "udes", "crtt", "mdft":
          properties.properties[index].bytes =
            property.bytes.prefix(4) + [UInt8](repeating: 0, count: max(0, property.bytes.count - 4))
        default: break
        }
      }
    }
    var composition = HEIFComposition(self, properties: properties)
    removed += try composition.removeManifests().map(\.name)
    // Items may lie at the same bytes; then what is made of them could be far larger than the file.
    var left = size
    let exifItem = exifItem
    let picture = exifPicture
    for id in itemOrder {
      guard let item = items[id], !item.isCodedImage, !item.isDerivedImage, location(of: id) != nil else {
        continue
      }
      let data = try data(of: id)
      left -= data.count
      guard left >= 0 else { throw HEIFComposition.entangled }
      var new = data
      if item.type == "Exif" {
        if what == .all {
          let isPhotos = id == exifItem
          let block = TIFFBlock.made(
            for: picture, orientation: isPhotos ? photoOrientation : .identity,
            contentIdentifier: isPhotos ? identifier : nil)
          new = HEIFExif(block: block).bytes
        } else if var exif = HEIFExif(data) {
          removed += exif.block.removeLocation(of: picture)
          new = exif.bytes
        }
      } else if item.isXMP {
        new =
          try (what == .all ? XMPPacket.withoutPrivate(data) : XMPPacket.withoutLocation(data))
          ?? XMPPacket.empty
      } else if what == .all {
        new = [UInt8](repeating: 0, count: data.count)
        removed.append("item of type \(item.type)")
      }
      if new != data { composition.replace(id, with: new) }
    }
    if what == .all, let identifier, exifItem == nil {
      let block = TIFFBlock.made(
        for: picture, orientation: photoOrientation, contentIdentifier: identifier)
      try composition.add("Exif", HEIFExif(block: block).bytes, describing: primaryItem)
    }
    composition.dropsOthers = what == .all
    if what == .location { removed += try composition.removeSamsungPlaces() }
    try composition.writeInPlace(to: sink)
    return removed.unique
  }
}

extension TIFFBlock {
  /// Takes out where the photo was taken: the GPS directory, and what may hold a copy of it and cannot be looked
  /// through. Of a block that is too damaged for it nothing stays but the orientation and the identifier.
  ///
  /// - Parameter picture: the photo.
  /// - Returns: names of what went besides the directory.
  mutating func removeLocation(of picture: ExifPicture) -> [String] {
    let (orientation, identifier) = (orientation, contentIdentifier)
    guard removeDirectory(.gps) else {
      self = .made(
        for: picture, orientation: orientation ?? .identity, contentIdentifier: identifier)
      return ["damaged Exif"]
    }
    var removed: [String] = []
    if removeForeignMakerNote() { removed.append("MakerNote") }
    if let thumbnail, thumbnail.firstIndex(of: "Exif") != nil || thumbnail.firstIndex(of: "xap/1.0") != nil {
      _ = removeThumbnail()
      removed.append("ThumbnailImage")
    }
    if contentIdentifier != nil { makeBigEndian() }
    return removed
  }
}

extension [UInt8] {
  /// True if one of the pictures that follow one another in them says where it was taken.
  var holdsPlace: Bool {
    if firstIndex(of: "GPSLatitude") != nil { return true }
    var at = 0
    for _ in 0..<16 {
      guard let start = firstIndex(of: "Exif\0\0", in: at..<count) else { return false }
      let block = TIFFBlock(exif: Array(self[(start + 6)...]))
      if block?.listing(.gps)?.entries.isEmpty == false { return true }
      at = start + 6
    }
    return true
  }
}
