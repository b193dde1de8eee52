import Basics

extension Atom {
  /// The maximum number of sample descriptions. Real files have only a few sample descriptions.
  private static let mostDescriptions = 256

  /// The number of descriptions that an `stsd` atom declares. The value is at least 1.
  var sampleDescriptionCount: Int {
    get throws {
      var reader = BigEndianReader(bytes)
      try reader.skip(4)
      let count = Int(try reader.uint32())
      guard count <= Self.mostDescriptions else {
        throw MediaError(
          "a track has more than \(Self.mostDescriptions) sample descriptions", isUnsupported: true)
      }
      return max(1, count)
    }
  }

  /// Reduces each track in a `moov` atom to a single sample description if all samples of the track are of the same
  /// kind. Programs that cut and join movies leave unused or duplicate descriptions in the table (QuickTime File
  /// Format, “Sample Description Atoms” and “Sample-to-Chunk Atoms”).
  mutating func uniteSampleDescriptions() throws {
    try changeAll("trak") { trak in
      guard let table = try trak.first("mdia", "minf", "stbl"), let stsd = try table.first("stsd"),
        let stsc = try table.first("stsc")
      else { return }
      let count = try stsd.sampleDescriptionCount
      guard count > 1 else { return }
      var reader = BigEndianReader(stsd.bytes)
      try reader.skip(8)
      var descriptions: [[UInt8]] = []
      for _ in 0..<count {
        var peek = reader
        let size = Int(try peek.uint32())
        guard size >= 16, size <= reader.remaining else { return }
        descriptions.append(Array(try reader.read(size)))
      }
      let used = Set(
        try stsc.entries(size: 12) { reader in
          try reader.skip(8)
          return Int(try reader.uint32())
        })
      guard used.allSatisfy({ 1...count ~= $0 }) else { return }
      let kinds = Set(used.map { descriptions[$0 - 1] })
      guard kinds.count <= 1 else { return }
      let description = kinds.first ?? descriptions[0]
      try trak.update("mdia", "minf", "stbl", "stsd") {
        $0.bytes = $0.bytes[..<4] + [0, 0, 0, 1] + description
      }
      try trak.update("mdia", "minf", "stbl", "stsc") { stsc in
        var bytes = stsc.bytes
        for at in stride(from: 16, through: bytes.count - 4, by: 12) {
          bytes.replace(at: at, bigEndian: UInt32(1))
        }
        stsc.bytes = bytes
      }
    }
  }
}
