import Basics
import EditModel
import LivePhotoFormat
import Rendering

/// A photo's size and colours, as its headers tell them.
struct StoredPicture {
  /// The size as it is displayed.
  let size: PixelSize
  /// How its chroma is sampled.
  let sampling: ChromaSampling
  /// The colours as the picture itself tells them.
  let color: ColorDescription
  /// The ICC profile of its colours; nil when it has none.
  let profile: [UInt8]?

  /// - Parameter photo: the photo.
  /// - Throws: ``MediaError`` when it is no photo or damaged.
  init(_ photo: Photo) throws {
    guard let kind = photo.kind else {
      throw MediaError("the file is not a photo", remedy: "specify a photo")
    }
    let metadata = try photo.metadata()
    size = PixelSize(width: metadata.width, height: metadata.height)
    profile = try photo.iccProfile()
    switch kind {
    case .jpeg:
      (sampling, color) = (try JPEGHeader(reading: photo.source).frame.sampling, .jpeg)
    case .png:
      let file = try PNGFile(photo)
      sampling = file.layout.colors.isGrey ? .grey : .yuv444
      let points = try file.codePoints() ?? (2, 2)
      color = ColorDescription(
        primaries: points.primaries, transfer: points.transfer, matrix: ColorDescription.jpeg.matrix,
        isFullRange: true, chromaLocation: .center)
    case .heif:
      let picture = try HEIFPicture(HEIFFile(photo))
      // Others than 4:2:0 are rare, and places are the same.
      sampling = picture.isGrey ? .grey : .yuv420
      color =
        picture.codePoints.map {
          ColorDescription(
            primaries: $0.primaries, transfer: $0.transfer, matrix: $0.matrix, isFullRange: $0.isFullRange)
        } ?? .jpeg
    }
  }

  /// The ICC profile that the photo gets with an edit; nil where it keeps its own colours.
  func profile(after edit: Edit) -> [UInt8]? {
    sampling == .grey ? nil : WideColors.profile(after: edit, of: color, profile: profile)
  }
}

extension Photo {
  /// The ICC profile that the photo gets with an edit; nil where it keeps its own colours.
  ///
  /// - Throws: ``MediaError`` when it is no photo or damaged.
  func newProfile(_ edit: Edit) throws -> [UInt8]? {
    guard edit.look?.isWide ?? false else { return nil }
    return try StoredPicture(self).profile(after: edit)
  }
}
