import Basics
import EditModel
import LivePhotoFormat
import Rendering

/// A photo's size and colours, as its headers state them.
struct StoredPicture {
  /// The size of the picture as displayed.
  let size: PixelSize
  /// The chroma subsampling of the picture.
  let sampling: ChromaSampling
  /// The colours that the picture itself specifies.
  let color: ColorDescription
  /// The ICC profile of the picture, or nil if the picture has no profile.
  let profile: [UInt8]?

  /// - Parameter photo: The photo.
  /// - Throws: ``MediaError`` if the file is not a photo or is damaged.
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
      // Chroma subsampling other than 4:2:0 is rare, and all subsamplings lead to the same positions.
      sampling = picture.isGrey ? .grey : .yuv420
      color =
        picture.codePoints.map {
          ColorDescription(
            primaries: $0.primaries, transfer: $0.transfer, matrix: $0.matrix, isFullRange: $0.isFullRange)
        } ?? .jpeg
    }
  }

  /// Returns the photo's new ICC profile after an edit, or nil if the photo keeps its own colours.
  func profile(after edit: Edit) -> [UInt8]? {
    sampling == .grey ? nil : WideColors.profile(after: edit, of: color, profile: profile)
  }
}

extension Photo {
  /// Returns the photo's new ICC profile after an edit, or nil if the photo keeps its own colours.
  ///
  /// - Throws: ``MediaError`` if the file is not a photo or is damaged.
  func newProfile(_ edit: Edit) throws -> [UInt8]? {
    guard edit.look?.isWide ?? false else { return nil }
    return try StoredPicture(self).profile(after: edit)
  }
}
