/// The index of a multi-picture file (CIPA DC-007, APP2 “MPF”). The index contains the positions of the further
/// pictures.
struct MultiPicture: Sendable {
  /// The bytes before the TIFF block.
  static let signature: [UInt8] = [0x4D, 0x50, 0x46, 0x00]

  /// An entry in the MP index, as stored.
  struct Picture: Hashable, Sendable {
    /// The offset of the entry's sixteen bytes in the segment's payload.
    let entry: Int
    /// The size of the picture in bytes.
    let size: Int
    /// The offset of the picture from the TIFF header, or 0 for the first picture.
    let offset: Int
  }

  /// The pictures in the index, beginning with the primary picture.
  let pictures: [Picture]
  private let order: ByteOrder

  /// Reads a multi-picture index.
  ///
  /// - Parameter payload: The APP2 payload, including the signature.
  /// - Returns: nil if the index is damaged.
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

  /// Returns the ranges of the further pictures in a file.
  ///
  /// - Parameters:
  ///   - payloadStart: The offset of the segment's payload in the file.
  ///   - trailer: The range after the first picture. The part of a picture that lies outside this range is ignored.
  func ranges(payloadStart: Int, within trailer: Range<Int>) -> [Range<Int>] {
    pictures.filter { $0.offset > 0 }.map { picture in
      let start = payloadStart + 4 + picture.offset
      return (start..<start + picture.size).clamped(to: trailer)
    }.filter { !$0.isEmpty }
  }

  /// Returns the payload with sizes and offsets that are updated after a change in the first picture's length.
  ///
  /// - Parameters:
  ///   - payload: The payload from which the index was read.
  ///   - growth: The number of bytes by which the first picture grew.
  ///   - shift: The number of bytes by which the part of the first picture after the payload grew.
  func moved(_ payload: [UInt8], growth: Int, shift: Int) -> [UInt8] {
    placed(
      payload, pictures.map { $0.offset == 0 ? ($0.size + growth, 0) : ($0.size, $0.offset + shift) })
  }

  /// Returns the payload with new sizes and offsets for the first pictures in the index.
  ///
  /// - Parameters:
  ///   - payload: The payload from which the index was read.
  ///   - places: The size of each picture in bytes, and the picture's offset from the TIFF header. The first picture
  ///     has the offset 0.
  func placed(_ payload: [UInt8], _ places: [(size: Int, offset: Int)]) -> [UInt8] {
    var payload = payload
    for (picture, place) in zip(pictures, places) {
      payload.replaceSubrange(
        picture.entry + 4..<picture.entry + 12,
        with: order.bytes(of: place.size, width: 4) + order.bytes(of: place.offset, width: 4))
    }
    return payload
  }

  /// Returns the content of a multi-picture index, without the signature: the version, the number of pictures, and the
  /// picture entries. The first entry is marked as a baseline primary picture (CIPA DC-007 sections 5.2.2 and 5.2.3).
  static func index(of count: Int) -> [UInt8] {
    let big = ByteOrder.big
    // The TIFF header consists of “MM”, 42, and 8 as the offset of the directory. The directory has three entries and
    // is not followed by another directory. The picture entries are at offset 50.
    var bytes: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 3]
    bytes += big.entry(0xB000, type: 7, count: 4, value: Array("0100".utf8))
    bytes += big.entry(0xB001, type: 4, count: 1, value: big.bytes(of: count, width: 4))
    bytes += big.entry(0xB002, type: 7, count: 16 * count, value: [0, 0, 0, 50])
    return bytes + [0, 0, 0, 0] + [0, 3, 0, 0] + [UInt8](repeating: 0, count: 16 * count - 4)
  }
}
