import Basics
import EditModel

/// The capture facts in the XMP sidecar of a photo or movie, as written by digiKam, darktable, Immich and other
/// programs.
package struct SidecarFacts: Hashable, Sendable {
  /// The capture date: the first of exif:DateTimeOriginal, photoshop:DateCreated and xmp:CreateDate that is present and
  /// valid.
  package var created: CaptureDate?
  /// The capture location, read from exif:GPSLatitude, GPSLongitude and GPSAltitude.
  package var location: GeoLocation?
  /// The title, the caption, the keywords, the rating and the people, as a change that sets them.
  package var description = DescriptionChange.neutral

  /// The maximum size in bytes of a sidecar.
  package static var largestFile: Int { ReadingLimit.sidecar.value << 20 }

  /// Checks that a file is small enough to be a sidecar.
  ///
  /// - Throws: ``MediaError`` if the file is too large.
  package static func checkSize(of source: any ByteSource) throws {
    guard source.count <= largestFile else {
      throw MediaError(beyond: .sidecar, "the sidecar is larger than \(largestFile >> 20) MB")
    }
  }

  /// Reads a sidecar.
  ///
  /// - Parameter source: The file.
  /// - Throws: ``MediaError`` if the file is too large, nested too deeply or not UTF-8 XMP, or a file system error.
  package init(_ source: any ByteSource) throws {
    try Self.checkSize(of: source)
    let bytes = try source.read(at: 0, count: source.count)
    // A byte order mark is not part of the text.
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    guard let packet = try XMPPacket(text),
      packet.tree.elements.contains(where: { $0.name == .rdf("RDF") })
    else {
      throw MediaError(
        "the sidecar is not XMP encoded as UTF-8", remedy: "save it again with the program that wrote it")
    }
    created = packet.captureDate
    location = packet.place
    description = packet.description
  }

  /// Determines the capture date from the sidecar and the media files.
  ///
  /// - Parameter file: The date in the media files.
  /// - Returns: The sidecar's date, with the media files' UTC offset if the sidecar contains no offset. However, if
  ///   both dates are equal to the second, the media files' date is returned, because it may be more precise.
  package func created(over file: CaptureDate?) -> CaptureDate? {
    guard var said = created, let file else { return created ?? file }
    if said.offset == nil, file.source != .movieHeader { said.offset = file.offset }
    let isSame =
      said.offset == file.offset && file.source != .movieHeader
      && DateChange.seconds(said.wallClock) == DateChange.seconds(file.wallClock)
    return isSame ? file : said
  }

  /// Determines the capture location from the sidecar and the media files.
  ///
  /// - Parameter file: The location in the media files.
  /// - Returns: The sidecar's location. However, if both locations are less than a metre apart, the media files'
  ///   location is returned, because it may be more precise.
  package func location(over file: GeoLocation?) -> GeoLocation? {
    guard let said = location, let file else { return location ?? file }
    let rise = said.altitude.map { height in file.altitude.map { abs(height - $0) } ?? .infinity } ?? 0
    return said.distance(to: file) < Self.metre && rise < Self.metre ? file : said
  }

  /// The distance in metres below which two locations count as equal.
  private static let metre = 1.0

  /// Returns a change that updates the media files wherever the sidecar's date, location or description differs.
  ///
  /// - Parameters:
  ///   - created: The date in the media files.
  ///   - location: The location in the media files.
  package func facts(over created: CaptureDate?, _ location: GeoLocation?) -> Facts {
    var facts = Facts(description: description)
    if let date = self.created(over: created), date != created {
      facts.date = DateChange(.set(wallClock: date.wallClock), offset: date.offset)
    }
    if let place = self.location(over: location), place != location { facts.place = PlaceChange(place) }
    return facts
  }
}

extension XMPPacket {
  /// The capture date, taken from the first property that contains both a day and a time.
  fileprivate var captureDate: CaptureDate? {
    for (name, namespace) in [
      ("DateTimeOriginal", Namespace.exif), ("DateCreated", Self.photoshop), ("CreateDate", Self.basic),
    ] {
      guard let said = text(name, in: namespace)?.text else { continue }
      // Seconds may be omitted (XMP specification part 1, section 8.2.1.2). A day without a time is ignored.
      let letters = Array(said)
      let hasSeconds = letters.count > 16 && letters[16] == ":"
      let text = hasSeconds ? said : String(letters.prefix(16)) + ":00" + String(letters.dropFirst(16))
      if let date = CaptureDate(text, source: .sidecar) { return date }
    }
    return nil
  }

  /// The capture location.
  fileprivate var place: GeoLocation? {
    func said(_ name: String) -> String? { text(name, in: Namespace.exif)?.text }
    guard let latitude = said("GPSLatitude").flatMap({ Self.degrees($0, "N", "S") }),
      let longitude = said("GPSLongitude").flatMap({ Self.degrees($0, "E", "W") })
    else { return nil }
    // Some programs write zeros if the location is unknown.
    if latitude == 0, longitude == 0 { return nil }
    let height = said("GPSAltitude").flatMap(Self.fraction)
    let isBelow = said("GPSAltitudeRef") == "1"
    return GeoLocation(
      latitude: latitude, longitude: longitude, altitude: height.map { isBelow ? -$0 : $0 })
  }

  /// Reads a coordinate such as `48,8.22N` or `48,8,13N` (XMP specification part 2, section 1.2.7.4). Plain degrees are
  /// also accepted.
  private static func degrees(_ text: String, _ positive: Character, _ negative: Character) -> Double? {
    var rest = text[...]
    var sign = 1.0
    if let letter = rest.last, letter == positive || letter == negative {
      sign = letter == negative ? -1 : 1
      rest = rest.dropLast()
    }
    let parts = rest.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.utf8.count <= 40 ? Double($0) : nil }
    guard 1...3 ~= parts.count, numbers.count == parts.count, numbers.allSatisfy(\.isFinite),
      numbers.dropFirst().allSatisfy({ 0..<60 ~= $0 })
    else { return nil }
    return sign * zip(numbers, [1.0, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
  }

  /// Reads a number written as a fraction (`519123/1000`) or as a decimal number.
  private static func fraction(_ text: String) -> Double? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map {
      $0.utf8.count <= 40 ? Double($0) : nil
    }
    guard let over = parts.first ?? nil, parts.count <= 2, over.isFinite else { return nil }
    guard parts.count == 2 else { return over }
    guard let under = parts[1], under.isFinite, under != 0 else { return nil }
    return over / under
  }

  /// The description of the picture: title, caption, keywords, people and rating. Strings that are too long for media
  /// files are omitted, and lists of keywords and people are cut off at the maximum length.
  var description: DescriptionChange {
    var change = DescriptionChange.neutral
    func said(_ name: String, _ namespace: String) -> String? {
      let text = inDefaultLanguage(name, in: namespace) ?? ""
      return text.isEmpty || text.utf8.count > DescriptionChange.longestText ? nil : text
    }
    change.title = said("title", Self.dublinCore)
    change.caption = said("description", Self.dublinCore) ?? said("ImageDescription", Namespace.tiff)
    let plain = words("subject", in: Self.dublinCore) ?? []
    // In a hierarchical keyword, only the last part is the keyword itself.
    let paths = words("TagsList", in: Self.digiKam) ?? []
    let leaves = paths.map { String($0.split(separator: "/").last ?? "") }
    for word in (plain + leaves).sound { change.keywords.add(word) }
    for name in people.sound { change.persons.add(name) }
    // 0 means no rating, and -1 means a rejected picture.
    change.rating = text("Rating", in: Self.basic).flatMap { Double($0.text) }
      .flatMap { Int(exactly: $0) }.flatMap { 1...5 ~= $0 ? $0 : nil }
    return change
  }

  /// Returns the value of a property that may exist in several languages: the value marked as the default, or the first
  /// value if no value is marked.
  private func inDefaultLanguage(_ local: String, in namespace: String) -> String? {
    guard let property = properties(in: namespace).first(where: { $0.name.local == local }) else {
      return nil
    }
    guard case .element(let element) = property, !element.children.isEmpty else {
      return text(of: property)?.text
    }
    let items = descendants(of: element).filter { $0.name == .rdf("li") }
    let standard = items.first { item in
      item.attributes.contains { $0.name.local == "lang" && tree.text($0.value) == "x-default" }
    }
    return (standard ?? items.first).flatMap { tree.simpleText(of: $0)?.text }
  }
}

extension [String] {
  /// The distinct words that are neither empty nor too long, limited to the number that an edit can record.
  fileprivate var sound: [String] {
    Array(
      unique.filter { !$0.isEmpty && $0.utf8.count <= DescriptionChange.longestWord }
        .prefix(DescriptionChange.mostWords))
  }
}
