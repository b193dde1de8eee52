import EditModel

/// The date, location and camera of a Live Photo. These facts can be copied from the photo to the movie or from the
/// movie to the photo.
package struct CaptureFacts: Hashable, Sendable {
  /// The capture date.
  package var created: CaptureDate?
  /// The capture location.
  package var location: GeoLocation?
  /// The camera's manufacturer.
  package var make: String?
  /// The camera's model.
  package var model: String?

  /// Creates capture facts without any values.
  package init() {}

  /// Reads the capture facts from a photo's metadata.
  ///
  /// - Parameter photo: The photo's metadata.
  package init(_ photo: PhotoMetadata) {
    (created, location, make, model) = (photo.created, photo.location, photo.make, photo.model)
  }

  /// Reads the capture facts from a movie's metadata.
  ///
  /// - Parameter movie: The movie's metadata. The date in the movie's header is used only if the movie does not contain
  ///   any other date.
  package init(_ movie: MovieMetadata) {
    (created, location, make, model) = (movie.created, movie.location, movie.make, movie.model)
  }

  /// Returns these capture facts, with missing values filled in from the other half of the pair.
  package func completed(by other: CaptureFacts) -> CaptureFacts {
    var facts = self
    facts.created = created ?? other.created
    facts.location = location ?? other.location
    // If the manufacturer came from one half and the model from the other, these values could describe different
    // cameras.
    if make == nil, model == nil { (facts.make, facts.model) = (other.make, other.model) }
    return facts
  }

  /// The date in the format that QuickTime's key requires, ISO 8601: `2019-12-29T19:01:14-0800`.
  var quickTimeDate: String? {
    guard let created, let date = CivilDate(secondsSince1970: Self.seconds(created.wallClock)) else {
      return nil
    }
    guard let offset = created.offset else { return date.text }
    return date.text + Self.offset(offset, separator: "")
  }

  /// The location in the format that QuickTime's key requires, ISO 6709 annex H: `+48.1370+011.5750+519.123/`.
  var quickTimeLocation: String? {
    guard let location else { return nil }
    let altitude = location.altitude.map { Self.signed($0, whole: 3, places: 3) } ?? ""
    return Self.signed(location.latitude, whole: 2, places: 5)
      + Self.signed(location.longitude, whole: 3, places: 5)
      + altitude + "/"
  }

  /// The date as Exif's DateTimeOriginal, OffsetTimeOriginal and SubSecTimeOriginal.
  var exifDate: (date: String, offset: String?, fraction: String?)? {
    guard let created else { return nil }
    let seconds = Self.seconds(created.wallClock)
    guard let date = CivilDate(secondsSince1970: seconds) else { return nil }
    let text = date.text.map { $0 == "-" ? ":" : $0 == "T" ? " " : $0 }
    let milliseconds = created.wallClock - seconds * 1000
    let fraction = milliseconds == 0 ? nil : CivilDate.pad(milliseconds, 3)
    return (String(text), created.offset.map { Self.offset($0, separator: ":") }, fraction)
  }

  private static func seconds(_ milliseconds: Int) -> Int {
    milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
  }

  private static func offset(_ minutes: Int, separator: String) -> String {
    let (hours, rest) = abs(minutes).quotientAndRemainder(dividingBy: 60)
    return (minutes < 0 ? "-" : "+") + CivilDate.pad(hours, 2) + separator + CivilDate.pad(rest, 2)
  }

  private static func signed(_ value: Double, whole: Int, places: Int) -> String {
    guard abs(value) < 1e9 else { return "" }
    let one = (0..<places).reduce(1) { power, _ in power * 10 }
    let digits = CivilDate.pad(Int((abs(value) * Double(one)).rounded()), whole + places)
    return (value < 0 ? "-" : "+") + digits.dropLast(places) + "." + digits.suffix(places)
  }
}

extension MovieSurgery {
  /// Adds capture facts that are missing from the movie's metadata.
  package mutating func complete(with facts: CaptureFacts) throws {
    let known = try moov.first("meta").flatMap { try MetadataItems($0) }
    func isMissing(_ name: String) -> Bool { known?.text(name) == nil }
    let prefix = "com.apple.quicktime."
    for (name, text) in [
      ("location.ISO6709", facts.quickTimeLocation), ("make", facts.make), ("model", facts.model),
      ("creationdate", facts.quickTimeDate),
    ] {
      if let text, isMissing(prefix + name) { try setText(prefix + name, to: text) }
    }
  }
}

extension TIFFBlock {
  /// Adds capture facts that are missing from the Exif block.
  mutating func complete(with facts: CaptureFacts) {
    func put(_ tag: Int, _ text: String?, _ directory: Directory) {
      guard let text, listing(directory)?.entry(tag) == nil else { return }
      let data = Array(text.utf8) + [0]
      _ = set(tag, type: 2, count: data.count, data: data, in: directory)
    }
    if listing(.main)?.entry(Tag.model) == nil {
      put(Tag.make, facts.make, .main)
      put(Tag.model, facts.model, .main)
    }
    if let date = facts.exifDate, makeDirectory(.exif), listing(.exif)?.entry(Tag.dateTimeOriginal) == nil {
      put(Tag.dateTimeOriginal, date.date, .exif)
      put(Tag.offsetTimeOriginal, date.offset, .exif)
      put(Tag.subSecTimeOriginal, date.fraction, .exif)
    }
    if let place = facts.location, listing(.gps) == nil { setPlace(place) }
  }

  /// Sets the location. If the GPS directory does not exist, it is created.
  mutating func setPlace(_ place: GeoLocation) {
    guard makeDirectory(.gps) else { return }
    if listing(.gps)?.entry(0) == nil { _ = add([Self.gpsVersion], in: .gps) }
    putDegrees(place.latitude, reference: Tag.latitudeReference, "N", "S")
    putDegrees(place.longitude, reference: Tag.longitudeReference, "E", "W")
    if let altitude = place.altitude, abs(altitude) < 1e6 {
      _ = set(Tag.altitudeReference, type: 1, count: 1, data: [altitude < 0 ? 1 : 0], in: .gps)
      let millimetres = Int((abs(altitude) * 1000).rounded())
      let data = order.bytes(of: millimetres, width: 4) + order.bytes(of: 1000, width: 4)
      _ = set(Tag.altitude, type: 5, count: 1, data: data, in: .gps)
    }
  }

  /// Writes a coordinate as its reference (the direction), followed by degrees, minutes and seconds as fractions.
  private mutating func putDegrees(_ value: Double, reference: Int, _ positive: String, _ negative: String) {
    _ = set(reference, type: 2, count: 2, data: Array((value < 0 ? negative : positive).utf8) + [0], in: .gps)
    let hundredths = Int((abs(value) * 3600 * 10_000).rounded())
    let (minutes, seconds) = hundredths.quotientAndRemainder(dividingBy: 60 * 10_000)
    let data = [(minutes / 60, 1), (minutes % 60, 1), (seconds, 10_000)].flatMap { over, under in
      order.bytes(of: over, width: 4) + order.bytes(of: under, width: 4)
    }
    _ = set(reference + 1, type: 5, count: 3, data: data, in: .gps)
  }

  /// Creates an empty directory if the directory does not exist.
  ///
  /// - Returns: Whether the directory exists now.
  mutating func makeDirectory(_ directory: Directory) -> Bool {
    if listing(directory) != nil { return true }
    guard let (parent, tag) = directory.pointer else { return false }
    let place = append([UInt8](repeating: 0, count: 6))  // no entries, no next directory
    return set(tag, type: 4, count: 1, data: order.bytes(of: place, width: 4), in: parent)
  }
}
