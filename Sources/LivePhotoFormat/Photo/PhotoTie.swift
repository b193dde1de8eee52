import Basics
import EditModel

/// The identifier in Apple's maker note that ties a photo to its movie, and what comes with it.
struct PhotoTie {
  /// An upper-case UUID; nil takes the identifier out.
  let identifier: String?
  /// True if another maker's maker note gives way to Apple's.
  let replacesNote: Bool
  /// The facts that are added where the photo does not say them.
  let facts: CaptureFacts?
  /// The metadata of the photo that the photo was made of, which are added where it does not say them.
  var original: OriginalMetadata?

  static let damagedExif = MediaError(
    "its Exif block is damaged, so it cannot take the identifier of a Live Photo",
    remedy: "copy it again from where it came from")

  private static let keptIdentifier = MediaError(
    "its Exif block is damaged, so the identifier of a Live Photo cannot be taken out of it",
    remedy: "copy it again from where it came from")

  /// An Exif block for a photo that has none.
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

  /// Ties the photo of an Exif block.
  ///
  /// - Returns: another maker's note, if it gave way.
  func apply(to block: inout TIFFBlock) throws -> [Removal] {
    var isForeign = false
    if let identifier {
      isForeign = replacesNote && block.removeForeignMakerNote()
      if let old = original?.exif { block.complete(with: old) }
      try block.setContentIdentifier(identifier)
    } else {
      block.removeContentIdentifier()
      // Parts of a damaged block may lie over each other.
      guard block.contentIdentifier == nil else { throw Self.keptIdentifier }
    }
    if let facts { block.complete(with: facts) }
    return isForeign
      ? [Removal(half: .photo, name: "MakerNote", reason: "stands where a Live Photo's identifier must be")]
      : []
  }
}

extension Photo {
  /// Writes the photo with another identifier, or without one. Nothing else of it is touched.
  ///
  /// - Parameters:
  ///   - identifier: an upper-case UUID; the maker note that holds it is made where there is none. nil takes the
  ///     identifier out.
  ///   - replacesNote: whether another maker's maker note gives way to Apple's.
  ///   - facts: what is added where the photo does not say it.
  /// - Returns: what it does not carry any more: another maker's note, C2PA's manifests.
  /// - Throws: ``MediaError`` when it is no photo, damaged, or has no place for an identifier.
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
    // One block takes the identifier; it is taken out of all.
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
