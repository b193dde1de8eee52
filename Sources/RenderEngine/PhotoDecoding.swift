import Basics
import Codecs
import EditModel
import LivePhotoFormat
import Rendering

/// Decodes a photo as it is stored.
///
/// - Parameter photo: the photo.
/// - Returns: the picture, and how it is displayed.
/// - Throws: ``MediaError`` when it is no photo, too large, or damaged.
func decoded(_ photo: Photo) throws -> (picture: PlanarFrame, orientation: Orientation) {
  switch photo.kind {
  case .heif:
    let picture = try HEIFSurgery(photo).picture()
    return (try picture.decoded(from: photo.source), picture.orientation)
  case .jpeg:
    let surgery = try JPEGSurgery(photo)
    return (try JPEGCodec.decode(surgery.original.untilEOI), surgery.metadata.orientation)
  case .other: throw MediaError("it is not a photo", remedy: "name a photo or a movie")
  }
}
