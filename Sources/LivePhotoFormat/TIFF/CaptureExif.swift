import EditModel

extension Photo {
  /// The Exif block for a picture made of the photo, which is upright and tied to nothing: when, where and with which
  /// camera it was taken, how it was exposed, and who made it. Nothing else is in it, such as a thumbnail or a maker note.
  ///
  /// - Returns: nil when the photo says nothing of these.
  /// - Throws: ``MediaError`` when it is no photo or damaged.
  package func captureExif() throws -> [UInt8]? {
    TIFFBlock.capture(CaptureFacts(try metadata()), from: try container.exif())
  }
}

extension CaptureFacts {
  /// An Exif block that says these facts; nil when none is known.
  package var exif: [UInt8]? { TIFFBlock.capture(self, from: nil) }
}

extension TIFFBlock {
  /// Description, artist and copyright.
  private static let mainTags = [0x010E, 0x013B, 0x8298]
  /// Exposure time, f-number, program, sensitivity, bias, metering, flash, focal length, white balance, focal length in
  /// 35 mm film, and the lens: its specification, maker and model.
  private static let exposureTags = [
    0x829A, 0x829D, 0x8822, 0x8827, 0x9204, 0x9207, 0x9209, 0x920A, 0xA403, 0xA405, 0xA432, 0xA433, 0xA434,
  ]
  /// No value of these tags that is carried over is longer.
  private static let longestValue = 4096

  /// A new block.
  ///
  /// - Parameters:
  ///   - facts: what it says.
  ///   - old: the block from which exposure and maker are taken.
  /// - Returns: nil when it would be empty.
  fileprivate static func capture(_ facts: CaptureFacts, from old: TIFFBlock?) -> [UInt8]? {
    let empty = blank(orientation: .identity)
    var block = empty
    block.complete(with: facts)
    if let old {
      for (directory, tags) in [(Directory.main, mainTags), (.exif, exposureTags)] {
        for tag in tags {
          guard let entry = old.listing(directory)?.entry(tag),
            let data = old.value(of: entry, in: block.order),
            data.count <= longestValue, block.makeDirectory(directory)
          else { continue }
          _ = block.set(tag, type: entry.type, count: entry.count, data: data, in: directory)
        }
      }
    }
    return block.bytes == empty.bytes ? nil : block.bytes
  }

  /// The bytes of an entry's values in another byte order.
  func value(of entry: Entry, in order: ByteOrder) -> [UInt8]? {
    guard let range = entry.value, let size = Self.size(ofType: entry.type) else { return nil }
    let data = Array(bytes[range])
    guard order != self.order else { return data }
    // Fractions are two numbers each.
    let width = entry.type == 5 || entry.type == 10 ? 4 : size
    return stride(from: 0, to: data.count, by: width).flatMap {
      data[$0..<min($0 + width, data.count)].reversed()
    }
  }
}
