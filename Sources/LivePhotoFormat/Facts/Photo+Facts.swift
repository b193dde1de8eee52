import Basics
import EditModel

extension Photo {
  /// Writes the photo with other facts, in every place where it says them. The coded pictures keep their bytes.
  ///
  /// - Parameter facts: what is changed.
  /// - Returns: what it does not carry any more, because it would contradict them and cannot be changed.
  /// - Throws: ``MediaError`` when it is no photo or damaged, or when its metadata have no room.
  package func write(stating facts: Facts, to sink: any ByteSink) throws -> [Removal] {
    let known = try metadata()
    return try container.write(
      stating: FactsRewrite(
        facts, captured: known.created, place: known.location, orientation: known.orientation),
      to: sink)
  }
}

/// The facts of one half under a change.
struct FactsRewrite: Sendable {
  /// The change.
  let facts: Facts
  /// The dates; nil where they stay.
  let dates: DateRewrite?
  /// How the photo is displayed, for an Exif block where there is none.
  private let orientation: Orientation
  /// True if the place that is set is about that of before, so that its names stay true.
  private let isNear: Bool

  /// Places within so many metres have the same names.
  private static let nearness = 1000.0

  /// - Parameters:
  ///   - facts: the change.
  ///   - captured: when the half was taken, before the change.
  ///   - place: where.
  ///   - orientation: how it is displayed.
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

  /// Why metadata are taken out.
  static let reason: Message = "would contradict the facts that were set"

  /// True if an Exif block is made where there is none.
  private var needsExif: Bool {
    if case .set? = facts.place { return true }
    return dates?.isSet == true
  }

  /// True if an XMP packet is made where there is none: the description has its home there.
  var needsXMP: Bool { !facts.description.isNeutral }

  /// Changes an Exif block.
  ///
  /// - Throws: ``MediaError`` when it is too damaged for its date or place to be changed.
  func apply(to block: inout TIFFBlock) throws {
    let identifier = block.contentIdentifier
    if let dates { block.change(dates: dates) }
    if let place = facts.place, !block.change(place: place) { throw Self.damagedExif }
    if !facts.description.isNeutral { block.change(description: facts.description) }
    // Parts of a damaged block may lie over each other: only what reads back was written.
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

  /// Places within so many metres are one.
  private static let metre = 1.0

  /// Why an Exif block takes no facts.
  static let damagedExif = MediaError(
    "its Exif block is damaged, so its date or place cannot be changed",
    remedy: "copy it again from where it came from")

  /// An Exif block for a photo without one; nil where none is needed.
  ///
  /// - Parameter picture: the photo.
  func newBlock(for picture: ExifPicture) throws -> TIFFBlock? {
    guard needsExif else { return nil }
    var block = TIFFBlock.made(for: picture, orientation: orientation)
    try apply(to: &block)
    return block
  }

  /// Changes an XMP packet.
  ///
  /// - Parameter keywords: those that other metadata of the photo say.
  /// - Returns: names of the properties that are gone.
  func apply(to packet: inout XMPPacket, keywords: [String] = []) -> [String] {
    if let dates { packet.change(dates: dates) }
    if !facts.description.isNeutral {
      packet.change(description: facts.description, keywords: keywords)
    }
    return facts.place.map { packet.change(place: $0, keepsNames: isNear) } ?? []
  }

  /// True if a packet that cannot be changed may say otherwise.
  func mayContradict(_ packet: [UInt8]) -> Bool {
    dates != nil && XMPPacket.mayTellDate(packet) || facts.place != nil && XMPPacket.mayTellPlace(packet)
      || !facts.description.isNeutral && XMPPacket.mayDescribe(packet)
  }

  /// Changes datasets of IPTC.
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
        throw MediaError("its XMP packet has no room for them", isUnsupported: true)
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
  /// Takes out what refers to an extending packet that is gone.
  mutating func removeExtension() {
    for property in properties(in: Namespace.note) where property.name.local == "HasExtendedXMP" {
      remove(property)
    }
  }
}
