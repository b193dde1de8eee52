import Basics
import EditModel

/// The changes to the segments of one file, kind by kind.
struct JPEGRewriter: Sendable {
  /// The segments, as far as they are rewritten.
  var parts: JPEGParts
  /// How the picture changes.
  let change: PictureChange
  /// Items that directories list behind the picture.
  let listing: JPEGListing
  /// Where the edited maps will stand behind the new picture.
  var kept: [JPEGListing.Kept] = []
  /// The edited depth in XMP; nil where nobody edits it.
  let depth: [JPEGMap]?
  /// True if the file had some.
  let hadDepth: Bool
  /// True if a movie stays behind the picture, so that what announces it stays too.
  var holdsMovie = false
  /// The digest that extended packets are called by.
  let md5: (@Sendable ([UInt8]) -> [UInt8])?
  /// The names of the depth pictures in XMP that stand in a packet already.
  var placedDepth: Set<String> = []
  /// The metadata that was taken out so far.
  private(set) var removals: [Removal] = []
  private var named: Set<String> = []

  /// Why metadata is taken out that has grown too large.
  static let noRoom: Message = "does not fit into a JPEG segment any more"
  /// Why metadata between scans is taken out.
  static let unread: Message = "stands where no reader looks for it"

  /// - Parameters: see ``JPEGSurgery/rewritten(image:transform:projection:orientation:identifier:thumbnail:maps:depth:md5:)``.
  /// - Throws: ``MediaError`` when its XMP lists too many pictures.
  init(
    parts: JPEGParts, change: PictureChange, depth: [JPEGMap]? = nil,
    md5: (@Sendable ([UInt8]) -> [UInt8])? = nil
  ) throws {
    (self.parts, self.change, self.depth, self.md5) = (parts, change, depth, md5)
    listing = try parts.listing()
    hadDepth = try depth != nil && !parts.depthInXMP.isEmpty
  }

  /// Names what was taken out, each name once.
  mutating func name(_ names: [String], _ reason: Message) {
    for name in names where named.insert(name).inserted {
      removals.append(Removal(half: .photo, name: name, reason: reason))
    }
  }

  /// The name of metadata between scans in what is said of removals.
  static let betweenScans = "metadata between scans"

  /// Takes out what signs the file as it was.
  mutating func removeManifests() { removals += parts.removeManifests() }

  /// Names the metadata between scans that goes with a picture which is replaced; comments stay.
  mutating func nameMetadataBetweenScans() {
    guard change.isNewPicture, parts.file.laterMetadata.contains(where: { $0.marker != 0xFE }) else { return }
    name([Self.betweenScans], Self.unread)
  }

  /// Orientation, sizes, places, thumbnail and identifier in Exif.
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
          "its Exif block has no room for the identifier of a Live Photo", isUnsupported: true)
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
          ? "its Exif block is damaged, so it cannot take an orientation"
          : "its Exif block is damaged, so it cannot take the identifier of a Live Photo",
        remedy: "copy it again from the phone")
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

  /// Takes thumbnails, paths, guides and slices out of Photoshop's resources.
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

  /// Densities and thumbnails of JFIF (ITU-T T.871 section 10). Behind “JFIF”: version (2 bytes), unit,
  /// densities (2 and 2), thumbnail width and height, thumbnail.
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

  /// Removes segments that nobody here knows but that hold a picture, and those after them that may continue it.
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
      // Only segments for applications go on in the next one.
      marker = isComment ? nil : part.marker
      parts.list[index].isRemoved = true
      name([isComment ? "comment" : "APP\(part.marker & 15)"], PictureChange.stale)
    }
  }
}
