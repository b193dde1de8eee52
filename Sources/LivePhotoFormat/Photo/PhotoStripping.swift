import Basics
import EditModel

/// The kinds of private metadata that can be removed from a photo or movie.
public enum PrivateMetadata: String, CaseIterable, Sendable {
  /// The capture location.
  case location
  /// All metadata about the location, people, the camera, the program and the time.
  case all
}

/// Removes private metadata from photos.
extension Photo {
  /// Writes the photo without private metadata.
  ///
  /// - Parameter identifier: The content identifier to write if `what` is `all`, or nil to write no identifier.
  /// - Returns: The additional parts that were removed because their content could not be examined.
  /// - Throws: ``MediaError`` if the file is not a photo or is damaged.
  package func write(
    without what: PrivateMetadata, identifier: String?, to sink: any ByteSink
  ) throws -> [Removal] {
    let (photo, lost) = try withoutUnknownMovies()
    return try (lost + photo.container.write(without: what, identifier: identifier, to: sink))
      .unique.map { Removal(half: .photo, name: $0, reason: "removed on request") }
  }
}

extension JPEGHeader {
  func write(without what: PrivateMetadata, identifier: String?, to sink: any ByteSink) throws -> [String] {
    let file = try wholeFile()
    var parts = JPEGParts(file)
    let manifests = parts.removeManifests().map(\.name)
    let (bytes, removed) =
      try what == .all
      ? Self.all(parts, identifier, metadata().orientation) : Self.location(parts)
    try sink.write(bytes)
    return manifests + removed
  }

  /// Returns a JPEG that contains only the picture, its colour profile, its orientation, and the maps listed in an
  /// index.
  ///
  /// - Returns: The JPEG, and the names of the removed pictures that followed the main picture.
  private static func all(
    _ original: JPEGParts, _ identifier: String?, _ orientation: Orientation
  ) throws -> ([UInt8], [String]) {
    let listing = try original.listing()
    let found = try original.maps(listing)
    var maps: [JPEGMap] = []
    var removed: [String] = []
    for map in found {
      guard map.isIndexed, let picture = try? JPEGFile(Array(original.file.bytes[map.range])) else {
        removed.append(map.name)
        continue
      }
      let parts = try JPEGParts(picture).withoutPrivate(keepsMapData: true)
      maps.append(JPEGMap(bytes: try parts.assembled(scans: picture.scans, trailer: []), name: map.name))
    }
    let others = original.furtherPictures(listing).filter { range in
      !found.contains { $0.range.overlaps(range) }
    }
    if !others.isEmpty { removed.append("pictures after the first") }
    var parts = try original.withoutPrivate(keepsMapData: !maps.isEmpty)
    if orientation != .identity || identifier != nil {
      let exif = TIFFBlock.made(
        for: original.exifPicture, orientation: orientation, contentIdentifier: identifier)
      parts.insertExif(exif.bytes)
    }
    if !maps.isEmpty {
      parts.insert(MultiPicture.index(of: maps.count + 1), as: .multiPicture, behind: [.jfif, .exif, .xmp])
    }
    return (try parts.assembled(scans: original.file.scans, maps: maps, trailer: []), removed)
  }

  private static func location(_ original: JPEGParts) throws -> ([UInt8], [String]) {
    var parts = original
    let file = parts.file
    var removed: [String] = []
    let picture = parts.exifPicture
    for index in parts.indices(of: .exif) {
      guard var block = TIFFBlock(exif: parts.list[index].content) else {
        parts.list[index].isRemoved = true
        removed.append("damaged Exif")
        continue
      }
      removed += block.removeLocation(of: picture)
      parts.setContent(block.bytes, at: index)
    }
    for index in parts.indices(of: .xmp) {
      let kept = try XMPPacket.withoutLocation(parts.list[index].content)
      if let kept { parts.setContent(kept, at: index) } else { parts.list[index].isRemoved = true }
      if kept == nil { removed.append("damaged XMP") }
    }
    if XMPPacket.mayTellPlace(parts.extendingXMP) {
      parts.remove(.extendedXMP)
      removed.append("extended XMP")
    }
    for index in parts.indices(of: .photoshop) {
      parts.setContent(PhotoshopResources.withoutLocation(parts.list[index].content), at: index)
    }
    for index in parts.list.indices where parts.list[index].kind == nil && !parts.list[index].isRemoved {
      let part = parts.list[index]
      // These segments contain the colour profile, the colour encoding, and Apple's measurement of the scene's
      // brightness.
      let isOfPixels = ["ICC_PROFILE", "Adobe", "AROT"].contains { part.content.hasPrefix($0) }
      guard part.segments.first?.isMetadata ?? true, !isOfPixels else { continue }
      // Comments and JUMBF boxes can be searched as plain text. The other segments are in unknown formats and may
      // therefore contain any data.
      let isComment = part.marker == 0xFE
      guard !isComment && part.marker != 0xEB || part.content.mayTellPlace else { continue }
      parts.list[index].isRemoved = true
      removed.append(isComment ? "comment" : "APP\(part.marker & 15)")
    }
    let samsung = try SamsungBlocks(endOf: file.trailer, of: MemoryByteSource(file.bytes))
    var trailer = Array(file.bytes[file.trailer.lowerBound..<(samsung?.start ?? file.trailer.upperBound)])
    if try parts.keepPictures(inTrailer: &trailer) { removed.append("data after the picture") }
    // The removed data included the movie that XMP declares.
    if try parts.removeMotionPhoto() { removed.append("MotionPhoto") }
    if trailer.holdsPlace {
      trailer = []
      parts.remove(.multiPicture, .gainMap)
      removed.append("pictures after the first")
    }
    if let samsung {
      let places = samsung.notKnownToBeFreeOfPlaces
      trailer += try samsung.serialized(without: places)
      removed += places.map(\.title)
    }
    // The metadata between scans is in an unknown format and may therefore contain any data.
    if !file.laterMetadata.isEmpty { removed.append(JPEGRewriter.betweenScans) }
    return (try parts.assembled(scans: file.scans, trailer: trailer), removed)
  }
}

extension JPEGParts {
  /// Returns the parts that are needed to decode the picture: JFIF without its thumbnail, the colour profile without
  /// origin information, and Adobe's segment, which states the colour encoding.
  ///
  /// - Parameter keepsMapData: Whether to keep the metadata that describes a map and its use.
  fileprivate func withoutPrivate(keepsMapData: Bool) throws -> JPEGParts {
    var parts = self
    let jfif = indices(of: .jfif).first
    for index in parts.list.indices {
      let part = parts.list[index]
      guard part.segments.first?.isMetadata ?? true else { continue }
      switch part.kind {
      case .jfif where index == jfif && part.content.count >= 9:
        parts.setContent(part.content[..<7] + [0, 0], at: index)
      case .gainMap where keepsMapData: break
      case .xmp where keepsMapData:
        let kept = try XMPPacket.withoutPrivate(part.content)
        if let kept, kept.count <= part.limit {
          parts.setContent(kept, at: index)
        } else {
          parts.list[index].isRemoved = true
        }
      case nil where part.marker == 0xEE && part.content.hasPrefix("Adobe"): break
      default: parts.list[index].isRemoved = true
      }
    }
    guard let profile = try file.header.iccProfile() else { return parts }
    let segments = ICCProfile.segments(of: ICCProfile.withoutOrigin(profile)).map {
      Part(marker: 0xE2, kind: nil, content: $0)
    }
    let place = parts.list.firstIndex { !$0.isRemoved && $0.kind != .jfif && $0.kind != .xmp }
    parts.list.insert(contentsOf: segments, at: place ?? parts.list.count)
    return parts
  }

  /// The content of the extended XMP packets, after the digest, size and offset of each segment (XMP specification part
  /// 3, section 1.1.3.1).
  var extendingXMP: [UInt8] { contents(of: .extendedXMP).flatMap { $0.dropFirst(40) } }

  /// Removes everything except pictures from the data after the main picture. The pictures keep their positions, and
  /// the bytes between them are replaced with zeros.
  ///
  /// - Parameter trailer: The data after the main picture.
  /// - Returns: Whether any data was removed.
  fileprivate func keepPictures(inTrailer trailer: inout [UInt8]) throws -> Bool {
    let start = file.trailer.lowerBound
    let listed = try furtherPictures(listing()).filter { range in
      let head = file.bytes[range].prefix(8)
      return head.starts(with: [0xFF, 0xD8, 0xFF]) || head.elementsEqual(PNGFile.signature)
    }
    let found = EmbeddedPictures.jpegs(in: trailer, trailer.indices).filter { range in
      // Truncated JPEGs, and data that merely looks like a JPEG, do not count as pictures.
      (try? JPEGFile(Array(trailer[range]))) != nil
    }
    let inside = listed.map { ($0.lowerBound - start..<$0.upperBound - start).clamped(to: trailer.indices) }
    let pictures = RangeSet(inside + found)
    let others = RangeSet(trailer.indices).subtracting(pictures).ranges
    let isAnyGone = others.contains { trailer[$0].contains { $0 != 0 } }
    for range in others { trailer.replaceSubrange(range, with: repeatElement(0, count: range.count)) }
    trailer.removeLast(trailer.count - (pictures.ranges.last?.upperBound ?? 0))
    return isAnyGone
  }
}

extension HEIFFile {
  func write(without what: PrivateMetadata, identifier: String?, to sink: any ByteSink) throws -> [String] {
    guard !atoms.contains(where: { $0.kind == "moov" }) else {
      throw MediaError(
        "the file is an image sequence, and its tracks would keep location and personal data",
        isUnsupported: true
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
    // Items may share the same bytes. Without this limit, the total data read for all items could be far larger than
    // the file.
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
        let kept = try what == .all ? XMPPacket.withoutPrivate(data) : XMPPacket.withoutLocation(data)
        if kept == nil, what == .location { removed.append("damaged XMP") }
        new = kept ?? XMPPacket.empty
      } else if what == .all || data.mayTellPlace {
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
    try composition.clearUnused()
    if what == .location {
      removed += composition.removeUnknownBoxes { _ in true }
      removed += try composition.removeSamsungPlaces { $0.notKnownToBeFreeOfPlaces }
    }
    try composition.writeInPlace(to: sink)
    return removed.unique
  }
}

extension TIFFBlock {
  /// Removes the capture location. This includes the GPS directory, and data that cannot be examined but may contain a
  /// copy of the location. If the block is too damaged, only the orientation and the identifier are kept.
  ///
  /// - Parameter picture: The photo.
  /// - Returns: The names of the parts that were removed in addition to the GPS directory.
  mutating func removeLocation(of picture: ExifPicture) -> [String] {
    let (orientation, identifier) = (orientation, contentIdentifier)
    guard removeDirectory(.gps) else {
      self = .made(
        for: picture, orientation: orientation ?? .identity, contentIdentifier: identifier)
      return ["damaged Exif"]
    }
    var removed: [String] = []
    if removeForeignMakerNote() { removed.append("MakerNote") }
    clearUnused()
    if let thumbnail, thumbnail.firstIndex(of: "Exif") != nil || thumbnail.firstIndex(of: "xap/1.0") != nil {
      _ = removeThumbnail()
      removed.append("ThumbnailImage")
    }
    if contentIdentifier != nil { makeBigEndian() }
    return removed
  }
}

extension [UInt8] {
  /// Whether any picture in a sequence of adjacent pictures contains a capture location.
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
