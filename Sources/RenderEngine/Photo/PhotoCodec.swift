import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// How the pictures of photos of one kind are decoded, checked and rendered.
protocol PhotoCodec {
  /// Decodes a photo as it is stored.
  ///
  /// - Throws: ``MediaError`` when it is too large or damaged.
  static func decode(_ photo: Photo) throws -> DecodedPhoto

  /// Decodes a photo of more pixels than a frame may have to fewer samples.
  ///
  /// - Parameter side: pixels that the longer side should have at least.
  /// - Returns: nil for a photo that can be decoded as it is, or of a kind that cannot be decoded smaller.
  /// - Throws: ``MediaError`` when it is damaged, or too large still.
  static func decode(_ photo: Photo, toHold side: Int) throws -> DecodedPhoto?

  /// Decodes a photo and its thumbnail to see whether they can be.
  ///
  /// - Throws: ``MediaError`` when the photo cannot be decoded.
  static func check(_ photo: Photo) throws -> PictureCheck.Photo

  /// Renders a photo.
  static func render(_ render: PhotoRender) throws -> RenderResult
}

extension PhotoCodec {
  static func decode(_ photo: Photo, toHold side: Int) throws -> DecodedPhoto? { nil }
}

extension PhotoKind {
  /// The codec of photos of the kind.
  var codec: any PhotoCodec.Type {
    switch self {
    case .jpeg: JPEGRender.self
    case .heif: HEICRender.self
    case .png: PNGRender.self
    }
  }
}

/// A photo's picture.
struct DecodedPhoto {
  /// The picture as it is stored.
  let picture: PlanarFrame
  /// How it is displayed.
  let orientation: Orientation
  /// The part of it that is shown, before it is turned; nil for all of it.
  var aperture: HEIFPicture.Aperture?
  /// The ICC profile of its colours, where the picture itself does not say what they are.
  var profile: [UInt8]?

  /// The picture as it is displayed.
  var upright: PlanarFrame { get throws { try shown.turned(by: orientation) } }

  /// Decodes a photo.
  ///
  /// - Parameter path: the photo's file.
  /// - Throws: ``MediaError`` when it is no photo, too large, or damaged.
  init(path: String) throws { try self.init(Photo(FileByteSource(path: path))) }

  /// Decodes a photo, or a picture of a kind that Live Photos do not hold.
  ///
  /// - Parameter path: the file.
  /// - Throws: ``MediaError`` when it is no picture, too large, or damaged.
  init(anyPicture path: String) throws {
    let source = try FileByteSource(path: path)
    guard let kind = try ForeignPhoto(source) else {
      try self.init(Photo(source))
      return
    }
    let picture = try StillPictures.picture(
      path, container: kind.container, isPremultiplied: kind.isPremultiplied(source))
    let orientation = try kind.orientation(of: source)
    self.init(picture.frame, orientation, profile: picture.profile)
  }

  /// Decodes a photo that was opened.
  ///
  /// - Throws: as ``init(path:)``.
  init(_ photo: Photo) throws {
    guard let kind = photo.kind else {
      throw MediaError("the file is not a photo", remedy: "specify a photo or a movie")
    }
    self = try kind.codec.decode(photo)
  }

  init(_ picture: PlanarFrame, _ orientation: Orientation, profile: [UInt8]? = nil) {
    (self.picture, self.orientation, self.profile) = (picture, orientation, profile)
  }
}
