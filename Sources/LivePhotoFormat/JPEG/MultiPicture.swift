/// The index of a multi-picture file (CIPA DC-007, APP2 “MPF”): where the further pictures behind the first
/// one stand.
struct MultiPicture: Sendable {
  /// The bytes before the TIFF block.
  static let signature: [UInt8] = [0x4D, 0x50, 0x46, 0x00]

  /// The entries of the MP index, as stored.
  struct Picture: Hashable, Sendable {
    /// Where its sixteen bytes stand in the segment's payload.
    let entry: Int
    /// Size in bytes.
    let size: Int
    /// Position from the TIFF header; 0 for the first picture.
    let offset: Int
  }

  /// The pictures, the primary one first.
  let pictures: [Picture]
  private let order: ByteOrder

  /// - Parameter payload: the APP2 payload, signature included.
  /// - Returns: nil when it is damaged.
  init?(_ payload: [UInt8]) {
    guard payload.starts(with: Self.signature), let block = TIFFBlock(exif: Array(payload.dropFirst(4))),
      let entries = block.listing(.main)?.entry(0xB002)?.value
    else { return nil }
    order = block.order
    let order = block.order
    pictures = stride(from: entries.lowerBound + 4, through: entries.upperBound + 4 - 16, by: 16).compactMap {
      at in
      guard let size = order.number(payload, at: at + 4, width: 4),
        let offset = order.number(payload, at: at + 8, width: 4)
      else { return nil }
      return Picture(entry: at, size: size, offset: offset)
    }
  }

  /// Where the further pictures stand in a file.
  ///
  /// - Parameters:
  ///   - payloadStart: where the segment's payload stands.
  ///   - trailer: what follows the first picture; nothing outside it counts.
  func ranges(payloadStart: Int, within trailer: Range<Int>) -> [Range<Int>] {
    pictures.filter { $0.offset > 0 }.map { picture in
      let start = payloadStart + 4 + picture.offset
      return (start..<start + picture.size).clamped(to: trailer)
    }.filter { !$0.isEmpty }
  }

  /// The payload with sizes and positions for a first picture that became longer.
  ///
  /// - Parameters:
  ///   - payload: the payload that this was read from.
  ///   - growth: how many bytes the whole first picture grew.
  ///   - shift: how many bytes the part of it behind this payload grew.
  func moved(_ payload: [UInt8], growth: Int, shift: Int) -> [UInt8] {
    placed(
      payload, pictures.map { $0.offset == 0 ? ($0.size + growth, 0) : ($0.size, $0.offset + shift) })
  }

  /// The payload with other sizes and positions of its first pictures.
  ///
  /// - Parameters:
  ///   - payload: the payload that this was read from.
  ///   - places: bytes of each picture, and where it begins, counted from the TIFF header; 0 for the first.
  func placed(_ payload: [UInt8], _ places: [(size: Int, offset: Int)]) -> [UInt8] {
    var payload = payload
    for (picture, place) in zip(pictures, places) {
      payload.replaceSubrange(
        picture.entry + 4..<picture.entry + 12,
        with: order.bytes(of: place.size, width: 4) + order.bytes(of: place.offset, width: 4))
    }
    return payload
  }

  /// An index of some pictures, behind the signature: version, how many, and their entries, the first one marked as a
  /// baseline primary picture (CIPA DC-007 sections 5.2.2 and 5.2.3).
  static func index(of count: Int) -> [UInt8] {
    let big = ByteOrder.big
    // MM, 42, the directory at 8, its three entries, no next one; the pictures at 50.
    var bytes: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 3]
    bytes += big.entry(0xB000, type: 7, count: 4, value: Array("0100".utf8))
    bytes += big.entry(0xB001, type: 4, count: 1, value: big.bytes(of: count, width: 4))
    bytes += big.entry(0xB002, type: 7, count: 16 * count, value: [0, 0, 0, 50])
    return bytes + [0, 0, 0, 0] + [0, 3, 0, 0] + [UInt8](repeating: 0, count: 16 * count - 4)
  }
}
