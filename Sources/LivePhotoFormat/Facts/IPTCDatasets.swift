/// The IPTC-IIM datasets in a Photoshop resource (IPTC-NAA Information Interchange Model 4.2, section 1.5).
struct IPTCDatasets {
  /// A single dataset.
  struct Dataset {
    /// The number of the dataset's record.
    let record: UInt8
    /// The dataset's number in its record.
    let number: UInt8
    /// The dataset's value.
    var value: [UInt8]
  }

  /// The datasets in file order.
  var list: [Dataset] = []
  /// The bytes after the last readable dataset.
  private let rest: [UInt8]

  /// Reads datasets up to the first damaged dataset.
  init(_ bytes: [UInt8]) {
    let places = Self.places(bytes)
    list = places.map { Dataset(record: $0.record, number: $0.number, value: Array(bytes[$0.value])) }
    rest = Array(bytes[(places.last?.whole.upperBound ?? 0)...])
  }

  /// The position of a dataset.
  struct Place {
    /// The number of the dataset's record.
    let record: UInt8
    /// The dataset's number in its record.
    let number: UInt8
    /// The range of the complete dataset.
    let whole: Range<Int>
    /// The dataset's value.
    let value: Range<Int>
  }

  /// Returns the positions of all datasets up to the first damaged dataset.
  static func places(_ bytes: [UInt8]) -> [Place] {
    let big = ByteOrder.big
    var places: [Place] = []
    var at = 0
    while bytes.count - at >= 5, bytes[at] == 0x1C, let size = big.number(bytes, at: at + 3, width: 2) {
      var (start, count) = (at + 5, size)
      if size >= 0x8000 {
        // In an extended dataset, these bits contain the width of the length field in bytes. The length field follows.
        let width = size & 0x7FFF
        guard 1...4 ~= width, let long = big.number(bytes, at: at + 5, width: width) else { break }
        (start, count) = (at + 5 + width, long)
      }
      guard start <= bytes.count, count <= bytes.count - start else { break }
      let end = start + count
      places.append(Place(record: bytes[at + 1], number: bytes[at + 2], whole: at..<end, value: start..<end))
      at = end
    }
    return places
  }

  /// Returns exact copies of the datasets that do not contain locations, up to the first damaged dataset. All bytes
  /// from the damaged dataset onwards are dropped, because these bytes may contain a location.
  static func withoutPlaces(_ bytes: [UInt8]) -> [UInt8] {
    places(bytes).filter { $0.record != 2 || !PhotoshopResources.places.contains($0.number) }.flatMap {
      bytes[$0.whole]
    }
  }

  /// The numbers of the datasets in record 2 that describe or contain a preview: its format, the format's version, and
  /// the picture itself (chapter 6).
  private static let previews: ClosedRange<UInt8> = 200...202

  /// Returns whether any dataset contains a preview.
  static func holdsPreview(_ bytes: [UInt8]) -> Bool {
    places(bytes).contains { $0.record == 2 && $0.number == 202 } || bytes.holdsJPEG
  }

  /// Returns exact copies of the datasets that do not contain a preview, up to the first damaged dataset.
  static func withoutPreview(_ bytes: [UInt8]) -> [UInt8] {
    places(bytes).filter { place in
      (place.record != 2 || !previews.contains(place.number)) && bytes.firstJPEG(in: place.value) == nil
    }.flatMap { bytes[$0.whole] }
  }

  /// The encoded bytes of the datasets.
  var bytes: [UInt8] {
    let big = ByteOrder.big
    return list.flatMap { dataset -> [UInt8] in
      let count = dataset.value.count
      let length =
        count < 0x8000
        ? big.bytes(of: count, width: 2) : big.bytes(of: 0x8004, width: 2) + big.bytes(of: count, width: 4)
      return [0x1C, dataset.record, dataset.number] + length + dataset.value
    } + rest
  }

  /// Returns the index of a dataset in the application record.
  func index(_ number: UInt8) -> Int? { list.firstIndex { $0.record == 2 && $0.number == number } }
}

extension IPTCDatasets {
  /// The numbers of the creation date and digitisation date datasets in the application record, each with the number of
  /// the corresponding time dataset (chapter 6).
  static let moments: [(date: UInt8, time: UInt8)] = [(55, 60), (62, 63)]

  /// Changes the dates.
  mutating func change(dates rewrite: DateRewrite) {
    changeDates { rewrite.moved($0, trustsZero: false) }
  }

  /// Changes all valid dates.
  ///
  /// - Parameter move: A function that returns the new date in the format of the old date, or nil to keep the old date.
  ///   The format is the extended format of ISO 8601, but without a colon in the time zone. The time and the time zone
  ///   may be missing.
  mutating func changeDates(_ move: (String) -> String?) {
    for moment in Self.moments {
      guard let date = index(moment.date), list[date].value.count == 8 else { continue }
      let day = String(decoding: list[date].value, as: UTF8.self)
      let dashed = [day.prefix(4), day.dropFirst(4).prefix(2), day.suffix(2)].joined(separator: "-")
      guard let time = index(moment.time), list[time].value.count >= 6 else {
        if let new = move(dashed) { list[date].value = Self.digits(new) }
        continue
      }
      let clock = String(decoding: list[time].value, as: UTF8.self)
      let (hours, minutes) = (clock.prefix(2), clock.dropFirst(2).prefix(2))
      let text =
        dashed + "T" + [hours, minutes, clock.dropFirst(4).prefix(2)].joined(separator: ":")
        + clock.dropFirst(6)
      guard let new = move(text), new.utf8.count >= 19 else { continue }
      list[date].value = Self.digits(String(new.prefix(10)))
      // The dataset cannot store fractions of a second.
      let zone = new.dropFirst(19).drop { $0 == "." || $0.isNumber }
      list[time].value = Self.digits(String(new.prefix(19).suffix(8))) + Array(zone.utf8)
    }
  }

  private static func digits(_ text: String) -> [UInt8] { text.utf8.filter { 0x30...0x39 ~= $0 } }
}

extension PhotoshopResources {
  /// Returns the keywords in the resources.
  static func keywords(_ bytes: [UInt8]) -> [String] {
    list(bytes).first { $0.id == 0x0404 }.map { IPTCDatasets(Array(bytes[$0.content])).keywords } ?? []
  }

  /// Returns the resources with changed IPTC-IIM datasets. The digest of the datasets is no longer valid and is
  /// removed. Without a digest, readers trust the datasets as much as XMP.
  static func changingDatasets(_ bytes: [UInt8], _ change: (inout IPTCDatasets) -> Void) -> [UInt8] {
    let resources = list(bytes)
    guard let old = resources.first(where: { $0.id == 0x0404 }) else { return bytes }
    var datasets = IPTCDatasets(Array(bytes[old.content]))
    change(&datasets)
    let new = datasets.bytes
    guard new != Array(bytes[old.content]) else { return bytes }
    var result: [UInt8] = []
    var at = 0
    for resource in resources {
      at = resource.range.upperBound
      switch resource.id {
      case 0x0404 where resource.range == old.range:
        let head = bytes[old.range.lowerBound..<old.content.lowerBound - 4]
        result += head + ByteOrder.big.bytes(of: new.count, width: 4) + new
        if new.count % 2 == 1 { result.append(0) }
      case 0x0425: continue
      default: result += bytes[resource.range]
      }
    }
    return result + bytes[at...]
  }
}
