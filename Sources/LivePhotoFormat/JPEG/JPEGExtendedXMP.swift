/// Reads and writes extended XMP packets, which are split into segments (XMP specification part 3, section 1.1.3.1).
/// Each segment contains the packet's GUID (32 characters of MD5), the total size, and a part of the packet with its
/// offset.
extension JPEGParts {
  /// An extended XMP packet.
  struct ExtendedPacket {
    /// The GUID by which the main packet refers to the extended packet.
    let guid: String
    /// The indices of the parts that contain the packet, in file order.
    let indices: [Int]
    /// The complete packet, or nil if a part of the packet is missing or duplicated.
    let bytes: [UInt8]?
    /// The available content of the packet.
    let content: [UInt8]
  }

  /// The length in bytes of a segment's header: the GUID, the packet size and the offset.
  private static let head = 40

  /// The extended packets, in order of their first segments.
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

  /// Splits an extended packet into parts.
  ///
  /// - Parameters:
  ///   - bytes: The packet, which must be smaller than 4 GiB.
  ///   - guid: The packet's MD5 digest, written as 32 digits.
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

  /// Inserts new parts before the existing parts at given indices.
  mutating func insert(_ parts: [Int: [Part]]) {
    guard !parts.isEmpty else { return }
    list = list.enumerated().flatMap { index, part in (parts[index] ?? []) + [part] }
  }
}
