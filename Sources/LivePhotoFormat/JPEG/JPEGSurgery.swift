import Basics
import EditModel

/// An original JPEG whose compressed picture can be replaced or kept while its metadata is updated. Metadata that
/// remains accurate is kept byte for byte. Outdated metadata is updated. If an update is not possible, the metadata is
/// removed and reported.
package struct JPEGSurgery: Sendable {
  /// The result of rewriting a file.
  package struct Result: Sendable {
    /// The bytes of the rewritten file.
    package let bytes: [UInt8]
    /// The metadata that was removed from the file.
    package let removals: [Removal]

    /// Creates a result.
    ///
    /// - Parameters: See the properties.
    package init(bytes: [UInt8], removals: [Removal]) {
      (self.bytes, self.removals) = (bytes, removals)
    }
  }

  /// The original JPEG.
  package let original: JPEGFile
  /// The metadata in the original's header.
  package let metadata: PhotoMetadata
  /// Whether a movie is embedded after the picture, as in Google's and Samsung's Motion Photos. Edits are not applied
  /// to that movie.
  package let isMotionPhoto: Bool

  /// Reads an original JPEG.
  ///
  /// - Throws: ``MediaError`` if the original is not a complete JPEG.
  package init(_ photo: Photo) throws {
    guard let header = try photo.container as? JPEGHeader else {
      throw MediaError("the file is not a JPEG", remedy: "specify a photo")
    }
    original = try header.wholeFile()
    metadata = try photo.metadata()
    isMotionPhoto =
      try photo.isMotionPhoto()
      || original.bytes.firstIndex(of: SamsungTrailer.name, in: original.trailer) != nil
        && header.embeddedMovie() != nil
  }

  /// The JPEG thumbnail in Exif's IFD1, or nil if the photo has no such thumbnail. The caller can apply the photo's
  /// edits to the thumbnail.
  package var embeddedThumbnail: [UInt8]? {
    JPEGParts(original).exifBlocks.lazy.compactMap(\.thumbnail).first
  }

  /// Returns the edited file. The width and height in the metadata are updated to match the new picture.
  ///
  /// - Parameters:
  ///   - image: A JPEG that contains the new picture, or nil to keep the original compressed picture bit for bit. The
  ///     metadata of `image` is ignored.
  ///   - transform: The rotation and mirroring applied to the stored pixels: the original's orientation, followed by
  ///     the edit's orientation.
  ///   - projection: The mapping from positions in the rotated picture to positions in the new picture, in fractions of
  ///     width and height, if the picture is also cropped or straightened. Positions outside the range from 0 to 1 are
  ///     cut off.
  ///   - orientation: The orientation in which the resulting stored picture is displayed.
  ///   - identifier: The content identifier to write into Apple's maker note, or nil to keep the existing identifier.
  ///   - thumbnail: A JPEG that replaces ``embeddedThumbnail``. If nil and the picture changes, the old thumbnail is
  ///     removed.
  ///   - maps: The replacements for ``maps``, in the same order. Maps without a replacement are removed if the picture
  ///     changes.
  ///   - depth: The replacements for ``depthInXMP``. Depth maps without a replacement are removed if the picture
  ///     changes. If nil, all depth maps are removed if pixels move, and otherwise kept.
  ///   - md5: The MD5 function (RFC 1321) that computes the GUID of a changed extended XMP packet. If nil, changed
  ///     extended packets are removed.
  /// - Throws: ``MediaError`` if `image` is not a complete JPEG, if `transform` moves pixels but `image` is nil, or if
  ///   `identifier` or an `orientation` other than upright cannot be stored.
  package func rewritten(
    image: [UInt8]?, transform: Orientation, projection: PictureProjection? = nil,
    orientation: Orientation = .identity, identifier: String?, thumbnail: [UInt8]?, maps: [JPEGMap] = [],
    depth: [JPEGMap]? = nil, md5: (@Sendable ([UInt8]) -> [UInt8])? = nil
  ) throws -> Result {
    let replacement = try image.map(JPEGFile.init)
    // Pictures that supplement the depth map are useless without the depth map.
    let hasDepth = maps.contains { $0.name == JPEGMap.depth }
    let maps = maps.filter { hasDepth || !$0.isGoogles }
    guard replacement != nil || transform == .identity else {
      throw MediaError("the metadata was rotated, but the picture was not")
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

/// The change to a stored picture.
struct PictureChange: Sendable {
  /// The rotation and mirroring applied to the stored pixels.
  let transform: Orientation
  /// The mapping from positions in the rotated picture to positions in the new picture, in fractions of width and
  /// height, or nil if the edit does not change the framing.
  var projection: PictureProjection?
  /// The orientation in which the stored picture is displayed after the change.
  let orientation: Orientation
  /// The width and height of the stored picture before the change.
  let old: PixelSize
  /// The width and height of the stored picture after the change.
  let new: PixelSize
  /// Whether the compressed picture is replaced.
  let isNewPicture: Bool
  /// Whether the new picture is a gain map or has a gain map.
  var keepsGainMap = false
  /// Whether the edit has also been applied to Google's depth map in XMP.
  var keepsDepth = false
  /// Whether the edit has also been applied to the depth map after the picture. If so, the Dynamic Depth metadata is
  /// kept.
  var keepsDynamicDepth = false
  /// Whether the picture is a map. If so, the metadata about the map's camera is updated too.
  var isMap = false

  /// Whether metadata that contains positions in the picture is outdated.
  var pixelsMoved: Bool { transform != .identity || old != new || projection != nil }

  /// The mapping from positions in the stored picture to positions in the new picture, in fractions of width and
  /// height.
  var places: PictureProjection {
    PictureProjection(transform).then(projection ?? PictureProjection())
  }

  /// Whether parts of the picture may have been cut off. These parts must not remain anywhere in the file.
  var isReframed: Bool { projection != nil }

  /// The reason given when metadata about positions in the picture is removed.
  static let places: Message = "contains coordinates that are no longer valid after the edit"
  /// The reason given when outdated pictures are removed.
  static let stale: Message = "shows the unedited picture"
}
