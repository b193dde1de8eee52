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

  private(set) var items: [Item]

  /// The most bytes of all names together: any number of items can refer to one name.
  private static let largestNames = 64 << 20

  /// Reads a `meta` atom.
  ///
  /// - Returns: nil when it is not of this kind (an ISO FullBox with another handler, say).
  init?(_ meta: Atom) throws {
    let (atoms, _) = try Atom.parseAll(meta.bytes[...])
    guard let handler = atoms.first, handler.kind == "hdlr", handler.bytes.count >= 12,
      Array(handler.bytes[8..<12]) == Array("mdta".utf8)
    else { return nil }
    guard let keys = atoms.first(where: { $0.kind == "keys" }),
      let list = atoms.first(where: { $0.kind == "ilst" })
    else {
      items = []
      return
    }
    let names = try Self.names(keys)
    items = []
    var left = Self.largestNames
    for entry in try Atom.parseAll(list.bytes[...]).atoms {
      let index = Int(entry.kind.rawValue)
      guard index >= 1, index <= names.count else { continue }
      for data in try Atom.parseAll(entry.bytes[...]).atoms where data.kind == "data" {
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

  private static func names(_ keys: Atom) throws -> [String] {
    try keys.entries(size: 8) {
      let size = Int(try $0.uint32())
      try $0.skip(4)
      return String(decoding: try $0.read(size - 8), as: UTF8.self)
    }
  }

  /// A `meta` atom with another text for a key. Order, types and every other byte stay as they are.
  ///
  /// - Parameters:
  ///   - meta: the atom to change; its key `name` is added when it is missing.
  ///   - name: the key.
  ///   - text: the new value.
  static func replacing(_ meta: Atom, _ name: String, with text: String) throws -> Atom {
    var (atoms, tail) = try Atom.parseAll(meta.bytes[...])
    let names = try atoms.first { $0.kind == "keys" }.map(Self.names) ?? []
    var data: [UInt8] = []
    data.append(bigEndian: UInt32(1))
    data.append(bigEndian: UInt32(0))
    data += Array(text.utf8)
    func put(_ atom: Atom) {
      if let index = atoms.firstIndex(where: { $0.kind == atom.kind }) {
        atoms[index] = atom
      } else {
        atoms.append(atom)
      }
    }

    let index: Int
    if let known = names.firstIndex(of: name) {
      index = known + 1
    } else {
      index = names.count + 1
      var keys = atoms.first { $0.kind == "keys" }?.bytes ?? [UInt8](repeating: 0, count: 8)
      keys.replace(at: 4, bigEndian: UInt32(truncatingIfNeeded: index))
      keys.append(bigEndian: UInt32(truncatingIfNeeded: 8 + name.utf8.count))
      keys.append("mdta" as FourCC)
      keys += Array(name.utf8)
      put(Atom("keys", keys))
    }

    let list = atoms.first { $0.kind == "ilst" }?.bytes ?? []
    var (entries, rest) = try Atom.parseAll(list[...])
    let entry = Atom(FourCC(rawValue: UInt32(truncatingIfNeeded: index)), Atom("data", data).serialized)
    if let at = entries.firstIndex(where: { $0.kind == entry.kind }) {
      entries[at] = entry
    } else {
      entries.append(entry)
    }
    put(Atom("ilst", entries.flatMap(\.serialized) + rest))
    return Atom("meta", atoms.flatMap(\.serialized) + tail)
  }

  /// A `meta` atom without some of its keys; those that stay keep their order and bytes.
  ///
  /// - Parameters:
  ///   - gone: names of keys.
  ///   - meta: the atom to change.
  static func removing(_ gone: Set<String>, from meta: Atom) throws -> Atom {
    var (atoms, tail) = try Atom.parseAll(meta.bytes[...])
    guard let keys = atoms.firstIndex(where: { $0.kind == "keys" }),
      let list = atoms.firstIndex(where: { $0.kind == "ilst" })
    else { return meta }
    let names = try names(atoms[keys])
    let kept = names.indices.filter { !gone.contains(names[$0]) }
    var table = Array(atoms[keys].bytes.prefix(4))
    table.append(bigEndian: UInt32(truncatingIfNeeded: kept.count))
    var reader = BigEndianReader(atoms[keys].bytes)
    try reader.skip(8)
    for index in names.indices {
      // Size, namespace and name as they are.
      let size = try reader.uint32()
      let key = try reader.read(Int(size) - 4)
      guard !gone.contains(names[index]) else { continue }
      table.append(bigEndian: size)
      table += key
    }
    atoms[keys] = Atom("keys", table)
    let (entries, rest) = try Atom.parseAll(atoms[list].bytes[...])
    var numbers = [Int?](repeating: nil, count: names.count)
    for (place, index) in kept.enumerated() { numbers[index] = place + 1 }
    let renumbered = entries.compactMap { entry -> Atom? in
      let index = Int(entry.kind.rawValue) - 1
      guard names.indices.contains(index) else { return entry }
      guard let number = numbers[index] else { return nil }
      return Atom(FourCC(rawValue: UInt32(truncatingIfNeeded: number)), entry.bytes)
    }
    atoms[list] = Atom("ilst", renumbered.flatMap(\.serialized) + rest)
    return Atom(meta.kind, atoms.flatMap(\.serialized) + tail)
  }
}
