import Basics
import EditModel

extension Photo {
  /// Writes the photo and changes the date, location and description wherever the file contains them. The coded
  /// pictures are copied byte for byte.
  ///
  /// - Parameter facts: The changes to the date, location and description.
  /// - Returns: The parts that were not copied because they contradict the new facts and cannot be changed.
  /// - Throws: ``MediaError`` if the file is not a photo or is damaged, or if the photo's metadata has no room for the
  ///   new facts.
  package func write(stating facts: Facts, to sink: any ByteSink) throws -> [Removal] {
    let known = try metadata()
    return try container.write(
      stating: FactsRewrite(
        facts, captured: known.created, place: known.location, orientation: known.orientation),
      to: sink)
  }
}

/// A change to the date, location and description of a photo or movie.
struct FactsRewrite: Sendable {
  /// The changes to the date, location and description.
  let facts: Facts
  /// The date change, or nil if the dates do not change.
  let dates: DateRewrite?
  /// The photo's orientation, used when an Exif block must be created.
  private let orientation: Orientation
  /// Whether the new location is so close to the old location that place names remain valid.
  private let isNear: Bool

  /// The maximum distance in metres between two locations that share their place names.
  private static let nearness = 1000.0

  /// Creates a change to the date, location and description.
  ///
  /// - Parameters:
  ///   - facts: The changes.
  ///   - captured: The capture date before the change.
  ///   - place: The capture location before the change.
  ///   - orientation: The orientation in which the photo is displayed.
  init(
    _ facts: Facts, captured: CaptureDate?, place: GeoLocation? = nil, orientation: Orientation = .identity
  ) {
    self.facts = facts
    dates = facts.date.map { DateRewrite(change: $0, captured: captured) }
    self.orientation = orientation
    if case .set(let new)? = facts.place, let place {
      isNear = place.distance(to: new) <= Self.nearness
    } else {
      isNear = false
    }
  }

  /// The reason given when metadata is removed.
  static let reason: Message = "would contradict the new metadata"

  /// Whether a missing Exif block must be created.
  private var needsExif: Bool {
    if case .set? = facts.place { return true }
    return dates?.isSet == true
  }

  /// Whether a missing XMP packet must be created, because the change includes a description and XMP is the standard
  /// place for it.
  var needsXMP: Bool { !facts.description.isNeutral }

  /// Changes an Exif block.
  ///
  /// - Throws: ``MediaError`` if the block is so damaged that its date or location cannot be changed.
  func apply(to block: inout TIFFBlock) throws {
    let identifier = block.contentIdentifier
    if let dates { block.change(dates: dates) }
    if let place = facts.place, !block.change(place: place) { throw Self.damagedExif }
    if !facts.description.isNeutral { block.change(description: facts.description) }
    // Because parts of a damaged block may overlap, this check reads the changed block again.
    guard block.contentIdentifier == identifier else { throw Self.damagedExif }
    var facts = CaptureFacts()
    facts.created = dates?.isSet == true ? dates?.newCapture : nil
    if let date = facts.exifDate {
      guard block.text(TIFFBlock.Tag.dateTimeOriginal, in: .exif) == date.date,
        block.text(TIFFBlock.Tag.subSecTimeOriginal, in: .exif) == date.fraction
      else { throw Self.damagedExif }
    }
    switch self.facts.place {
    case nil: break
    case .removed: if block.location != nil { throw Self.damagedExif }
    case .set(let place):
      guard let said = block.location, said.distance(to: place) < Self.metre else { throw Self.damagedExif }
    }
  }

  /// The distance in metres below which two locations count as equal.
  private static let metre = 1.0

  /// The error for an Exif block that cannot be changed.
  static let damagedExif = MediaError(
    "the Exif block is damaged, so the date or location cannot be changed",
    remedy: "copy the file from its source again")

  /// Creates an Exif block for a photo that has no Exif block, or returns nil if the photo needs no block.
  ///
  /// - Parameter picture: The photo.
  func newBlock(for picture: ExifPicture) throws -> TIFFBlock? {
    guard needsExif else { return nil }
    var block = TIFFBlock.made(for: picture, orientation: orientation)
    try apply(to: &block)
    return block
  }

  /// Changes an XMP packet.
  ///
  /// - Parameter keywords: The keywords in the photo's other metadata.
  /// - Returns: The names of the removed properties.
  func apply(to packet: inout XMPPacket, keywords: [String] = []) -> [String] {
    if let dates { packet.change(dates: dates) }
    if !facts.description.isNeutral {
      packet.change(description: facts.description, keywords: keywords)
    }
    return facts.place.map { packet.change(place: $0, keepsNames: isNear) } ?? []
  }

  /// Returns whether a packet that cannot be changed may contradict the new facts.
  func mayContradict(_ packet: [UInt8]) -> Bool {
    dates != nil && XMPPacket.mayTellDate(packet) || facts.place != nil && XMPPacket.mayTellPlace(packet)
      || !facts.description.isNeutral && XMPPacket.mayDescribe(packet)
  }

  /// Changes IPTC datasets.
  func apply(to datasets: inout IPTCDatasets) {
    if let dates { datasets.change(dates: dates) }
    if facts.place != nil, !isNear { datasets.removePlaces() }
    if !facts.description.isNeutral { datasets.change(description: facts.description) }
  }
}

extension JPEGHeader {
  func write(stating rewrite: FactsRewrite, to sink: any ByteSink) throws -> [Removal] {
    var parts = JPEGParts(try wholeFile())
    let manifests = parts.removeManifests()
    var removed: [String] = []
    var hasExif = false
    let picture = parts.exifPicture
    for index in parts.indices(of: .exif) {
      guard var block = TIFFBlock(exif: parts.list[index].content) else { continue }
      hasExif = true
      try block.change(describing: picture) { try rewrite.apply(to: &$0) }
      if block.bytes.count > parts.list[index].limit, block.removeThumbnail() {
        removed.append("ThumbnailImage")
      }
      parts.setContent(block.bytes, at: index)
    }
    if !hasExif, let block = try rewrite.newBlock(for: picture) {
      guard parts.indices(of: .exif).isEmpty else {
        throw FactsRewrite.damagedExif
      }
      parts.insertExif(block.bytes)
    }
    let losesExtension = rewrite.mayContradict(parts.extendingXMP)
    if losesExtension {
      parts.remove(.extendedXMP)
      removed.append("extended XMP")
    }
    let keywords = parts.contents(of: .photoshop).flatMap(PhotoshopResources.keywords).unique
    if rewrite.needsXMP, parts.indices(of: .xmp).isEmpty {
      parts.insert(XMPPacket.empty, as: .xmp, behind: [.jfif, .jfxx, .exif])
    }
    for index in parts.indices(of: .xmp) {
      guard var packet = try XMPPacket(parts.list[index].content) else {
        guard rewrite.mayContradict(parts.list[index].content) else { continue }
        parts.list[index].isRemoved = true
        removed.append("damaged XMP")
        continue
      }
      removed += rewrite.apply(to: &packet, keywords: keywords)
      if losesExtension { packet.removeExtension() }
      guard let bytes = packet.rewritten(limit: parts.list[index].limit) else {
        throw MediaError("the XMP packet has no room for the new metadata", isUnsupported: true)
      }
      parts.setContent(bytes, at: index)
    }
    for index in parts.indices(of: .photoshop) {
      let resources = PhotoshopResources.changingDatasets(parts.list[index].content) {
        rewrite.apply(to: &$0)
      }
      let kept =
        rewrite.facts.place == nil ? resources : PhotoshopResources.withoutCopiesOfPlace(resources)
      if kept != resources { removed.append("Photoshop's copies of Exif and XMP") }
      parts.setContent(kept, at: index)
    }
    let (file, behind) = (parts.file, parts.file.trailer)
    let samsung = try SamsungBlocks(endOf: behind, of: MemoryByteSource(file.bytes))
    var trailer = Array(file.bytes[behind])
    if let samsung, rewrite.facts.place != nil {
      let places = try samsung.ofPlace
      trailer = try Array(file.bytes[behind.lowerBound..<samsung.start]) + samsung.serialized(without: places)
      removed += places.map(\.title)
    }
    if let dates = rewrite.dates { SamsungTrailer.change(&trailer, dates: dates) }
    try sink.write(parts.assembled(trailer: trailer))
    return manifests + removed.unique.map { Removal(half: .photo, name: $0, reason: FactsRewrite.reason) }
  }
}

extension HEIFFile {
  func write(stating rewrite: FactsRewrite, to sink: any ByteSink) throws -> [Removal] {
    var composition = HEIFComposition(self)
    let manifests = try composition.removeManifests()
    var removed: [String] = []
    if let item = exifItem {
      let data = try data(of: item)
      guard var exif = HEIFExif(data) else {
        throw FactsRewrite.damagedExif
      }
      try exif.block.change(describing: exifPicture) { try rewrite.apply(to: &$0) }
      if exif.bytes != data { composition.replace(item, with: exif.bytes) }
    } else if let block = try rewrite.newBlock(for: exifPicture) {
      try composition.add("Exif", HEIFExif(block: block).bytes, describing: primaryItem)
    }
    if rewrite.facts.place != nil { removed += try composition.removePlaces(besideItem: exifItem) }
    if rewrite.needsXMP, xmpItems.isEmpty, var packet = try XMPPacket(XMPPacket.empty) {
      _ = rewrite.apply(to: &packet)
      try composition.add(
        "mime", packet.rewritten(), contentType: "application/rdf+xml", describing: primaryItem)
    }
    for item in try xmpPackets() {
      let data = try data(of: item)
      guard var packet = try XMPPacket(data) else {
        guard rewrite.mayContradict(data) else { continue }
        composition.replace(item, with: XMPPacket.empty)
        removed.append("damaged XMP")
        continue
      }
      removed += rewrite.apply(to: &packet)
      let bytes = packet.rewritten()
      if bytes != data { composition.replace(item, with: bytes) }
    }
    removed += try composition.changeSamsungBlocks(by: rewrite)
    try composition.writeInPlace(to: sink)
    return manifests + removed.unique.map { Removal(half: .photo, name: $0, reason: FactsRewrite.reason) }
  }
}

extension XMPPacket {
  /// Removes the reference to an extended XMP packet that has been removed.
  mutating func removeExtension() {
    for property in properties(in: Namespace.note) where property.name.local == "HasExtendedXMP" {
      remove(property)
    }
  }
}
