import Basics
import EditModel

/// The identifier in Apple's maker note that ties a photo to its movie. Nothing else of the photo is touched.
extension Photo {
  private static let damagedExif = MediaError(
    "its Exif block is damaged, so it cannot take the identifier of a Live Photo",
    remedy: "copy it again from where it came from")

  /// Writes the photo with another identifier, or without one.
  ///
  /// - Parameters:
  ///   - identifier: an upper-case UUID; the maker note that holds it is made where there is none. nil takes the
  ///     identifier out.
  ///   - replacesNote: whether another maker's maker note gives way to Apple's.
  ///   - facts: what is added where the photo does not say it.
  ///   - sink: where the photo goes.
  /// - Returns: what it does not carry any more: another maker's note.
  /// - Throws: ``MediaError`` when it is no photo, damaged, or has no place for an identifier.
  package func write(
    tiedBy identifier: String?, replacesNote: Bool = false, completing facts: CaptureFacts? = nil,
    to sink: any ByteSink
  ) throws -> [Removal] {
    switch try container {
    case .jpeg(let header):
      return try write(wholeJPEG(header), tiedBy: identifier, replacesNote, facts, to: sink)
    case .heif(let file): return try write(file, tiedBy: identifier, replacesNote, facts, to: sink)
    }
  }

  private func write(
    _ file: JPEGFile, tiedBy identifier: String?, _ replacesNote: Bool, _ facts: CaptureFacts?,
    to sink: any ByteSink
  ) throws -> [Removal] {
    var parts = JPEGParts(file)
    var pending = identifier
    var removals: [Removal] = []
    for index in parts.indices(of: .exif) {
      guard var block = TIFFBlock(exif: parts.list[index].content) else { continue }
      guard identifier == nil || pending != nil else { break }
      removals += try block.tie(to: pending, replacesNote: replacesNote)
      if let facts { block.complete(with: facts) }
      pending = nil
      parts.setContent(block.bytes, at: index)
    }
    if pending != nil {
      guard parts.indices(of: .exif).isEmpty else { throw Self.damagedExif }
      parts.insertExif(TIFFBlock.new(.identity, pending, facts).bytes)
    }
    try sink.write(parts.assembled())
    return removals
  }

  private func write(
    _ file: HEIFFile, tiedBy identifier: String?, _ replacesNote: Bool, _ facts: CaptureFacts?,
    to sink: any ByteSink
  ) throws -> [Removal] {
    var composition = HEIFComposition(file)
    var removals: [Removal] = []
    if let item = file.exifItem {
      let data = try file.data(of: item, most: HEIFFile.largestMetadata, from: source)
      if var exif = HEIFExif(data) {
        removals = try exif.block.tie(to: identifier, replacesNote: replacesNote)
        if let facts { exif.block.complete(with: facts) }
        if exif.bytes != data { composition.replace(item, with: exif.bytes) }
      } else if identifier != nil {
        throw Self.damagedExif
      }
    } else if let identifier {
      let block = TIFFBlock.new(file.photoOrientation, identifier, facts)
      try composition.add("Exif", HEIFExif(block: block).bytes, describing: file.primaryItem)
    }
    try composition.writeInPlace(from: source, to: sink)
    return removals
  }
}

extension TIFFBlock {
  /// A block with an orientation, an identifier and the facts of a capture.
  fileprivate static func new(
    _ orientation: Orientation, _ identifier: String?, _ facts: CaptureFacts?
  ) -> TIFFBlock {
    var block = minimal(orientation: orientation, contentIdentifier: identifier)
    if let facts { block.complete(with: facts) }
    return block
  }

  /// Sets or takes out the identifier.
  ///
  /// - Returns: another maker's note, if it gave way.
  fileprivate mutating func tie(to identifier: String?, replacesNote: Bool) throws -> [Removal] {
    guard let identifier else {
      removeContentIdentifier()
      return []
    }
    let isForeign = replacesNote && removeForeignMakerNote()
    try setContentIdentifier(identifier)
    return isForeign
      ? [Removal(half: .photo, name: "MakerNote", reason: "stands where a Live Photo's identifier must be")]
      : []
  }
}

extension JPEGParts {
  /// Puts an Exif block first; JFIF insists on the first place.
  mutating func insertExif(_ content: [UInt8]) {
    var part = Part(marker: 0xE1, kind: .exif, segments: [], content: content)
    part.isChanged = true
    let place = list.firstIndex { $0.kind != .jfif && $0.kind != .jfxx } ?? list.count
    list.insert(part, at: place)
  }
}
