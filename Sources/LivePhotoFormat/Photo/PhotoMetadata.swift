import EditModel

/// Capture metadata of a photo, read from the first kilobytes of its file.
package struct PhotoMetadata: Hashable, Sendable {
  /// The displayed width in pixels.
  package var width: Int
  /// The displayed height in pixels.
  package var height: Int
  /// The stored width in pixels.
  package let storedWidth: Int
  /// The stored height in pixels.
  package let storedHeight: Int
  /// The orientation in which the stored picture is displayed, or the identity if the file does not state an
  /// orientation.
  package let orientation: Orientation
  /// The identifier that pairs the photo with its movie.
  package var contentIdentifier: String?
  /// The capture date.
  package var created: CaptureDate?
  /// The capture date in Exif format, with the fraction of a second and the time zone if known: `2019:12:29
  /// 19:01:15.505-08:00`.
  package internal(set) var captureDate: String?
  /// The camera's manufacturer.
  package var make: String?
  /// The camera's model.
  package var model: String?
  /// The program or system that wrote the photo.
  package var software: String?
  /// The capture location.
  package var location: GeoLocation?
  /// The identifier that all photos of a burst share: Apple's BurstUUID.
  package var burst: String?
  /// How the camera was held, or nil if this is unknown or if the picture has been rotated or cropped since the
  /// capture.
  package var hold: CameraHold?
  /// Whether the metadata states that the camera set the white balance automatically.
  package var isBalanced = false
  /// The subtypes that apply to the photo.
  package var subtypes: Set<AssetSubtype> = []
  /// The names of people in the photo, without duplicates. The names come from face regions (mwg-rs) and from
  /// PersonInImage (IPTC Extension).
  package var people: [String] = []

  /// Combines the metadata from a photo's headers.
  ///
  /// - Parameters:
  ///   - shown: The size of the displayed part of the stored picture, or nil if the full picture is displayed.
  ///   - orientation: The orientation stated by the container, or nil to use the orientation in Exif.
  ///   - hasGainMap: Whether the photo has a gain map, or nil if the answer depends on XMP alone.
  init(
    exif block: TIFFBlock?, xmp: [UInt8]?, stored: PixelSize, shown: PixelSize? = nil,
    orientation said: Orientation?, hasGainMap: Bool?
  ) throws {
    orientation = said ?? block?.orientation ?? .identity
    (storedWidth, storedHeight) = (stored.width, stored.height)
    let displayed = (shown ?? stored).turned(by: orientation)
    (width, height) = (displayed.width, displayed.height)
    if let block { read(block) }
    if hasGainMap == true { subtypes.insert(.hdr) }
    // Parsing XML is slower than all other steps. The packet is therefore parsed only if it contains a relevant word.
    let words = [
      "hdr-gain-map", "photos/1.0/panorama", "MotionPhoto", "MicroVideo", "PersonInImage", "mwg-rs",
    ]
    if let xmp, words.contains(where: { xmp.firstIndex(of: $0) != nil }), let packet = try XMPPacket(xmp) {
      // A converted photo may keep the metadata of a gain map that it no longer contains.
      if hasGainMap == nil, packet.text("Version", in: XMPPacket.Namespace.gainMap) != nil {
        subtypes.insert(.hdr)
      }
      if packet.text("ProjectionType", in: XMPPacket.Namespace.panorama) != nil { subtypes.insert(.panorama) }
      if packet.isMotionPhoto { subtypes.insert(.motionPhoto) }
      people = packet.people
    }
  }

  private typealias Tag = TIFFBlock.Tag

  /// Reads capture metadata from an Exif block. Each directory is searched only once.
  private mutating func read(_ block: TIFFBlock) {
    if let main = block.listing(.main) {
      make = main.entry(Tag.make).flatMap(block.text)
      model = main.entry(Tag.model).flatMap(block.text)
      software = main.entry(Tag.software).flatMap(block.text)
    }
    if let exif = block.listing(.exif) { read(exif, block) }
    location = block.location
  }

  private mutating func read(_ exif: TIFFBlock.Listing, _ block: TIFFBlock) {
    func text(_ tag: Int) -> String? { exif.entry(tag).flatMap(block.text) }
    func date(_ day: Int, _ fraction: Int, _ offset: Int) -> String? {
      text(day).map { $0 + (text(fraction).map { "." + $0 } ?? "") + (text(offset) ?? "") }
    }
    captureDate = date(Tag.dateTimeOriginal, Tag.subSecTimeOriginal, Tag.offsetTimeOriginal)
    created =
      captureDate.flatMap { CaptureDate($0, source: .exif) }
      ?? date(Tag.dateTimeDigitized, Tag.subSecTimeDigitized, Tag.offsetTimeDigitized).flatMap {
        CaptureDate($0, source: .exif)
      }
    if let note = exif.entry(Tag.makerNote)?.value.flatMap({ AppleMakerNote(Array(block.bytes[$0])) }) {
      contentIdentifier = note.contentIdentifier
      burst = note.burstIdentifier
      if burst != nil { subtypes.insert(.burst) }
      if note.imageType == 3 { subtypes.insert(.hdr) }
      if note.captureType == 2 { subtypes.insert(.portrait) }
      // The front camera faces in the opposite direction, so left and right are swapped.
      let isBackCamera = text(Tag.lensModel)?.contains("back") ?? false
      let size = [Tag.pixelXDimension, Tag.pixelYDimension].map {
        exif.entry($0).flatMap(block.numbers)?.first
      }
      if isBackCamera, size == [storedWidth, storedHeight] {
        hold = note.acceleration.flatMap { CameraHold($0, orientation) }
      }
    }
    isBalanced = exif.entry(Tag.whiteBalance).flatMap(block.numbers)?.first == 0
    switch exif.entry(Tag.customRendered).flatMap(block.numbers)?.first {
    case 2, 3: subtypes.insert(.hdr)
    case 6: subtypes.insert(.panorama)
    case 7: subtypes.formUnion([.hdr, .portrait])
    case 8: subtypes.insert(.portrait)
    default: break
    }
    // The first eight bytes state the character code. The text follows (Exif 2.32 section 4.6.5).
    if let range = exif.entry(Tag.userComment)?.value, range.count <= 64,
      block.bytes[range].starts(with: Array("ASCII".utf8)),
      block.bytes[range].dropFirst(8).prefix(while: { $0 != 0 && $0 != 0x20 }).elementsEqual(
        "Screenshot".utf8)
    {
      subtypes.insert(.screenshot)
    }
  }
}

extension TIFFBlock {
  /// The location in the GPS directory, or nil if the location is missing or invalid.
  var location: GeoLocation? {
    guard let gps = listing(.gps) else { return nil }
    func degrees(_ tag: Int, _ reference: Int, negative: String) -> Double? {
      guard let entry = gps.entry(tag), let parts = rationals(entry), !parts.isEmpty, parts.count <= 3,
        let word = gps.entry(reference).flatMap(text)
      else { return nil }
      let value = zip(parts, [1.0, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
      return word.uppercased() == negative ? -value : value
    }
    guard let latitude = degrees(Tag.latitude, Tag.latitudeReference, negative: "S"),
      let longitude = degrees(Tag.longitude, Tag.longitudeReference, negative: "W")
    else { return nil }
    let height = gps.entry(Tag.altitude).flatMap(rationals)?.first
    let isBelow = gps.entry(Tag.altitudeReference).flatMap(numbers)?.first == 1
    return GeoLocation(
      latitude: latitude, longitude: longitude, altitude: height.map { isBelow ? -$0 : $0 })
  }

  /// Returns the values of a RATIONAL entry, or nil if any denominator is zero.
  private func rationals(_ entry: Entry) -> [Double]? {
    guard entry.type == 5, entry.count <= 16, let value = entry.value else { return nil }
    var values: [Double] = []
    for index in 0..<entry.count {
      guard let over = number(at: value.lowerBound + 8 * index, width: 4),
        let under = number(at: value.lowerBound + 8 * index + 4, width: 4), under != 0
      else { return nil }
      values.append(Double(over) / Double(under))
    }
    return values
  }
}
