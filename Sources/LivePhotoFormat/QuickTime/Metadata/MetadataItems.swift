import Basics

/// Typed metadata: a `meta` atom with `hdlr` “mdta”, `keys` and `ilst` (QuickTime File Format, “Metadata
/// Atoms and Types”). In QuickTime files it is a plain container, without version and flags.
struct MetadataItems: Hashable, Sendable {
  /// One value of a key.
  struct Item: Hashable, Sendable {
    /// The key's name, reverse-DNS as a rule.
    var name: String
    /// Well-known type: 1 UTF-8, 21 signed, 22 unsigned, 23 float32, …
    var type: UInt32
    var locale: UInt32
    var value: [UInt8]
  }

  /// Ties the halves of a Live Photo.
  static let contentIdentifier = "com.apple.quicktime.content.identifier"
  /// When it was taken: ISO 8601 with the time zone.
  static let creationDate = "com.apple.quicktime.creationdate"
  /// Where it was taken: ISO 6709.
  static let location = "com.apple.quicktime.location.ISO6709"

  private(set) var items: [Item]

  /// The most bytes of all names together: any number of items can refer to one name.
  private static let largestNames = 64 << 20

  /// Reads a `meta` atom.
  ///
  /// - Returns: nil when it is not of this kind (an ISO FullBox with another handler, say).
  init?(_ meta: Atom) throws {
    let meta = try meta.takenApart()
    guard let handler = try meta.children.first, handler.kind == "hdlr",
      handler.bytes.dropFirst(8).prefix(4).elementsEqual("mdta".utf8)
    else { return nil }
    items = []
    guard let keys = try meta.first("keys"), let list = try meta.first("ilst")?.takenApart() else { return }
    let names = try Self.keys(keys).map(\.name)
    var left = Self.largestNames
    for entry in try list.children {
      let index = Int(entry.kind.rawValue)
      guard index >= 1, index <= names.count else { continue }
      for data in try entry.takenApart().all("data") {
        left -= names[index - 1].utf8.count
        guard left >= 0 else { throw MediaError("its metadata has impossibly long names") }
        var reader = BigEndianReader(data.bytes)
        items.append(
          Item(
            name: names[index - 1], type: try reader.uint32(), locale: try reader.uint32(),
            value: Array(try reader.read(reader.remaining))))
      }
    }
  }

  /// The text of a key's first value of type UTF-8.
  func text(_ name: String) -> String? {
    items.first { $0.name == name && $0.type == 1 }.map { String(decoding: $0.value, as: UTF8.self) }
  }

  /// How many keys of a `meta` atom have a name: once in a while one stands there twice.
  static func keyCount(of name: String, in meta: Atom) throws -> Int {
    try meta.takenApart().first("keys").map { try keys($0).count { $0.name == name } } ?? 0
  }

  /// The entries of a `keys` atom: their names, and all of their bytes.
  private static func keys(_ atom: Atom) throws -> [(name: String, bytes: [UInt8])] {
    try atom.entries(size: 8) {
      let size = Int(try $0.uint32())
      let namespace = try $0.read(4)
      let name = try $0.read(size - 8)
      return (String(decoding: name, as: UTF8.self), [UInt8](words: [size]) + namespace + name)
    }
  }

  /// A `meta` atom with another text for a key. Order, types and every other byte stay as they are.
  ///
  /// - Parameter meta: the atom to change; its key `name` is added when it is missing.
  static func replacing(_ meta: Atom, _ name: String, with text: String) throws -> Atom {
    try replacing(meta, name, type: 1, with: Array(text.utf8))
  }

  /// The same with a value of another type.
  ///
  /// - Parameters:
  ///   - type: the well-known type: 1 UTF-8, 23 float32.
  ///   - value: its bytes.
  static func replacing(_ meta: Atom, _ name: String, type: Int, with value: [UInt8]) throws -> Atom {
    var meta = try meta.takenApart()
    let table = try meta.first("keys") ?? Atom("keys", [UInt8](repeating: 0, count: 8))
    let keys = try keys(table)
    var places = keys.indices.filter { keys[$0].name == name }
    if places.isEmpty {
      places = [keys.count]
      let key = [UInt8](words: [8 + name.utf8.count]) + Array("mdta".utf8) + Array(name.utf8)
      let head = table.bytes.prefix(4) + [UInt8](words: [keys.count + 1])
      // Keys are known by their places, so the new one goes before what may lie behind those that are counted.
      let counted = keys.flatMap(\.bytes)
      try meta.put(Atom("keys", head + counted + key + table.bytes.dropFirst(8 + counted.count)))
    }
    var list = try (meta.first("ilst") ?? Atom("ilst", [])).takenApart()
    let data = Atom("data", [UInt8](words: [type, 0]) + value).serialized
    // A name may stand there twice: all of its values are the new one.
    var left = Set(places.map { FourCC(rawValue: UInt32(truncatingIfNeeded: $0 + 1)) })
    let first = FourCC(rawValue: UInt32(truncatingIfNeeded: places[0] + 1))
    try list.changeChildren { entries in
      for index in entries.indices where left.remove(entries[index].kind) != nil {
        entries[index].bytes = data
      }
      if left.contains(first) { entries.append(Atom(first, data)) }
    }
    try meta.put(list)
    return meta
  }

  /// Takes some keys out of a `meta` atom, with all of their values.
  ///
  /// - Parameters:
  ///   - meta: typed metadata; any other atom stays as it is.
  ///   - isGone: true for the name of such a key.
  /// - Returns: the names of the keys that are gone.
  static func remove(from meta: inout Atom, where isGone: (String) -> Bool) throws -> [String] {
    guard let items = try MetadataItems(meta)?.items else { return [] }
    let names = Set(items.map(\.name).filter(isGone))
    if !names.isEmpty { meta = try removing(names, from: meta) }
    return names.sorted()
  }

  /// A `meta` atom without some of its keys; those that stay keep their order and bytes.
  static func removing(_ gone: Set<String>, from meta: Atom) throws -> Atom {
    var meta = try meta.takenApart()
    guard let table = try meta.first("keys"), var list = try meta.first("ilst")?.takenApart() else {
      return meta
    }
    let keys = try keys(table)
    let kept = keys.indices.filter { !gone.contains(keys[$0].name) }
    let head = table.bytes.prefix(4) + [UInt8](words: [kept.count])
    try meta.put(Atom("keys", Array(head) + kept.flatMap { keys[$0].bytes }))
    let numbers = Dictionary(uniqueKeysWithValues: zip(kept, 1...))
    try list.changeChildren { items in
      items = items.compactMap { item in
        let index = Int(item.kind.rawValue) - 1
        guard keys.indices.contains(index) else { return item }
        return numbers[index].map { Atom(FourCC(rawValue: UInt32($0)), item.bytes) }
      }
    }
    try meta.put(list)
    return meta
  }
}
