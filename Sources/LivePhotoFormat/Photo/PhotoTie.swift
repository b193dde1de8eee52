import Basics
import EditModel

/// The pairing of a photo with a movie: the identifier in Apple's maker note, and related changes.
struct PhotoTie {
  /// An uppercase UUID, or nil to remove the identifier.
  let identifier: String?
  /// Whether Apple's maker note may replace another manufacturer's maker note.
  let replacesNote: Bool
  /// The capture facts that are added to the photo if they are missing.
  let facts: CaptureFacts?
  /// The metadata of the original photo, used to fill in missing metadata.
  var original: OriginalMetadata?

  static let damagedExif = MediaError(
    "the Exif block is damaged, so no Live Photo identifier can be written to it",
    remedy: "copy the file from its source again")

  private static let keptIdentifier = MediaError(
    "the Exif block is damaged, so the Live Photo identifier cannot be removed from it",
    remedy: "copy the file from its source again")

  /// Creates an Exif block for a photo that has no Exif block.
  func newBlock(for picture: ExifPicture, _ orientation: Orientation) throws -> TIFFBlock {
    guard let old = original?.exif else {
      var block = TIFFBlock.made(for: picture, orientation: orientation, contentIdentifier: identifier)
      if let facts { block.complete(with: facts) }
      return block
    }
    var block = TIFFBlock.blank(orientation: orientation)
    block.complete(with: old)
    block.complete(describing: picture)
    if let identifier { try block.setContentIdentifier(identifier) }
    if let facts { block.complete(with: facts) }
    return block
  }

  /// Applies the pairing to a photo's Exif block.
  ///
  /// - Returns: Another manufacturer's maker note, if that maker note was replaced.
  func apply(to block: inout TIFFBlock) throws -> [Removal] {
    var isForeign = false
    if let identifier {
      isForeign = replacesNote && block.removeForeignMakerNote()
      if let old = original?.exif { block.complete(with: old) }
      try block.setContentIdentifier(identifier)
    } else {
      block.removeContentIdentifier()
      // The check is necessary because parts of a damaged block may overlap.
      guard block.contentIdentifier == nil else { throw Self.keptIdentifier }
    }
    if let facts { block.complete(with: facts) }
    return isForeign
      ? [Removal(half: .photo, name: "MakerNote", reason: "occupies the field for the Live Photo identifier")]
      : []
  }
}

extension Photo {
  /// Writes the photo with a new identifier or without an identifier. Except for missing capture facts, nothing else
  /// changes.
  ///
  /// - Parameters:
  ///   - identifier: An uppercase UUID, or nil to remove the identifier. If the photo has no maker note that can
  ///     contain the identifier, a maker note is created.
  ///   - replacesNote: Whether Apple's maker note may replace another manufacturer's maker note.
  ///   - facts: The capture facts to add if they are missing from the photo.
  /// - Returns: The parts that were not copied: another manufacturer's maker note, and C2PA manifests.
  /// - Throws: ``MediaError`` if the file is not a photo, if it is damaged, or if it cannot contain an identifier.
  package func write(
    tiedBy identifier: String?, replacesNote: Bool = false, completing facts: CaptureFacts? = nil,
    to sink: any ByteSink
  ) throws -> [Removal] {
    try container.write(
      PhotoTie(identifier: identifier, replacesNote: replacesNote, facts: facts), to: sink)
  }
}

extension JPEGHeader {
  func write(_ tie: PhotoTie, to sink: any ByteSink) throws -> [Removal] {
    var parts = JPEGParts(try wholeFile())
    var isPending = true
    var removals = parts.removeManifests()
    // A new identifier is written to a single block, but an identifier is removed from all blocks.
    let picture = parts.exifPicture
    for index in parts.indices(of: .exif) where isPending || tie.identifier == nil {
      guard var block = TIFFBlock(exif: parts.list[index].content) else { continue }
      removals += try block.change(describing: picture) { try tie.apply(to: &$0) }
      isPending = false
      parts.setContent(block.bytes, at: index)
    }
    if isPending, tie.identifier != nil {
      guard parts.indices(of: .exif).isEmpty else { throw PhotoTie.damagedExif }
      parts.insertExif(try tie.newBlock(for: picture, .identity).bytes)
    }
    if let original = tie.original { removals += try parts.complete(with: original) }
    if try announcesMovie(), try !isMotionPhoto(), try parts.removeMotionPhoto() {
      removals.append(MotionPhoto.lostMovieRemoval)
    }
    try sink.write(parts.assembled())
    return removals
  }
}

extension HEIFFile {
  func write(_ tie: PhotoTie, to sink: any ByteSink) throws -> [Removal] {
    var composition = HEIFComposition(self)
    var removals = try composition.removeManifests()
    if let item = exifItem {
      let data = try data(of: item)
      if var exif = HEIFExif(data) {
        removals += try exif.block.change(describing: exifPicture) { try tie.apply(to: &$0) }
        if exif.bytes != data { composition.replace(item, with: exif.bytes) }
      } else if tie.identifier != nil {
        throw PhotoTie.damagedExif
      }
    } else if tie.identifier != nil {
      let exif = HEIFExif(block: try tie.newBlock(for: exifPicture, photoOrientation))
      try composition.add("Exif", exif.bytes, describing: primaryItem)
    }
    if try announcesMovie(), try !isMotionPhoto(), try composition.removeMotionPhoto() {
      removals.append(MotionPhoto.lostMovieRemoval)
    }
    try composition.writeInPlace(to: sink)
    return removals
  }
}
