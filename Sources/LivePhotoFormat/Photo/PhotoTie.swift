import Basics
import EditModel

/// What ties a photo to its movie: the identifier in Apple's maker note. Nothing else of the photo is touched.
public enum PhotoTie {
  /// No real photo is larger; a bound on what is read into memory.
  public static let largestPhoto = 1 << 29

  /// Writes a photo with another identifier, or without one.
  ///
  /// - Parameters:
  ///   - identifier: an upper-case UUID; the maker note that holds it is made where there is none. nil takes the
  ///     identifier out.
  ///   - source: the photo, JPEG or HEIC.
  ///   - replacesNote: whether another maker's maker note gives way to Apple's.
  ///   - facts: what is added where the photo does not say it.
  ///   - sink: where the photo goes.
  /// - Returns: what it does not carry any more: another maker's note.
  /// - Throws: ``MediaError`` when it is neither, damaged, or has no place for an identifier.
  public static func write(
    _ identifier: String?, into source: any ByteSource, replacesNote: Bool = false,
    completing facts: CaptureFacts? = nil, to sink: any ByteSink
  ) throws -> [Removal] {
    switch try PhotoKind.detect(source) {
    case .jpeg:
      guard source.count <= largestPhoto else {
        throw MediaError("it is larger than \(largestPhoto >> 20) MB", isUnsupported: true)
      }
      return try write(
        identifier, intoJPEG: source.read(at: 0, count: source.count), replacesNote, facts, to: sink)
    case .heif: return try write(identifier, intoHEIF: source, replacesNote, facts, to: sink)
    case .other: throw MediaError("it is neither a JPEG nor a HEIC photo", remedy: "name a photo")
    }
  }

  private static func write(
    _ identifier: String?, intoJPEG bytes: [UInt8], _ replacesNote: Bool, _ facts: CaptureFacts?,
    to sink: any ByteSink
  ) throws -> [Removal] {
    let file = try JPEGFile(bytes)
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
      guard parts.indices(of: .exif).isEmpty else {
        throw MediaError(
          "its Exif block is damaged, so it cannot take the identifier of a Live Photo",
          remedy: "copy it again from where it came from")
      }
      parts.insertExif(try block(.identity, pending, facts))
    }
    try sink.write(parts.assembled())
    return removals
  }

  private static func write(
    _ identifier: String?, intoHEIF source: any ByteSource, _ replacesNote: Bool, _ facts: CaptureFacts?,
    to sink: any ByteSink
  ) throws -> [Removal] {
    let file = try HEIFFile(reading: source)
    var rewriter = HEIFRewriter(file, properties: file.properties)
    var removals: [Removal] = []
    if let item = file.exifItem {
      let data = try file.data(of: item, most: HEIFFile.largestMetadata, from: source)
      if var exif = HEIFExif(data) {
        removals = try exif.block.tie(to: identifier, replacesNote: replacesNote)
        if let facts { exif.block.complete(with: facts) }
        if exif.bytes != data { rewriter.replace(item, with: exif.bytes) }
      } else if identifier != nil {
        throw MediaError(
          "its Exif block is damaged, so it cannot take the identifier of a Live Photo",
          remedy: "copy it again from where it came from")
      }
    } else if let identifier {
      let block = try block(file.photoOrientation, identifier, facts)
      if let exif = TIFFBlock(exif: block).map({ HEIFExif(block: $0).bytes }) {
        try rewriter.add("Exif", exif, describing: file.primaryItem)
      }
    }
    try rewriter.write(from: source, to: sink)
    return removals
  }
}

extension PhotoTie {
  /// A new Exif block.
  private static func block(
    _ orientation: Orientation, _ identifier: String?, _ facts: CaptureFacts?
  ) throws -> [UInt8] {
    let bytes = TIFFBlock.minimal(orientation: orientation, contentIdentifier: identifier)
    guard let facts, var block = TIFFBlock(exif: bytes) else { return bytes }
    block.complete(with: facts)
    return block.bytes
  }
}

extension TIFFBlock {
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
