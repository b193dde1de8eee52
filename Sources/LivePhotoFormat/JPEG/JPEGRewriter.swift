import Basics
import EditModel

/// The changes to a JPEG's segments, organised by kind of metadata.
struct JPEGRewriter: Sendable {
  /// The segments, including the changes made so far.
  var parts: JPEGParts
  /// The change to the picture.
  let change: PictureChange
  /// The items after the picture that the directories list.
  let listing: JPEGListing
  /// The positions of the edited maps after the new picture.
  var kept: [JPEGListing.Kept] = []
  /// The edited depth maps in XMP, or nil if depth maps are not edited.
  let depth: [JPEGMap]?
  /// Whether the original contained depth maps in XMP.
  let hadDepth: Bool
  /// Whether a movie remains after the picture. If so, the metadata that announces the movie is kept too.
  var holdsMovie = false
  /// The MD5 function that computes the GUIDs of extended packets.
  let md5: (@Sendable ([UInt8]) -> [UInt8])?
  /// The names of the XMP depth pictures that have already been placed in a packet.
  var placedDepth: Set<String> = []
  /// The metadata that has been removed so far.
  private(set) var removals: [Removal] = []
  private var named: Set<String> = []

  /// The reason given when metadata is removed because it has become too large.
  static let noRoom: Message = "has become too large for a JPEG segment"
  /// The reason given when metadata between scans is removed.
  static let unread: Message = "is stored where no reader looks for it"

  /// Creates a rewriter for the segments of a file.
  ///
  /// - Parameters: See
  ///   ``JPEGSurgery/rewritten(image:transform:projection:orientation:identifier:thumbnail:maps:depth:md5:)``.
  /// - Throws: ``MediaError`` if the XMP lists too many pictures.
  init(
    parts: JPEGParts, change: PictureChange, depth: [JPEGMap]? = nil,
    md5: (@Sendable ([UInt8]) -> [UInt8])? = nil
  ) throws {
    (self.parts, self.change, self.depth, self.md5) = (parts, change, depth, md5)
    listing = try parts.listing()
    hadDepth = try depth != nil && !parts.depthInXMP.isEmpty
  }

  /// Records the names of removed metadata. Each name is recorded only once.
  mutating func name(_ names: [String], _ reason: Message) {
    for name in names where named.insert(name).inserted {
      removals.append(Removal(half: .photo, name: name, reason: reason))
    }
  }

  /// The name under which removals of metadata between scans are reported.
  static let betweenScans = "metadata between scans"

  /// Removes manifests that sign the original file.
  mutating func removeManifests() { removals += parts.removeManifests() }

  /// Records that the metadata between scans is removed together with the replaced picture. Comments are kept.
  mutating func nameMetadataBetweenScans() {
    guard change.isNewPicture, parts.file.laterMetadata.contains(where: { $0.marker != 0xFE }) else { return }
    name([Self.betweenScans], Self.unread)
  }

  /// Updates the orientation, sizes, positions, thumbnail and identifier in Exif.
  mutating func rewriteExif(identifier: String?, thumbnail: [UInt8]?) throws {
    var pending = identifier
    for index in parts.indices(of: .exif) {
      guard let block = TIFFBlock(exif: parts.list[index].content) else { continue }
      var attempt = try rewritten(block, identifier: pending, thumbnail: thumbnail)
      let isTooLarge = attempt.block.bytes.count > parts.list[index].limit
      if isTooLarge {
        attempt = try rewritten(block, identifier: pending, thumbnail: nil, dropsThumbnail: true)
      }
      guard attempt.block.bytes.count <= parts.list[index].limit else {
        throw MediaError(
          "the Exif block has no room for a Live Photo identifier", isUnsupported: true)
      }
      parts.setContent(attempt.block.bytes, at: index)
      name(attempt.places, PictureChange.places)
      name(attempt.previews, PictureChange.stale)
      if attempt.lostThumbnail { name(["ThumbnailImage"], isTooLarge ? Self.noRoom : PictureChange.stale) }
      pending = nil
    }
    let saysOrientation =
      change.orientation == .identity
      || parts.exifBlocks.first?.orientation == change.orientation
    guard pending != nil || !saysOrientation else { return }
    guard parts.indices(of: .exif).isEmpty else {
      throw MediaError(
        pending == nil
          ? "the Exif block is damaged, so no orientation can be written to it"
          : "the Exif block is damaged, so no Live Photo identifier can be written to it",
        remedy: "copy the file from the phone again")
    }
    let block = TIFFBlock.made(
      for: parts.exifPicture(of: change.new), orientation: change.orientation, contentIdentifier: pending)
    parts.insertExif(block.bytes)
  }

  private func rewritten(
    _ original: TIFFBlock, identifier: String?, thumbnail: [UInt8]?, dropsThumbnail: Bool = false
  ) throws -> (block: TIFFBlock, places: [String], previews: [String], lostThumbnail: Bool) {
    var block = original
    var previews: [String] = []
    var lostThumbnail = false
    if change.isNewPicture || dropsThumbnail {
      previews = block.removePreviews()
      lostThumbnail = block.putThumbnail(thumbnail)
    }
    let places = block.turn(change)
    if let identifier {
      try block.change(describing: parts.exifPicture(of: change.new)) {
        try $0.setContentIdentifier(identifier)
      }
    }
    return (block, places, previews, lostThumbnail)
  }

  /// Removes thumbnails, paths, guides and slices from the Photoshop resources.
  mutating func rewritePhotoshop() {
    guard change.isNewPicture else { return }
    for index in parts.indices(of: .photoshop) {
      let result = PhotoshopResources.withoutPictures(
        parts.list[index].content, pixelsMoved: change.pixelsMoved)
      guard !result.pictures.isEmpty || !result.places.isEmpty else { continue }
      parts.setContent(result.bytes, at: index)
      if result.bytes.isEmpty { parts.list[index].isRemoved = true }
      name(result.pictures, PictureChange.stale)
      name(result.places, PictureChange.places)
    }
  }

  /// Updates the densities and thumbnails in JFIF (ITU-T T.871 section 10). The signature “JFIF” is followed by the
  /// version (2 bytes), the unit, the densities (2 bytes each), the thumbnail's width and height, and the thumbnail.
  mutating func rewriteJFIF() {
    guard change.isNewPicture else { return }
    for index in parts.indices(of: .jfif) {
      var content = parts.list[index].content
      guard content.count >= 9 else { continue }
      if change.transform.swapsAxes {
        content.replaceSubrange(3..<7, with: Array(content[5..<7] + content[3..<5]))
      }
      if content[7] != 0, content[8] != 0 {
        content = Array(content[..<7]) + [0, 0]
        name(["JFIF:ThumbnailTIFF"], PictureChange.stale)
      }
      parts.setContent(content, at: index)
    }
    if !parts.indices(of: .jfxx).isEmpty { name(["JFXX:ThumbnailImage"], PictureChange.stale) }
    parts.remove(.jfxx)
  }

  /// Removes segments of unknown kinds that contain a picture, and the subsequent segments that may contain the rest of
  /// the picture.
  mutating func removePreviews() {
    guard change.isNewPicture else { return }
    var marker: UInt8?
    for index in parts.list.indices where !parts.list[index].isRemoved {
      let part = parts.list[index]
      let isComment = part.marker == 0xFE
      let isUnknown =
        part.kind == nil && (isComment || 0xE0...0xEF ~= part.marker)
        && !part.content.starts(with: ICCProfile.signature)
      guard isUnknown, part.marker == marker || part.content.holdsJPEG else {
        marker = nil
        continue
      }
      // Only application segments can be continued in the next segment.
      marker = isComment ? nil : part.marker
      parts.list[index].isRemoved = true
      name([isComment ? "comment" : "APP\(part.marker & 15)"], PictureChange.stale)
    }
  }
}
