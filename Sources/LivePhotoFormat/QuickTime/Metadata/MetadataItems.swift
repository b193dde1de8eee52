import Basics

/// Typed metadata: a `meta` atom with `hdlr` “mdta”, `keys` and `ilst` (QuickTime File Format, “Metadata Atoms and
/// Types”). In QuickTime files, the `meta` atom is a plain container without version and flags.
struct MetadataItems: Hashable, Sendable {
  /// A value stored under a key.
  struct Item: Hashable, Sendable {
    /// The key's name, usually in reverse-DNS form.
    var name: String
    /// The well-known type: 1 UTF-8, 21 signed, 22 unsigned, 23 float32, …
    var type: UInt32
    var locale: UInt32
    var value: [UInt8]
  }

  /// The key for the identifier that pairs the photo and movie of a Live Photo.
  static let contentIdentifier = "com.apple.quicktime.content.identifier"
  /// The key for the capture date, in ISO 8601 format with the time zone.
  static let creationDate = "com.apple.quicktime.creationdate"
  /// The key for the capture location, in ISO 6709 format.
  static let location = "com.apple.quicktime.location.ISO6709"

  private(set) var items: [Item]

  /// The maximum total size of the items' names in bytes. The limit is needed because any number of items can refer to
  /// the same name.
  private static let largestNames = 64 << 20

  /// Reads a `meta` atom.
  ///
  /// - Returns: The metadata, or nil if the atom is of another kind, such as an ISO FullBox with another handler.
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
        guard left >= 0 else { throw MediaError("the metadata contains impossibly long names") }
        var reader = BigEndianReader(data.bytes)
        items.append(
          Item(
            name: names[index - 1], type: try reader.uint32(), locale: try reader.uint32(),
            value: Array(try reader.read(reader.remaining))))
      }
    }
  }

  /// Returns the text of a key's first UTF-8 value.
  func text(_ name: String) -> String? {
    items.first { $0.name == name && $0.type == 1 }.map { String(decoding: $0.value, as: UTF8.self) }
  }

  /// Returns the number of keys with a given name in a `meta` atom. In rare cases, a name occurs twice.
  static func keyCount(of name: String, in meta: Atom) throws -> Int {
    try meta.takenApart().first("keys").map { try keys($0).count { $0.name == name } } ?? 0
  }

  /// Reads the entries of a `keys` atom. Each entry is returned as its name and its complete bytes.
  private static func keys(_ atom: Atom) throws -> [(name: String, bytes: [UInt8])] {
    try atom.entries(size: 8) {
      let size = Int(try $0.uint32())
      let namespace = try $0.read(4)
      let name = try $0.read(size - 8)
      return (String(decoding: name, as: UTF8.self), [UInt8](words: [size]) + namespace + name)
    }
  }

  /// Replaces the text of a key and returns the new `meta` atom. The order, the types and all other bytes do not
  /// change.
  ///
  /// - Parameter meta: The atom to change. If the key `name` is missing, the key is added.
  static func replacing(_ meta: Atom, _ name: String, with text: String) throws -> Atom {
    try replacing(meta, name, type: 1, with: Array(text.utf8))
  }

  /// Replaces the value of a key with a value of any type and returns the new `meta` atom.
  ///
  /// - Parameters:
  ///   - type: The well-known type, such as 1 for UTF-8 or 23 for float32.
  ///   - value: The bytes of the value.
  static func replacing(_ meta: Atom, _ name: String, type: Int, with value: [UInt8]) throws -> Atom {
    var meta = try meta.takenApart()
    let table = try meta.first("keys") ?? Atom("keys", [UInt8](repeating: 0, count: 8))
    let keys = try keys(table)
    var places = keys.indices.filter { keys[$0].name == name }
    if places.isEmpty {
      places = [keys.count]
      let key = [UInt8](words: [8 + name.utf8.count]) + Array("mdta".utf8) + Array(name.utf8)
      let head = table.bytes.prefix(4) + [UInt8](words: [keys.count + 1])
      // Values refer to keys by index, so the new key must be inserted directly after the counted keys, before any
      // trailing bytes.
      let counted = keys.flatMap(\.bytes)
      try meta.put(Atom("keys", head + counted + key + table.bytes.dropFirst(8 + counted.count)))
    }
    var list = try (meta.first("ilst") ?? Atom("ilst", [])).takenApart()
    let data = Atom("data", [UInt8](words: [type, 0]) + value).serialized
    // If a name occurs twice, the values of both keys are replaced.
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

  /// Removes keys and all of their values from a `meta` atom.
  ///
  /// - Parameters:
  ///   - meta: A `meta` atom that contains typed metadata. Any other atom does not change.
  ///   - isGone: A function that returns whether the key with a given name is removed.
  /// - Returns: The names of the removed keys.
  static func remove(from meta: inout Atom, where isGone: (String) -> Bool) throws -> [String] {
    guard let items = try MetadataItems(meta)?.items else { return [] }
    let names = Set(items.map(\.name).filter(isGone))
    if !names.isEmpty { meta = try removing(names, from: meta) }
    return names.sorted()
  }

  /// Removes the given keys and returns the new `meta` atom. The remaining keys keep their order and bytes.
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
