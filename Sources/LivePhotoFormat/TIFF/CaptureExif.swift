import EditModel

extension Photo {
  /// Returns an Exif block for an upright, unpaired picture made from the photo. The block states the photo's date,
  /// location, camera, exposure and author. The block does not contain any other data, such as a thumbnail or a maker
  /// note.
  ///
  /// - Returns: nil if the photo does not contain any of these facts.
  /// - Throws: ``MediaError`` if the file is not a photo or is damaged.
  package func captureExif() throws -> [UInt8]? {
    TIFFBlock.capture(CaptureFacts(try metadata()), from: try container.exif())
  }
}

extension CaptureFacts {
  /// An Exif block that contains these facts, or nil if all facts are unknown.
  package var exif: [UInt8]? { TIFFBlock.capture(self, from: nil) }
}

extension TIFFBlock {
  /// The tags for description, artist and copyright.
  private static let mainTags = [0x010E, 0x013B, 0x8298]
  /// The tags for exposure time, f-number, exposure program, sensitivity, exposure bias, metering, flash, focal length,
  /// white balance, focal length in 35 mm film, and the lens's specification, maker and model.
  private static let exposureTags = [
    0x829A, 0x829D, 0x8822, 0x8827, 0x9204, 0x9207, 0x9209, 0x920A, 0xA403, 0xA405, 0xA432, 0xA433, 0xA434,
  ]
  /// The maximum size in bytes of a value that is copied.
  private static let longestValue = 4096

  /// Returns a new Exif block with capture facts, exposure and author.
  ///
  /// - Parameters:
  ///   - facts: The capture facts to write into the block.
  ///   - old: The block from which the exposure and author data is copied.
  /// - Returns: nil if the block would be empty.
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

  /// Returns the bytes of an entry's values, converted to the given byte order.
  func value(of entry: Entry, in order: ByteOrder) -> [UInt8]? {
    guard let range = entry.value, let size = Self.size(ofType: entry.type) else { return nil }
    let data = Array(bytes[range])
    guard order != self.order else { return data }
    // A fraction consists of two numbers.
    let width = entry.type == 5 || entry.type == 10 ? 4 : size
    return stride(from: 0, to: data.count, by: width).flatMap {
      data[$0..<min($0 + width, data.count)].reversed()
    }
  }
}
