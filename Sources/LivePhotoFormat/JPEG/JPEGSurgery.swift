import Basics
import EditModel

/// Puts a new compressed picture, or none, into the segments of an original JPEG: everything that is still
/// true stays byte for byte, what the edit made untrue is rewritten, and what cannot be kept true is removed
/// and named.
package struct JPEGSurgery: Sendable {
  /// A rewritten file.
  package struct Result: Sendable {
    /// The file.
    package let bytes: [UInt8]
    /// The metadata that it does not carry any more.
    package let removals: [Removal]

    /// - Parameters: see the properties.
    package init(bytes: [UInt8], removals: [Removal]) {
      (self.bytes, self.removals) = (bytes, removals)
    }
  }

  /// The original.
  package let original: JPEGFile
  /// The original's headers.
  package let metadata: PhotoMetadata
  /// True if a movie is embedded behind the picture, which would not be edited along: Google's and Samsung's motion
  /// photos.
  package let isMotionPhoto: Bool

  /// Takes an original apart.
  ///
  /// - Throws: ``MediaError`` when it is no whole JPEG.
  package init(_ photo: Photo) throws {
    guard let header = try photo.container as? JPEGHeader else {
      throw MediaError("it is not a JPEG file", remedy: "name a photo")
    }
    original = try header.wholeFile()
    metadata = try photo.metadata()
    isMotionPhoto =
      try photo.isMotionPhoto()
      || original.bytes.firstIndex(of: SamsungTrailer.name, in: original.trailer) != nil
        && header.embeddedMovie() != nil
  }

  /// The JPEG thumbnail in Exif's IFD1, for the caller to edit along; nil when there is none.
  package var embeddedThumbnail: [UInt8]? {
    JPEGParts(original).exifBlocks.lazy.compactMap(\.thumbnail).first
  }

  /// Writes the edited file. Sizes become those of the new picture.
  ///
  /// - Parameters:
  ///   - image: a JPEG that holds the new picture; its metadata is ignored. nil keeps the original's
  ///     compressed picture bit for bit.
  ///   - transform: how the stored pixels were moved: the original's orientation, then the edit's.
  ///   - projection: from places of the turned picture to places of the new one, in fractions, where it is cropped or
  ///     straightened as well; what lies beyond 0 to 1 is cut off.
  ///   - orientation: how the stored picture of the result is displayed.
  ///   - identifier: the content identifier to write into Apple's maker note; nil leaves it as it is.
  ///   - thumbnail: a JPEG to stand in for ``embeddedThumbnail``; without one the old thumbnail is removed
  ///     if the picture changes.
  ///   - maps: what stands in for ``maps``, in their order; those without are removed if the picture changes.
  ///   - depth: what stands in for ``depthInXMP``; what is missing is removed if the picture changes. nil removes all of it if
  ///     pixels move, and leaves it alone otherwise.
  ///   - md5: the digest of RFC 1321, by which a changed packet of extended XMP is called; without it the packet is
  ///     removed.
  /// - Throws: ``MediaError`` when `image` is no whole JPEG, when `transform` moves pixels but there is no
  ///   `image`, or when the file has no place for `identifier` or for an `orientation` other than upright.
  package func rewritten(
    image: [UInt8]?, transform: Orientation, projection: PictureProjection? = nil,
    orientation: Orientation = .identity, identifier: String?, thumbnail: [UInt8]?, maps: [JPEGMap] = [],
    depth: [JPEGMap]? = nil, md5: (@Sendable ([UInt8]) -> [UInt8])? = nil
  ) throws -> Result {
    let replacement = try image.map(JPEGFile.init)
    // What tells more of depth means nothing without it.
    let hasDepth = maps.contains { $0.name == JPEGMap.depth }
    let maps = maps.filter { hasDepth || !$0.isGoogles }
    guard replacement != nil || transform == .identity else {
      throw MediaError("its picture was not turned with its metadata")
    }
    let old = original.header.frame.size
    var change = PictureChange(
      transform: transform, projection: projection, orientation: orientation, old: old,
      new: replacement.map { $0.header.frame.size } ?? old,
      isNewPicture: replacement != nil, keepsGainMap: replacement == nil || maps.contains(where: \.isGainMap))
    change.keepsDynamicDepth = hasDepth
    change.keepsDepth = depth?.contains { $0.name == "GDepth" } ?? false
    var rewriter = try JPEGRewriter(parts: JPEGParts(original), change: change, depth: depth, md5: md5)
    rewriter.holdsMovie = isMotionPhoto
    rewriter.removeManifests()
    rewriter.nameMetadataBetweenScans()
    try rewriter.rewriteExif(identifier: identifier, thumbnail: thumbnail)
    let trailer = try rewriter.rewriteFurtherPictures(maps: maps)
    try rewriter.rewriteXMP()
    rewriter.rewritePhotoshop()
    rewriter.rewriteJFIF()
    rewriter.removePreviews()
    let bytes = try rewriter.parts.assembled(
      with: replacement, maps: replacement == nil ? [] : maps, trailer: trailer.rest + trailer.samsung)
    return Result(bytes: bytes, removals: rewriter.removals)
  }
}

/// How the stored picture changes.
struct PictureChange: Sendable {
  /// How the stored pixels were moved.
  let transform: Orientation
  /// From places of the turned picture to places of the new one, in fractions, where it is another part.
  var projection: PictureProjection?
  /// How the stored picture is displayed after.
  let orientation: Orientation
  /// Stored size before.
  let old: PixelSize
  /// Stored size after.
  let new: PixelSize
  /// True if the compressed picture is another one.
  let isNewPicture: Bool
  /// True if a gain map belongs to the new picture, or the picture is one.
  var keepsGainMap = false
  /// True if Google's depth in XMP was edited along.
  var keepsDepth = false
  /// True if depth behind the picture was edited along, so that Dynamic Depth goes on telling of it.
  var keepsDynamicDepth = false
  /// True if the picture is a map: what describes the camera behind it follows.
  var isMap = false

  /// True if what describes places is not true any more.
  var pixelsMoved: Bool { transform != .identity || old != new || projection != nil }

  /// From places of the stored picture to places of the new one, in fractions.
  var places: PictureProjection {
    PictureProjection(transform).then(projection ?? PictureProjection())
  }

  /// True if something may be cut off that must not stay anywhere.
  var isReframed: Bool { projection != nil }

  /// Why metadata about places is taken out.
  static let places: Message = "describes places in the picture"
  /// Why pictures are taken out.
  static let stale: Message = "shows the picture as it was before the edit"
}
