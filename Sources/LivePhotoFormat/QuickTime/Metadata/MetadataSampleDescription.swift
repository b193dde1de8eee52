/// The sample description of a timed metadata track (`mebx`), which lists the keys used by the samples. QuickTime File
/// Format, “Timed Metadata Sample Descriptions” and “Metadata key table atom”.
struct MetadataSampleDescription: Hashable, Sendable {
  /// A key of a timed metadata track.
  struct Key: Hashable, Sendable {
    /// The number that samples use to refer to the key.
    var localID: UInt32
    /// The key's name, usually in reverse-DNS form.
    var name: String
    /// The complete key atom.
    var atom: Atom
  }

  var keys: [Key]
  /// The bytes before the key table: the description's size and format, the reserved bytes and the data reference
  /// index.
  private let head: [UInt8]
  /// The other atoms at the same level as the key table.
  private let others: [Atom]

  /// Reads the description of a track.
  ///
  /// - Returns: The description, or nil if the track has another format or more than one description.
  init?(stsd: Atom) throws {
    guard try stsd.sampleDescriptionCount == 1 else { return nil }
    var reader = BigEndianReader(stsd.bytes)
    try reader.skip(8)
    guard reader.remaining >= 16 else { return nil }
    let size = Int(try reader.uint32())
    guard try reader.fourCC() == "mebx" else { return nil }
    try reader.skip(8)
    let inside = try Atom.parseAll(reader.read(size - 16)).atoms
    head = Array(stsd.bytes[16..<24])
    others = inside.filter { $0.kind != "keys" }
    keys = []
    for table in inside where table.kind == "keys" {
      for atom in try table.takenApart().children {
        guard let declaration = try atom.takenApart().first("keyd") else { continue }
        keys.append(
          Key(
            localID: atom.kind.rawValue,
            name: String(decoding: declaration.bytes.dropFirst(4), as: UTF8.self), atom: atom))
      }
    }
  }

  /// The sample description atom, with the keys that remain.
  var stsd: Atom {
    let table = Atom("keys", keys.flatMap { $0.atom.serialized })
    let description = Atom("mebx", head + ([table] + others).flatMap(\.serialized))
    return Atom("stsd", [UInt8](words: [0, 1]) + description.serialized)
  }

  /// Splits a sample into its items. Each item consists of a 32-bit size, a 32-bit local key number and a payload.
  static func items(of sample: [UInt8]) throws -> [(localID: UInt32, payload: [UInt8])] {
    try Atom.parseAll(sample[...]).atoms.map { ($0.kind.rawValue, $0.bytes) }
  }

  /// Builds a sample from items.
  static func sample(of items: [(localID: UInt32, payload: [UInt8])]) -> [UInt8] {
    items.flatMap { Atom(FourCC(rawValue: $0.localID), $0.payload).serialized }
  }
}
