import Basics
import EditModel

/// The facts that the XMP sidecar of a photo or movie tells of the capture, as digiKam, darktable, Immich and others write it.
package struct SidecarFacts: Hashable, Sendable {
  /// When it was taken: exif:DateTimeOriginal, else photoshop:DateCreated, else xmp:CreateDate.
  package var created: CaptureDate?
  /// Where: exif:GPSLatitude, GPSLongitude and GPSAltitude.
  package var location: GeoLocation?
  /// The title, the caption, the keywords that are there, the stars and the people, as a change that states them.
  package var description = DescriptionChange.neutral

  /// A file with more bytes is not read.
  package static var largestFile: Int { ReadingLimit.sidecar.value << 20 }

  /// Makes sure that a file is small enough for a sidecar.
  ///
  /// - Throws: ``MediaError`` when it is not.
  package static func checkSize(of source: any ByteSource) throws {
    guard source.count <= largestFile else {
      throw MediaError(beyond: .sidecar, "it is larger than \(largestFile >> 20) MB")
    }
  }

  /// Reads a sidecar.
  ///
  /// - Parameter source: the file.
  /// - Throws: ``MediaError`` when it is too large, nested too deep, or no XMP in UTF-8; an error of the file system.
  package init(_ source: any ByteSource) throws {
    try Self.checkSize(of: source)
    let bytes = try source.read(at: 0, count: source.count)
    // A mark of the byte order is no part of the text.
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    guard let packet = try XMPPacket(text),
      packet.tree.elements.contains(where: { $0.name == .rdf("RDF") })
    else {
      throw MediaError("it is not XMP in UTF-8", remedy: "have the program that wrote it write it again")
    }
    created = packet.captureDate
    location = packet.place
    description = packet.description
  }

  /// The date of the capture, from what the files and the sidecar say.
  ///
  /// - Parameter file: the date that the files say.
  /// - Returns: the sidecar's date, with the files' offset from UTC where it says none; the files' date where that is the same
  ///   to the second, because it may be more exact.
  package func created(over file: CaptureDate?) -> CaptureDate? {
    guard var said = created, let file else { return created ?? file }
    if said.offset == nil, file.source != .movieHeader { said.offset = file.offset }
    let isSame =
      said.offset == file.offset && file.source != .movieHeader
      && DateChange.seconds(said.wallClock) == DateChange.seconds(file.wallClock)
    return isSame ? file : said
  }

  /// The place of the capture, from what the files and the sidecar say.
  ///
  /// - Parameter file: the place that the files say.
  /// - Returns: the sidecar's place; the files' where that is the same to the metre, because it may be more exact.
  package func location(over file: GeoLocation?) -> GeoLocation? {
    guard let said = location, let file else { return location ?? file }
    let rise = said.altitude.map { height in file.altitude.map { abs(height - $0) } ?? .infinity } ?? 0
    return said.distance(to: file) < Self.metre && rise < Self.metre ? file : said
  }

  /// Places within so many metres are one.
  private static let metre = 1.0

  /// The change after which files say what the sidecar says and they do not.
  ///
  /// - Parameters:
  ///   - created: the date that they say.
  ///   - location: the place that they say.
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
  /// When the picture was taken; the first property that is a date with a time counts.
  fileprivate var captureDate: CaptureDate? {
    for (name, namespace) in [
      ("DateTimeOriginal", Namespace.exif), ("DateCreated", Self.photoshop), ("CreateDate", Self.basic),
    ] {
      guard let said = text(name, in: namespace)?.text else { continue }
      // Seconds may be left out (XMP specification part 1, section 8.2.1.2); a day alone is no moment.
      let letters = Array(said)
      let hasSeconds = letters.count > 16 && letters[16] == ":"
      let text = hasSeconds ? said : String(letters.prefix(16)) + ":00" + String(letters.dropFirst(16))
      if let date = CaptureDate(text, source: .sidecar) { return date }
    }
    return nil
  }

  /// Where the picture was taken.
  fileprivate var place: GeoLocation? {
    func said(_ name: String) -> String? { text(name, in: Namespace.exif)?.text }
    guard let latitude = said("GPSLatitude").flatMap({ Self.degrees($0, "N", "S") }),
      let longitude = said("GPSLongitude").flatMap({ Self.degrees($0, "E", "W") })
    else { return nil }
    // Programs that know no place write zeros.
    if latitude == 0, longitude == 0 { return nil }
    let height = said("GPSAltitude").flatMap(Self.fraction)
    let isBelow = said("GPSAltitudeRef") == "1"
    return GeoLocation(
      latitude: latitude, longitude: longitude, altitude: height.map { isBelow ? -$0 : $0 })
  }

  /// A coordinate (XMP specification part 2, section 1.2.7.4): `48,8.22N` or `48,8,13N`; plain degrees are taken as well.
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

  /// A number as a fraction, `519123/1000`, or plainly.
  private static func fraction(_ text: String) -> Double? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map {
      $0.utf8.count <= 40 ? Double($0) : nil
    }
    guard let over = parts.first ?? nil, parts.count <= 2, over.isFinite else { return nil }
    guard parts.count == 2 else { return over }
    guard let under = parts[1], under.isFinite, under != 0 else { return nil }
    return over / under
  }

  /// The words of people about the picture. Texts that are longer than files take them, and words beyond as many as are
  /// recorded, are left out.
  var description: DescriptionChange {
    var change = DescriptionChange.neutral
    func said(_ name: String, _ namespace: String) -> String? {
      let text = inDefaultLanguage(name, in: namespace) ?? ""
      return text.isEmpty || text.utf8.count > DescriptionChange.longestText ? nil : text
    }
    change.title = said("title", Self.dublinCore)
    change.caption = said("description", Self.dublinCore) ?? said("ImageDescription", Namespace.tiff)
    let plain = words("subject", in: Self.dublinCore) ?? []
    // Keywords with those above them, of which the last part is the keyword.
    let paths = words("TagsList", in: Self.digiKam) ?? []
    let leaves = paths.map { String($0.split(separator: "/").last ?? "") }
    for word in (plain + leaves).sound { change.keywords.add(word) }
    for name in people.sound { change.persons.add(name) }
    // 0 is no rating, and -1 a picture that was rejected.
    change.rating = text("Rating", in: Self.basic).flatMap { Double($0.text) }
      .flatMap { Int(exactly: $0) }.flatMap { 1...5 ~= $0 ? $0 : nil }
    return change
  }

  /// A text that may be there in several languages: the one marked as the default, else the first.
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
  /// The words that an edit can record.
  fileprivate var sound: [String] {
    Array(
      unique.filter { !$0.isEmpty && $0.utf8.count <= DescriptionChange.longestWord }
        .prefix(DescriptionChange.mostWords))
  }
}
