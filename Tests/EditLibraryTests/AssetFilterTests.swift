import EditModel
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

/// Tests of filters over a made-up folder. The SQL results are compared with a test closure that evaluates each asset.
@Suite struct AssetFilterTests {
  private let store: IndexStore
  private let assets: [IndexedAsset]

  init() throws {
    let folder = try TemporaryFolder()
    // A library with marks and albums. Its rows are stored in an index that lives as long as this value.
    let library = try Library.forWriting(folder.url.path)
    var generator = SeededGenerator(seed: 21)
    let rows = (0..<400).map { Self.row($0, &generator) }
    func some(_ share: Int) -> [String] {
      rows.filter { _ in Int.random(in: 0..<share, using: &generator) == 0 }.map {
        RenderNames.Parts($0.name).stem
      }
    }
    let (favourites, hidden, summer, winter) = (some(5), some(7), some(4), some(9))
    try library.mark(favourites, MarkChange(favourite: true))
    try library.mark(hidden, MarkChange(hidden: true))
    for (name, stems) in [("Summer", summer), ("Winter 100%", winter)] {
      try library.createAlbum(name)
      try library.add(stems, toAlbum: name)
    }
    library.close()
    store = try IndexStore.open(
      nil, catalogue: DatabaseFile(folder: HeldFolder(path: folder.url.path), place: LibraryPaths.catalogue))
    try store.write(rows)
    withExtendedLifetime(folder) {}
    let identifiers = try store.identifiers(AssetQuery(includesHidden: true))
    albums = ["Summer": Set(summer), "Winter 100%": Set(winter)]
    assets = try zip(identifiers, store.rows(identifiers)).map { number, stored in
      IndexedAsset(
        id: .init(inode: UInt64(number), name: nil), folder: "", layout: .besideOriginals,
        photo: stored.row.photo, movie: stored.row.movie,
        metadata: stored.row.metadata,
        isFavourite: favourites.contains(RenderNames.Parts(stored.row.name).stem),
        isHidden: hidden.contains(RenderNames.Parts(stored.row.name).stem),
        representsBurst: stored.representsBurst)
    }
    #expect(assets.count == 400)
  }

  private let albums: [String: Set<String>]

  private static func row(_ number: Int, _ generator: inout SeededGenerator) -> IndexRow {
    func oneOf<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &generator)]
    }
    let kind = oneOf(AssetKind.allCases)
    var metadata = AssetMetadata(
      kind: kind, modified: 1_500_000_000_000 + Int.random(in: 0..<200_000_000_000, using: &generator),
      size: Int.random(in: 1...5_000_000, using: &generator))
    metadata.subtypes = Set(
      AssetSubtype.allCases.filter { _ in Int.random(in: 0..<5, using: &generator) == 0 })
    metadata.make = oneOf(["Apple", "Google", nil])
    metadata.model = oneOf(["iPhone 6s", "iPhone 15 Pro", "Pixel_3%a", nil])
    metadata.software = oneOf(["12.4", "HDR+", nil])
    if Bool.random(using: &generator) {
      metadata.width = oneOf([640, 3024, 4032, 5712])
      metadata.height = oneOf([480, 3024, 4032, 4284])
    }
    if Int.random(in: 0..<6, using: &generator) > 0 {
      metadata.created = CaptureDate(
        wallClock: 1_577_836_800_000 + 3_600_000 * Int.random(in: -2000..<2000, using: &generator),
        offset: oneOf([nil, 0, 120, -480]), source: .exif)
    }
    if Int.random(in: 0..<3, using: &generator) > 0 {
      metadata.location = GeoLocation(
        latitude: 48 + Double.random(in: -1...1, using: &generator),
        longitude: oneOf([11.5, 179.99, -179.99]) + Double.random(in: -0.01...0.01, using: &generator),
        altitude: oneOf([nil, 500, -3]))
    }
    if kind != .photo { metadata.duration = Double(Int.random(in: 1...90, using: &generator)) / 10 }
    metadata.burst = oneOf([nil, nil, "B1", "B2"])
    metadata.isEdited = Bool.random(using: &generator)
    metadata.adjustmentFormat = metadata.isEdited ? oneOf(["org.liveedit.edit", "com.apple.photo"]) : nil
    let stem = oneOf(["IMG_", "img_", "Größe [1] ", "PIC%"]) + String(1000 + number)
    return IndexRow(
      photo: kind == .movie ? nil : stem + ".JPG", movie: kind == .photo ? nil : stem + ".MOV",
      current: CurrentFiles(names: [], areInHome: false), stamp: 0, identifier: nil, metadata: metadata)
  }

  private typealias Case = (filter: String, holds: (IndexedAsset) -> Bool)

  /// Returns the great-circle distance in metres, calculated with the haversine formula.
  private static func distance(_ place: GeoLocation?, _ latitude: Double, _ longitude: Double) -> Double {
    guard let place else { return .infinity }
    let rad = Double.pi / 180
    let (dy, dx) = ((place.latitude - latitude) * rad, (place.longitude - longitude) * rad)
    let a = pow(sin(dy / 2), 2) + cos(place.latitude * rad) * cos(latitude * rad) * pow(sin(dx / 2), 2)
    return 2 * 6_371_008.8 * asin(min(1, sqrt(a)))
  }

  /// Returns the milliseconds since 1970 of an ISO date and time without a time zone, parsed by Foundation.
  private static func clock(_ text: String) -> Int {
    let formatter = ISO8601DateFormatter()
    return Int(
      (formatter.date(from: text + (text.count == 10 ? "T00:00:00Z" : "Z"))?.timeIntervalSince1970 ?? 0)
        * 1000)
  }

  private var cases: [Case] {
    let clock = Self.clock
    func wall(_ asset: IndexedAsset) -> Int? { asset.metadata.created?.wallClock }
    func isIn(_ value: Int?, _ from: String, _ to: String) -> Bool {
      value.map { clock(from) <= $0 && $0 < clock(to) } ?? false
    }
    return [
      ("kind = live", { $0.metadata.kind == .live }),
      ("KIND = Photo OR kind=movie", { $0.metadata.kind != .live }),
      ("kind != live", { $0.metadata.kind != .live }),
      ("not not kind = live", { $0.metadata.kind == .live }),
      ("subtype = hdr", { $0.metadata.subtypes.contains(.hdr) }),
      ("subtype != slow-motion", { !$0.metadata.subtypes.contains(.slowMotion) }),
      ("subtype = hdr and subtype = panorama", { $0.metadata.subtypes.isSuperset(of: [.hdr, .panorama]) }),
      ("has subtype", { !$0.metadata.subtypes.isEmpty }),
      ("favourite", { $0.isFavourite && !$0.isHidden }),
      ("favorite = no and hidden", { !$0.isFavourite && $0.isHidden }),
      ("edited and not (favourite or hidden)", { $0.metadata.isEdited && !$0.isFavourite && !$0.isHidden }),
      ("edited = yes or hidden", { $0.metadata.isEdited || $0.isHidden }),
      ("width > 3024", { ($0.metadata.width ?? 0) > 3024 }),
      ("not width > 3024", { ($0.metadata.width ?? 0) <= 3024 }),
      ("width != 4032", { $0.metadata.width != 4032 }),
      ("has width and width <= 3024", { ($0.metadata.width ?? 9999) <= 3024 }),
      ("pixels >= 12MP", { ($0.metadata.width ?? 0) * ($0.metadata.height ?? 0) >= 12_000_000 }),
      ("size < 1.5MB", { $0.metadata.size < 1_500_000 }),
      ("size in 1MiB..2MiB", { 1_048_576...2_097_152 ~= $0.metadata.size }),
      ("duration >= 2.5s and duration < 0.1min", { 2.5..<6 ~= $0.metadata.duration ?? 0 }),
      ("altitude < 0", { ($0.metadata.location?.altitude ?? 1) < 0 }),
      ("altitude = 0.5km", { $0.metadata.location?.altitude == 500 }),
      ("latitude in 47.5..48.5", { 47.5...48.5 ~= $0.metadata.location?.latitude ?? 0 }),
      ("has location", { $0.metadata.location != nil }),
      ("not has date", { $0.metadata.created == nil }),
      ("date = 2020-01-03", { isIn(wall($0), "2020-01-03", "2020-01-04") }),
      ("date = 2020-02", { isIn(wall($0), "2020-02-01", "2020-03-01") }),
      ("date = 2019", { isIn(wall($0), "2019-01-01", "2020-01-01") }),
      ("date != 2019", { !isIn(wall($0), "2019-01-01", "2020-01-01") }),
      (
        "date >= 2020-01-15 and date < 2020-02-20T12:00",
        { isIn(wall($0), "2020-01-15", "2020-02-20T12:00:00") }
      ),
      ("date in 2019-12..2020-01", { isIn(wall($0), "2019-12-01", "2020-02-01") }),
      ("date > 2020-01", { isIn(wall($0), "2020-02-01", "2099-01-01") }),
      ("date <= 2020-01", { isIn(wall($0), "1971-01-01", "2020-02-01") }),
      ("date < 2020-01-01T00:00Z", { ($0.metadata.created?.instant ?? .max) < clock("2020-01-01") }),
      (
        "date >= 2020-01-01T00:00:00+02:00",
        { ($0.metadata.created?.instant ?? 0) >= clock("2019-12-31T22:00:00") }
      ),
      ("modified >= 2018-06-01", { $0.metadata.modified >= clock("2018-06-01") }),
      ("camera contains IPHONE", { ($0.metadata.model ?? "").contains("iPhone") }),
      ("camera = \"apple iphone 6S\"", { $0.metadata.make == "Apple" && $0.metadata.model == "iPhone 6s" }),
      (
        "camera = imported",
        { $0.metadata.make == nil && $0.metadata.model == nil && $0.metadata.software == nil }
      ),
      ("model contains '_3%'", { $0.metadata.model == "Pixel_3%a" }),
      ("model like 'iphone ?s'", { $0.metadata.model == "iPhone 6s" }),
      ("model like 'pixel*'", { $0.metadata.model?.hasPrefix("Pixel") == true }),
      ("model like '*_%*'", { _ in false }),
      ("make != apple", { $0.metadata.make != "Apple" }),
      ("has software", { $0.metadata.software != nil }),
      ("software = 12.4", { $0.metadata.software == "12.4" }),
      ("name like img_*", { $0.name.lowercased().hasPrefix("img_") }),
      ("name like 'Größe [1] *'", { $0.name.hasPrefix("Größe") }),
      ("name contains 'pic%10'", { $0.name.hasPrefix("PIC%10") }),
      ("format = com.apple.photo", { $0.metadata.adjustmentFormat == "com.apple.photo" }),
      ("burst = b1", { $0.metadata.burst == "B1" }),
      ("representative", { $0.representsBurst }),
      ("album = summer", { albums["Summer"]?.contains($0.stem) == true }),
      ("album contains '100%'", { albums["Winter 100%"]?.contains($0.stem) == true }),
      ("album != Summer", { albums["Summer"]?.contains($0.stem) == false }),
      ("has album", { asset in albums.values.contains { $0.contains(asset.stem) } }),
      ("near 48.1,11.5 within 30km", { Self.distance($0.metadata.location, 48.1, 11.5) <= 30_000 }),
      ("near 48, 180 within 40km", { Self.distance($0.metadata.location, 48, 180) <= 40_000 }),
      (
        "near 48.5,-179.995 within 20mi", { Self.distance($0.metadata.location, 48.5, -179.995) <= 32_186.88 }
      ),
      ("near 90,0 within 4700km", { Self.distance($0.metadata.location, 90, 0) <= 4_700_000 }),
      ("near -48,-168.5 within 30000km", { $0.metadata.location != nil }),
      (
        "kind = live and favourite or kind = movie and not edited",
        { $0.metadata.kind == .live && $0.isFavourite || $0.metadata.kind == .movie && !$0.metadata.isEdited }
      ),
      (
        "(kind = live or kind = movie) and not (edited or has burst)",
        { $0.metadata.kind != .photo && !($0.metadata.isEdited || $0.metadata.burst != nil) }
      ),
    ]
  }

  @Test func whatFiltersFind() throws {
    for one in cases {
      let filter = try AssetFilter(one.filter)
      let found = try store.identifiers(AssetQuery(filter: filter, includesHidden: true))
      #expect(
        Set(found) == Set(assets.filter(one.holds).map(\.number)) || one.filter == "favourite",
        "\(one.filter)")
      #expect(Set(found).count == found.count)
      // Hidden assets are left out unless the query includes them.
      let visible = try store.identifiers(AssetQuery(filter: filter))
      let asksForHidden = one.filter.contains("hidden")
      #expect(
        Set(visible) == Set(assets.filter { one.holds($0) && (asksForHidden || !$0.isHidden) }.map(\.number)),
        "\(one.filter)")
    }
    // The table is useful only if each condition matches some assets and not others.
    let told = cases.filter { one in assets.contains(where: one.holds) && !assets.allSatisfy(one.holds) }
    #expect(told.count >= cases.count - 1)
  }

  /// Sorts assets by every field in both directions: assets without a value last, equal assets by name.
  private static let sorting = """
    import json, sys
    assets = json.load(sys.stdin)
    for asset in assets:
        known = [word for word in (asset["make"], asset["model"]) if word]
        # A model that begins with its maker's name stands alone.
        if len(known) == 2 and known[1].startswith(known[0]): known = known[1:]
        asset["camera"] = " ".join(known) or asset["software"] or "imported"
        asset["pixels"] = asset["width"] * asset["height"] if asset["width"] and asset["height"] else None
        asset["date"] = None if asset["wall"] is None else asset["wall"] - (asset["offset"] or 0) * 60000
    def key(asset, field):
        value = asset[field]
        # Capital letters of ASCII count as small ones, but for names whose order is that of their bytes.
        return value.lower() if isinstance(value, str) and field != "name" else value
    for field in sys.argv[1:]:
        for isDescending in (False, True):
            order = sorted((a for a in assets if a[field] is not None), key=lambda a: a["name"].encode())
            order.sort(key=lambda a: key(a, field), reverse=isDescending)
            order += sorted((a for a in assets if a[field] is None), key=lambda a: a["name"].encode())
            print(" ".join(str(a["id"]) for a in order))
    """

  private func described(_ asset: IndexedAsset) -> [String: Any] {
    let metadata = asset.metadata
    let values: [String: Any?] = [
      "id": asset.number, "name": asset.name, "make": metadata.make, "model": metadata.model,
      "software": metadata.software, "format": metadata.adjustmentFormat, "burst": metadata.burst,
      "kind": metadata.kind.rawValue, "width": metadata.width, "height": metadata.height,
      "size": metadata.size, "duration": metadata.duration, "latitude": metadata.location?.latitude,
      "longitude": metadata.location?.longitude, "altitude": metadata.location?.altitude,
      "wall": metadata.created?.wallClock, "offset": metadata.created?.offset, "modified": metadata.modified,
      "favourite": asset.isFavourite, "hidden": asset.isHidden, "edited": metadata.isEdited,
    ]
    return values.mapValues { $0 ?? NSNull() }
  }

  @Test func ordersAreThoseOfPython() throws {
    let fields = AssetField.allCases.filter(\.isSortable)
    let byID = Dictionary(uniqueKeysWithValues: assets.map { ($0.number, $0) })
    let sorted = try Tools.run(
      ["python3", "-c", Self.sorting] + fields.map(\.rawValue),
      input: JSONSerialization.data(withJSONObject: assets.map(described)))
    let lines = sorted.lines.map { $0.split(separator: " ").compactMap { Int64($0) } }
    try #require(lines.count == 2 * fields.count, "\(sorted.standardError)")
    for (number, expected) in lines.enumerated() {
      let order = AssetQuery.Order(fields[number / 2], isDescending: number % 2 == 1)
      #expect(expected.count == assets.count)
      let found = try store.identifiers(AssetQuery(order: order, includesHidden: true))
      #expect(found == expected, "\(order)")
      let limited = try store.identifiers(AssetQuery(order: order, limit: 17, includesHidden: true))
      #expect(limited == Array(expected.prefix(17)))
      // Lists of several folders are merged in the same order.
      let inOrder = expected.compactMap { byID[$0] }
      for (one, other) in zip(inOrder, inOrder.dropFirst()) {
        #expect(
          order.areInOrder(one, other) && !order.areInOrder(other, one),
          "\(order): \(one.name), \(other.name)")
      }
    }
  }

  @Test func largeFilters() throws {
    let many = Array(repeating: "width > 3", count: 250)
    for word in [" and ", " or "] {
      let filter = try AssetFilter(many.joined(separator: word))
      #expect(throws: Never.self) { try store.identifiers(AssetQuery(filter: filter)) }
      #expect(throws: FilterError.self) { try AssetFilter((many + ["edited"]).joined(separator: word)) }
    }
    // Uses the greatest nesting allowed, in the forms that produce the deepest SQL.
    for (begin, end) in [
      ("not (width > 3 and ", ")"), ("(edited and not ", ")"), ("(edited or (hidden and ", "))"),
    ] {
      for depth in [7, 8, 10, 11, 12, 23, 24, 200] {
        let text =
          String(repeating: begin, count: depth) + "favourite" + String(repeating: end, count: depth)
        guard let filter = try? AssetFilter(text) else {
          #expect(depth > 7)
          continue
        }
        #expect(throws: Never.self) { try store.identifiers(AssetQuery(filter: filter)) }
        #expect(depth < 200)
      }
    }
    let nots = String(repeating: "not ", count: 15) + "edited"
    let deep = try store.identifiers(AssetQuery(filter: AssetFilter(nots), includesHidden: true))
    #expect(Set(deep) == Set(assets.filter { !$0.metadata.isEdited }.map(\.number)))
    #expect(throws: FilterError.self) { try AssetFilter(String(repeating: "(", count: 9000)) }
    #expect(throws: FilterError.self) { try AssetFilter(String(repeating: "x", count: 100_000)) }
  }

  /// Any typed text is either understood or refused, and every filter that is understood produces valid SQL.
  @Test func anyTextIsUnderstoodOrRefused() throws {
    let words = [
      "kind", "=", "live", "and", "or", "not", "(", ")", "width", ">", "3", "near", "48,11", "within", "5km",
      "has",
      "location", "date", "2024-05", "in", "1..2", "\"a b\"", "like", "*", "album", "favourite", ",", "é",
      "'", "\\",
    ]
    var generator = SeededGenerator(seed: 3)
    var understood = 0
    for _ in 0..<4000 {
      let count = Int.random(in: 1...7, using: &generator)
      let text = (0..<count).map { _ in words[Int.random(in: 0..<words.count, using: &generator)] }.joined(
        separator: " ")
      do {
        let filter = try AssetFilter(text)
        understood += 1
        _ = try store.identifiers(AssetQuery(filter: filter, limit: 3))
      } catch let error as FilterError {
        #expect(0...text.count ~= error.position)
      }
    }
    #expect(understood > 20)
  }
}

/// Invalid filters, tested without a folder.
@Suite struct FilterErrorTests {
  @Test(arguments: [
    ("", 0, "expected a field, found the end of the filter"), ("widht > 3", 0, "there is no field “widht”"),
    ("width", 5, "expected a comparison after width, found the end of the filter"),
    ("width >", 7, "expected a number, found the end of the filter"),
    ("width > wide", 8, "expected a number, found “wide”"),
    ("width > 3km", 8, "a number without a unit"),
    ("size > 3km", 7, "optionally with one of these units: b, kb"),
    ("width => 3", 7, "expected a number"), ("width == 3", 6, "“==” is not a comparison"),
    ("kind = photos", 7, "kind must be one of photo, movie, live"), ("kind < live", 5, "only with = and !="),
    ("(kind = live", 12, "expected “)”, found the end of the filter"),
    ("kind = live)", 11, "expected “and”, “or” or the end of the filter"),
    ("kind = live kind = photo", 12, "expected “and”, “or” or the end of the filter"),
    ("kind = live and", 15, "expected a field"), ("not", 3, "expected a field"),
    ("name = \"IMG", 7, "no closing \""), ("date = 2024-13", 7, "expected a date"),
    ("date = 2024-02-30", 7, "expected a date"), ("date = 24", 7, "expected a date"),
    ("date in 2024", 8, "two values separated by .."),
    ("date in 2024-01..2024-1", 17, "expected a date"),
    ("name in a..b", 5, "“in” requires a number or date field"),
    ("width contains 3", 6, "“contains” requires a text field"),
    ("near 48 within 5km", 8, "expected “,” and a longitude"), ("near 48,11", 10, "expected “within”"),
    ("near 98,11 within 5km", 5, "the location is invalid"), ("near 48,11 within 5", 0, ""),
    ("near 48,11 within 5 parsecs", 20, "expected “and”"), ("near 48,11 within 5pc", 18, "m, km"),
    ("location = here", 9, "has location"), ("favourite = 3", 12, "expected true or false"),
    ("duration = nan", 11, "expected a number"), ("and", 0, "expected a field, found “and”"),
    ("has near", 4, "expected a field"), ("width ! 3", 6, "“!” is not a comparison"),
  ])
  func whatIsWrongIsSaid(_ text: String, _ position: Int, _ message: String) throws {
    guard !message.isEmpty else {
      _ = try AssetFilter(text)
      return
    }
    let error = #expect(throws: FilterError.self) { try AssetFilter(text) }
    #expect(error?.position == position, "\(text): \(String(describing: error))")
    #expect(error?.message.contains(message) == true, "\(text): \(String(describing: error))")
  }
}

extension IndexedAsset {
  /// The number of the asset's row in these tests.
  fileprivate var number: Int64 { Int64(id.inode ?? 0) }
}
