/// The datasets of IPTC-IIM as they stand in a Photoshop resource (IPTC-NAA Information Interchange Model 4.2, section 1.5).
struct IPTCDatasets {
  /// One dataset.
  struct Dataset {
    /// The number of its record.
    let record: UInt8
    /// Its number in the record.
    let number: UInt8
    /// Its value.
    var value: [UInt8]
  }

  /// The datasets in file order.
  var list: [Dataset] = []
  /// The bytes behind the last one that could be read.
  private let rest: [UInt8]

  /// Reads datasets up to the first that is damaged.
  init(_ bytes: [UInt8]) {
    let places = Self.places(bytes)
    list = places.map { Dataset(record: $0.record, number: $0.number, value: Array(bytes[$0.value])) }
    rest = Array(bytes[(places.last?.whole.upperBound ?? 0)...])
  }

  /// Where a dataset stands.
  struct Place {
    /// The number of its record.
    let record: UInt8
    /// Its number in the record.
    let number: UInt8
    /// All of it.
    let whole: Range<Int>
    /// Its value.
    let value: Range<Int>
  }

  /// The places of all datasets up to the first that is damaged.
  static func places(_ bytes: [UInt8]) -> [Place] {
    let big = ByteOrder.big
    var places: [Place] = []
    var at = 0
    while bytes.count - at >= 5, bytes[at] == 0x1C, let size = big.number(bytes, at: at + 3, width: 2) {
      var (start, count) = (at + 5, size)
      if size >= 0x8000 {
        // A longer value: how many bytes its length has, then the length.
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

  /// The datasets that name no places, byte for byte, up to the first that is damaged: what follows may name one.
  static func withoutPlaces(_ bytes: [UInt8]) -> [UInt8] {
    places(bytes).filter { $0.record != 2 || !PhotoshopResources.places.contains($0.number) }.flatMap {
      bytes[$0.whole]
    }
  }

  /// The numbers of the record 2 that hold a preview: its format, the format's version, and the picture (chapter 6).
  private static let previews: ClosedRange<UInt8> = 200...202

  /// True if datasets hold a preview.
  static func holdsPreview(_ bytes: [UInt8]) -> Bool {
    places(bytes).contains { $0.record == 2 && $0.number == 202 } || bytes.holdsJPEG
  }

  /// The datasets without a preview, byte for byte, up to the first that is damaged.
  static func withoutPreview(_ bytes: [UInt8]) -> [UInt8] {
    places(bytes).filter { place in
      (place.record != 2 || !previews.contains(place.number)) && bytes.firstJPEG(in: place.value) == nil
    }.flatMap { bytes[$0.whole] }
  }

  /// The datasets as bytes.
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

  /// The place of a dataset of the application record.
  func index(_ number: UInt8) -> Int? { list.firstIndex { $0.record == 2 && $0.number == number } }
}

extension IPTCDatasets {
  /// Datasets of the application record with a date, and those with its time (chapter 6): created, and made digital.
  static let moments: [(date: UInt8, time: UInt8)] = [(55, 60), (62, 63)]

  /// Changes the dates.
  mutating func change(dates rewrite: DateRewrite) {
    changeDates { rewrite.moved($0, trustsZero: false) }
  }

  /// Changes the dates that are sound.
  ///
  /// - Parameter move: from a day, or date and time with a time zone or without, in the extended form of ISO 8601, but for
  ///   the zone, which has no colon, to what takes its place, written alike; nil leaves it.
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
      // There is no room for fractions of a second.
      let zone = new.dropFirst(19).drop { $0 == "." || $0.isNumber }
      list[time].value = Self.digits(String(new.prefix(19).suffix(8))) + Array(zone.utf8)
    }
  }

  private static func digits(_ text: String) -> [UInt8] { text.utf8.filter { 0x30...0x39 ~= $0 } }
}

extension PhotoshopResources {
  /// The keywords that the resources hold.
  static func keywords(_ bytes: [UInt8]) -> [String] {
    list(bytes).first { $0.id == 0x0404 }.map { IPTCDatasets(Array(bytes[$0.content])).keywords } ?? []
  }

  /// The resources with other datasets of IPTC-IIM. A digest of the datasets goes, for it is not true any more; without one
  /// readers take the datasets for as true as XMP.
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
