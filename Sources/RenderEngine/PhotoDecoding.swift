import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// Decodes a photo as it is stored.
///
/// - Parameter source: the file.
/// - Returns: the picture, and how it is displayed.
/// - Throws: ``MediaError`` when it is no photo, too large, or damaged.
func decodedPhoto(_ source: FileByteSource) throws -> (picture: PlanarFrame, orientation: Orientation) {
  switch try PhotoKind.detect(source) {
  case .heif:
    let picture = try HEIFPicture(HEIFFile(reading: source), source: source)
    return (try picture.decoded(from: source), picture.orientation)
  case .jpeg:
    try checkSize(ofPhoto: source)
    let bytes = try source.read(at: 0, count: source.count)
    let surgery = try JPEGSurgery(bytes)
    let picture = try JPEGCodec.decode(Array(bytes[..<surgery.original.picture.upperBound]))
    return (picture, surgery.summary.orientation)
  case .other: throw MediaError("it is not a photo", remedy: "name a photo or a movie")
  }
}

/// - Throws: ``MediaError`` when a photo is larger than what is read into memory.
func checkSize(ofPhoto source: FileByteSource) throws {
  guard source.count <= PhotoTie.largestPhoto else {
    throw MediaError("it is larger than \(PhotoTie.largestPhoto >> 20) MB", isUnsupported: true)
  }
}
