import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of HEIC files in which a reader must do work once that it could repeat for each item, and comparisons of the
/// fast algorithms with slow ones.
struct HEIFWorkTests {
  private static func word(_ value: Int) -> [UInt8] { ByteOrder.big.bytes(of: value, width: 4) }
  private static func half(_ value: Int) -> [UInt8] { ByteOrder.big.bytes(of: value, width: 2) }
  private static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    word(content.count + 8) + Array(kind.utf8) + content
  }
  private static func full(_ kind: String, _ content: [UInt8], version: UInt8 = 0) -> [UInt8] {
    box(kind, [version, 0, 0, 0] + content)
  }

  /// An item of a file created here. The first item is the photo.
  private struct Item {
    var type = "hvc1"
    /// The numbers of the item's properties.
    var properties: [Int] = [1]
    /// The construction method. 0: in the file, counted from the beginning of the data; 2: in the items that this item
    /// refers to.
    var method = 0
    var pieces: [(offset: Int, length: Int)] = []
    var isHidden = false
  }

  /// Returns a file whose items are numbered from 1, with its data at the end.
  private static func file(
    _ items: [Item], properties: [[UInt8]], references: [(kind: String, from: Int, to: [Int])] = [],
    groups: [[Int]] = [], data: [UInt8] = []
  ) -> [UInt8] {
    var (entries, associations) = (half(items.count), word(items.count))
    for (index, item) in items.enumerated() {
      let content = half(index + 1) + [0, 0] + Array(item.type.utf8) + [0]
      entries += box("infe", [2, 0, 0, item.isHidden ? 1 : 0] + content)
      associations += half(index + 1) + [UInt8(item.properties.count)]
      for number in item.properties { associations += half(number) }
    }
    var links: [UInt8] = []
    for link in references {
      links += box(link.kind, half(link.from) + half(link.to.count) + link.to.flatMap(half))
    }
    let lists = groups.enumerated().flatMap { index, members in
      full("altr", word(20_000 + index) + word(members.count) + members.flatMap(word))
    }
    let known = box("ipco", properties.flatMap { $0 }) + box("ipma", [0, 0, 0, 1] + associations)
    func meta(_ start: Int) -> [UInt8] {
      var places: [UInt8] = [0x44, 0] + half(items.count)
      for (index, item) in items.enumerated() {
        places += half(index + 1) + half(item.method) + [0, 0] + half(item.pieces.count)
        for piece in item.pieces {
          places += word(piece.offset + (item.method == 0 ? start : 0)) + word(piece.length)
        }
      }
      return full(
        "meta",
        full("pitm", half(1)) + full("iinf", entries) + full("iref", links) + box("iprp", known)
          + box("grpl", lists) + full("iloc", places, version: 1))
    }
    let type = box("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1".utf8))
    let start = type.count + meta(0).count + 8
    return type + meta(start) + box("mdat", data)
  }

  private static func size(_ side: Int) -> [UInt8] { full("ispe", word(side) + word(side)) }

  /// Hundreds of items share one large profile, each of them twenty times.
  @Test func aSharedProfileIsInspectedOnce() throws {
    let profile = [UInt8](repeating: 0, count: 1 << 18)
    let many = [Int](repeating: 2, count: 20)
    let items = [Item()] + [Item](repeating: Item(properties: many), count: 300)
    let bytes = Self.file(
      items, properties: [Self.size(64), Self.box("colr", Array("prof".utf8) + profile)])
    let inspection = try PhotoInspection(Photo(MemoryByteSource(bytes)))
    let last = try #require(inspection.heif?.items.last)
    #expect(last.number == 301 && last.properties.count == 20)
    #expect(last.properties.allSatisfy { $0.value == "ICC profile unnamed, \(1 << 18) bytes" })
  }

  /// The description of each item is truncated if it is impossibly long.
  @Test func impossiblyLongValuesAreCut() throws {
    let kind = Self.full("auxC", [UInt8](repeating: 0x41, count: 1 << 16))
    let urn = Self.full("auxC", Array("urn:a:b".utf8) + [0])
    let channels = Self.full("pixi", [255] + [UInt8](repeating: 8, count: 255))
    let bytes = Self.file(
      [Item(), Item(properties: [2, 3, 4])], properties: [Self.size(64), kind, channels, urn])
    let inspection = try PhotoInspection(Photo(MemoryByteSource(bytes)))
    let values = try #require(inspection.heif?.items.last).properties.map(\.value)
    #expect(values == [nil, String(String(repeating: "8, ", count: 86).prefix(256)) + "…", "urn:a:b"])
  }

  /// Many items derive from one item in many pieces, which are looked up again for each of them.
  @Test func piecesOfAllItemsAreCountedTogether() throws {
    let base = Item(pieces: (0..<1000).map { (2 * $0, 1) })
    let most = HEIFFile.mostPieces / 1000
    for (count, isRead) in [(most / 2, true), (most, false)] {
      let others = [Item](repeating: Item(method: 2, pieces: [(0, 0)]), count: count)
      let bytes = Self.file(
        [base] + others, properties: [Self.size(64) + Self.box("hvcC", [1])],
        references: (2...count + 1).map { ("iloc", $0, [1]) }, data: [UInt8](repeating: 7, count: 2000))
      let file = try HEIFFile(reading: MemoryByteSource(bytes))
      var media = CodedMedia(of: file.source)
      let told = problem { try file.addCodedMedia(to: &media) }
      #expect((told?.contains("too many pieces") ?? false) == !isRead, "\(told ?? "")")
    }
  }

  /// Hundreds of tiles have equal, large configurations that are written twice.
  @Test func configurationsAreComparedOnce() throws {
    let configuration = Self.box("hvcC", [UInt8](repeating: 1, count: 1 << 18))
    let grid = Item(type: "grid", properties: [1], pieces: [(0, 8)])
    let tile = Item(properties: [2, 4], pieces: [(8, 1)])
    var items = [grid, Item(properties: [2, 3], pieces: [(8, 1)])]
    items += [Item](repeating: tile, count: 399)
    let properties = [
      Self.full("ispe", Self.word(320) + Self.word(320)), Self.size(16), configuration, configuration,
    ]
    func picture(_ properties: [[UInt8]]) throws -> HEIFPicture {
      let bytes = Self.file(
        items, properties: properties, references: [("dimg", 1, Array(2...401))],
        data: [0, 0, 19, 19] + Self.half(320) + Self.half(320) + [9])
      return try HEIFPicture(HEIFFile(reading: MemoryByteSource(bytes)))
    }
    let found = try picture(properties)
    #expect(found.tiles.count == 400 && found.configuration.count == 1 << 18)
    var others = properties
    others[3][others[3].count - 1] = 2
    let refused = #expect(throws: MediaError.self) { try picture(others) }
    #expect(refused?.problem.description.contains("with different encodings") ?? false)
  }

  /// A rewritten item among others, all in many thousands of interleaved pieces.
  @Test func itemsOfManyPiecesFindTheirPlaces() throws {
    let data = (0..<48_000).map { UInt8(truncatingIfNeeded: 1 + $0 % 251) }
    func pieces(_ first: Int) -> [(offset: Int, length: Int)] { (0..<8000).map { (6 * $0 + first, 1) } }
    let items =
      [Item(pieces: pieces(0)), Item(type: "Exif", pieces: pieces(1))]
      + (2..<6).map { Item(pieces: pieces($0)) }
    let bytes = Self.file(items, properties: [Self.size(64) + Self.box("hvcC", [1])], data: data)
    let file = try HEIFFile(reading: MemoryByteSource(bytes))
    var composition = HEIFComposition(file)
    let content = [UInt8](repeating: 0, count: 5000)
    composition.replace(2, with: content)
    let sink = MemoryByteSink()
    try composition.writeInPlace(to: sink)
    let written = try HEIFFile(reading: MemoryByteSource(sink.bytes))
    #expect(try written.data(of: 2) == content)
    for (id, first) in [(1, 0), (3, 2), (4, 3), (5, 4), (6, 5)] {
      #expect(try written.data(of: UInt32(id)) == stride(from: first, to: data.count, by: 6).map { data[$0] })
    }
    // No old data remains at its old position.
    let media = try #require(written.atoms.first { $0.kind == "mdat" }).contentOffset
    #expect(stride(from: 1, to: data.count, by: 6).allSatisfy { sink.bytes[media + $0] == 0 })
  }

  @Test func picturesOfAPhotoAreCounted() throws {
    let properties = [Self.size(64), Self.box("hvcC", [1])]
    func file(_ thumbnails: Int, groups: [[Int]] = [], others: Int = 0) throws -> HEIFFile {
      let items = [Item](
        repeating: Item(properties: [1, 2], pieces: [(0, 1)]), count: 1 + thumbnails + others)
      let links = (0..<thumbnails).map { (kind: "thmb", from: $0 + 2, to: [1]) }
      let bytes = Self.file(items, properties: properties, references: links, groups: groups, data: [1])
      return try HEIFFile(reading: MemoryByteSource(bytes))
    }
    #expect(try file(256).relatedPictures.map(\.item) == Array(2...257))
    #expect(try file(256).relatedPicturesToEdit().count == 256)
    let refused = #expect(throws: MediaError.self) { try file(257).relatedPictures }
    #expect(refused?.problem.description == "the photo has more than 256 related pictures")
    // Very many groups of alternatives to other items.
    let groups = [[1, 9]] + [[Int]](repeating: Array(2...30), count: 8000)
    let found = try file(1, groups: groups, others: 4000).relatedPictures
    #expect(found.map(\.item) == [2, 9] && found.map(\.role) == [.thumbnail, .alternative])
  }

  /// Thumbnails as large as photos, all using the same data.
  @Test func picturesOfAPhotoAreMeasuredTogether() async {
    await #expect(processExitsWith: .success) {
      ReadingLimit.set([.pixels: 1])
      func file(_ side: Int) throws -> HEIFFile {
        let items = [Item](repeating: Item(properties: [1, 2], pieces: [(0, 1)]), count: 5)
        let bytes = Self.file(
          items, properties: [Self.size(side), Self.box("hvcC", [1])],
          references: (2...5).map { ("thmb", $0, [1]) }, data: [1])
        return try HEIFFile(reading: MemoryByteSource(bytes))
      }
      // Four pictures of slightly less than 2¹⁹ pixels, and then of slightly more.
      let most = try file(724).relatedPicturesToEdit()
      #expect(most.count == 4)
      let refused = #expect(throws: MediaError.self) { try file(725).relatedPicturesToEdit() }
      #expect(
        refused?.problem.description
          == "the photo's related pictures have more than 2 megapixels in total")
      #expect(refused?.remedy != nil)
    }
  }

  /// Comparisons with slow searches that check every position, in files of many properties and items.
  @Test func numbersAndAssociationsOfManyItems() throws {
    func property(_ number: Int) -> Atom {
      Atom("free", [UInt8](repeating: 1, count: 60) + Self.word(number))
    }
    var (listed, entries): ([UInt8], [UInt8]) = ([], [])
    for number in 1...20_000 {
      listed += property(number).serialized
      entries += Self.half(number) + [1] + Self.half(number)
    }
    let list = Self.box("ipco", listed)
    let head: [UInt8] = [0, 0, 0, 1] + Self.word(20_000)
    var properties = try HEIFProperties(list + Self.box("ipma", head + entries))
    for id in 20_001...40_000 {
      let number = properties.number(of: property(id % 2 == 0 ? id - 20_000 : 20_000))
      properties.setAssociations([.init(index: number, isEssential: true)], of: UInt32(id))
    }
    #expect(properties.number(of: property(20_001)) == 20_001)
    let again = try HEIFProperties(properties.serialized())
    #expect(again.properties.count == 20_001)
    #expect(again.boxes[0].entries.map(\.id) == Array(1...40_000))
    #expect(again.associationsByItem[30_000] == [.init(index: 10_000, isEssential: true)])
    #expect(again.associationsByItem[30_001] == [.init(index: 20_000, isEssential: true)])
    #expect(again.associationsByItem[7] == [.init(index: 7, isEssential: false)])
  }

  /// Equal properties get the number of the first one, and new entries precede the first entry of a larger number.
  @Test(arguments: 1...20) func numbersAndAssociationsByASlowSearch(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var list = (0..<12).map { _ in Atom("free", [UInt8.random(in: 0..<6, using: &generator)]) }
    var entries = (1...9).shuffled(using: &generator).map { (id: UInt32(3 * $0), numbers: [1]) }
    var (listed, box): ([UInt8], [UInt8]) = ([], Self.word(9))
    for property in list { listed += property.serialized }
    for entry in entries { box += Self.half(Int(entry.id)) + [1, 1] }
    var properties = try HEIFProperties(Self.box("ipco", listed) + Self.full("ipma", box))
    for _ in 0..<40 {
      let id = UInt32.random(in: 1...40, using: &generator)
      let old = properties.associationsByItem[id] ?? []
      var wanted = old.compactMap(properties.property).map { (atom: $0, isEssential: false) }
      wanted.insert(
        (Atom("free", [UInt8.random(in: 0..<9, using: &generator)]), false),
        at: Int.random(in: 0...wanted.count, using: &generator))
      if wanted.count > 4 { wanted.remove(at: Int.random(in: 0..<wanted.count, using: &generator)) }
      properties.setAssociations(properties.associations(for: wanted, from: old), of: id)

      let numbers = wanted.map { wish in
        if let known = list.firstIndex(of: wish.atom) { return known + 1 }
        list.append(wish.atom)
        return list.count
      }
      if let place = entries.firstIndex(where: { $0.id == id }) {
        entries[place].numbers = numbers
      } else {
        entries.insert((id, numbers), at: entries.firstIndex { $0.id > id } ?? entries.count)
      }
      #expect(properties.properties == list)
      #expect(properties.boxes[0].entries.map(\.id) == entries.map(\.id))
      #expect(properties.boxes[0].entries.map { $0.associations.map(\.index) } == entries.map(\.numbers))
    }
  }

  /// Overlapping ranges and moved bytes, compared with a check of every byte.
  @Test(arguments: 1...20) func coverageAndChangesByASlowSearch(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    func range(_ longest: Int) -> Range<Int> {
      let start = Int.random(in: 0..<60, using: &generator)
      return start..<start + Int.random(in: 0...longest, using: &generator)
    }
    var ranges = (0..<12).map { _ in range(8) }
    var coverage = HEIFCoverage(ranges)
    while let gone = ranges.popLast() {
      for _ in 0..<10 {
        let asked = range(10)
        #expect(coverage.overlaps(asked) == (ranges + [gone]).contains { $0.overlaps(asked) })
      }
      coverage.remove(gone)
    }
    #expect(!coverage.overlaps(0..<100))

    var places = Set((0..<10).map { _ in Int.random(in: 0..<60, using: &generator) }).sorted()
    var changes: [HEIFChanges.Change] = []
    while places.count >= 2 {
      let (start, end) = (places.removeFirst(), places.removeFirst())
      let isEmpty = Bool.random(using: &generator)
      let bytes = [UInt8](repeating: 1, count: Int.random(in: 0...5, using: &generator))
      changes.append(.init(range: start..<(isEmpty ? start : end), bytes: bytes))
    }
    let sorted = try HEIFChanges(changes.shuffled(using: &generator))
    for _ in 0..<200 {
      let piece = range(9)
      let shift = changes.filter { $0.range.upperBound <= piece.lowerBound }
        .reduce(0) { $0 + $1.bytes.count - $1.range.count }
      let isParted = changes.contains {
        $0.range.overlaps(piece)
          || piece.lowerBound < $0.range.lowerBound && $0.range.lowerBound < piece.upperBound
      }
      #expect(
        (try? sorted.moved(piece)) == (isParted ? nil : piece.lowerBound + shift), "\(piece) \(changes)")
    }
    #expect(throws: MediaError.self) {
      try HEIFChanges([.init(range: 0..<3, bytes: []), .init(range: 2..<4, bytes: [])])
    }
  }

  /// Items that belong to other items, compared with a search of all links for each item.
  @Test(arguments: 1...60) func removalsByASlowSearch(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    func item() -> Int { Int.random(in: 1...12, using: &generator) }
    let references = (0..<14).map { _ in
      (
        kind: ["dimg", "dimg", "auxl", "cdsc", "thmb"].randomElement(using: &generator) ?? "dimg",
        from: item(),
        to: (0..<Int.random(in: 1...3, using: &generator)).map { _ in item() }
      )
    }
    var groups: [[Int]] = []
    for _ in 0..<4 {
      let members: Set<Int> = [item(), item(), item()]
      groups.append(Array(members))
    }
    let items = (0..<12).map { _ in Item(isHidden: Bool.random(using: &generator)) }
    let bytes = Self.file(items, properties: [Self.size(64)], references: references, groups: groups)
    let file = try HEIFFile(reading: MemoryByteSource(bytes))
    var composition = HEIFComposition(file)
    let first = UInt32(item())
    composition.remove(first)

    var (left, links, pending) = (Set(file.itemOrder), file.references, [first])
    while let id = pending.popLast() {
      guard id != 1, left.remove(id) != nil else { continue }
      let parts = links.targets("dimg", from: id)
      pending += links.sources("dimg", to: id)
      links = links.compactMap { link in
        guard link.from != id else { return nil }
        guard link.to.contains(id) else { return link }
        let rest = link.to.filter { $0 != id }
        if rest.isEmpty, link.kind != "dimg" { pending.append(link.from) }
        return rest.isEmpty ? nil : HEIFReference(kind: link.kind, from: link.from, to: rest)
      }
      for part in parts where links.sources("dimg", to: part).isEmpty && left.contains(part) {
        if file.items[part]?.isHidden ?? false, links.targets("auxl", from: part).isEmpty {
          pending.append(part)
        }
      }
    }
    #expect(composition.items.map(\.id) == file.itemOrder.filter(left.contains))
    #expect(composition.references == links)
    var members: [[UInt32]] = []
    for group in groups {
      let rest = group.map { UInt32($0) }.filter(left.contains)
      if rest.count == group.count || rest.count >= 2 { members.append(rest) }
    }
    #expect(composition.groups.map(\.members) == members)
    #expect(file.itemOrder.allSatisfy { left.contains($0) || composition.list(of: $0).isEmpty })
  }
}
