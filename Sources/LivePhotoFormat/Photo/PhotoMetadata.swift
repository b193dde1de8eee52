import EditModel

/// The capture of a photo, as the first kilobytes of its file describe it.
package struct PhotoMetadata: Hashable, Sendable {
  /// Width as displayed, in pixels.
  package var width: Int
  /// Height as displayed, in pixels.
  package var height: Int
  /// Stored width in pixels.
  package let storedWidth: Int
  /// Stored height in pixels.
  package let storedHeight: Int
  /// The orientation in which the stored picture is displayed; the identity when nothing says so.
  package let orientation: Orientation
  /// The identifier that ties it to its movie.
  package var contentIdentifier: String?
  /// When it was taken.
  package var created: CaptureDate?
  /// When it was taken, as Exif writes it, with fraction and time zone as far as known:
  /// `2019:12:29 19:01:15.505-08:00`.
  package internal(set) var captureDate: String?
  /// The camera's maker.
  package var make: String?
  /// The camera's model.
  package var model: String?
  /// The program or system that wrote it.
  package var software: String?
  /// Where it was taken.
  package var location: GeoLocation?
  /// The identifier that the pictures of a burst share: Apple's BurstUUID.
  package var burst: String?
  /// How the camera was held; nil where nothing says so, or where the picture was turned or cut since.
  package var hold: CameraHold?
  /// True if the camera says that it found the light's colour by itself, and balanced it.
  package var isBalanced = false
  /// The subtypes that it belongs to.
  package var subtypes: Set<AssetSubtype> = []
  /// The names of people that it tells, each once: of face regions (mwg-rs) and of PersonInImage (IPTC Extension).
  package var people: [String] = []

  /// Combines what a photo's headers hold.
  ///
  /// - Parameters:
  ///   - shown: the size of the part of the stored picture that is displayed; nil for all of it.
  ///   - orientation: how the stored picture is displayed, where the container says so; nil leaves it to Exif.
  ///   - hasGainMap: whether there is a gain map; nil where the container's headers do not tell, and XMP must.
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
    // Parsing XML takes longer than all the rest: only where a word says that there is something to find.
    let words = [
      "hdr-gain-map", "photos/1.0/panorama", "MotionPhoto", "MicroVideo", "PersonInImage", "mwg-rs",
    ]
    if let xmp, words.contains(where: { xmp.firstIndex(of: $0) != nil }), let packet = try XMPPacket(xmp) {
      // What was converted keeps the metadata of a gain map that is gone.
      if hasGainMap == nil, packet.text("Version", in: XMPPacket.Namespace.gainMap) != nil {
        subtypes.insert(.hdr)
      }
      if packet.text("ProjectionType", in: XMPPacket.Namespace.panorama) != nil { subtypes.insert(.panorama) }
      if packet.isMotionPhoto { subtypes.insert(.motionPhoto) }
      people = packet.people
    }
  }

  private typealias Tag = TIFFBlock.Tag

  /// Takes over the capture as an Exif block describes it. Each directory is looked through once.
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
      // The other camera looks the other way, so that left and right change places.
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
    // Exif 2.32 section 4.6.5: eight bytes name the character code, then comes the text.
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
  /// The place that the GPS directory says; nil where there is none, or none that makes sense.
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

  /// The values of an entry of type RATIONAL; nil when one of them divides by zero.
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
