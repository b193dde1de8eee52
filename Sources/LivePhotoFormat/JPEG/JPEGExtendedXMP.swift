/// Extended packets of XMP, cut into segments (XMP specification part 3, section 1.1.3.1): a GUID of 32 characters, which is
/// the MD5 of the packet, its total size, the offset of the segment's part, and that part.
extension JPEGParts {
  /// An extended packet.
  struct ExtendedPacket {
    /// Name by which the main packet calls it.
    let guid: String
    /// The parts that hold it, in file order.
    let indices: [Int]
    /// The packet; nil when a part of it is missing or there twice.
    let bytes: [UInt8]?
    /// Content, as far as it is there.
    let content: [UInt8]
  }

  /// Characters of a GUID, total size and offset.
  private static let head = 40

  /// The extended packets in the order of their first segments.
  var extendedPackets: [ExtendedPacket] {
    var guids: [String] = []
    var indicesByGUID: [String: [Int]] = [:]
    for index in indices(of: .extendedXMP) where list[index].content.count >= Self.head {
      let guid = String(decoding: list[index].content.prefix(32), as: UTF8.self)
      if indicesByGUID[guid] == nil { guids.append(guid) }
      indicesByGUID[guid, default: []].append(index)
    }
    return guids.map { guid in
      let indices = indicesByGUID[guid] ?? []
      let chunks = indices.map { index in
        (
          offset: number(index, at: 36), total: number(index, at: 32),
          data: list[index].content.dropFirst(Self.head)
        )
      }.sorted { $0.offset < $1.offset }
      var end = 0
      let isWhole = chunks.allSatisfy { chunk in
        defer { end += chunk.data.count }
        return chunk.offset == end && chunk.total == chunks[0].total
      }
      let content = chunks.flatMap(\.data)
      return ExtendedPacket(
        guid: guid, indices: indices, bytes: isWhole && end == chunks[0].total ? content : nil,
        content: content)
    }
  }

  private func number(_ index: Int, at place: Int) -> Int {
    ByteOrder.big.number(list[index].content, at: place, width: 4) ?? 0
  }

  /// The parts of an extended packet.
  ///
  /// - Parameters:
  ///   - bytes: the packet, of less than 4 GB.
  ///   - guid: its MD5, in 32 digits.
  static func extended(_ bytes: [UInt8], guid: String) -> [Part] {
    let room = JPEGMetadataKind.extendedXMP.room - head
    func four(_ number: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    return stride(from: 0, to: bytes.count, by: room).map { start in
      Part(
        marker: JPEGMetadataKind.extendedXMP.signature.marker, kind: .extendedXMP,
        content: Array(guid.utf8) + four(bytes.count) + four(start)
          + bytes[start..<min(start + room, bytes.count)])
    }
  }

  /// Puts parts before those that stand at some places.
  mutating func insert(_ parts: [Int: [Part]]) {
    guard !parts.isEmpty else { return }
    list = list.enumerated().flatMap { index, part in (parts[index] ?? []) + [part] }
  }
}
