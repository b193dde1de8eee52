import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// A codec that decodes, checks and renders photos in one file format.
protocol PhotoCodec {
  /// Decodes a photo as stored.
  ///
  /// - Throws: ``MediaError`` if the photo is too large or damaged.
  static func decode(_ photo: Photo) throws -> DecodedPhoto

  /// Decodes, at a reduced size, a photo that has more pixels than a frame may have.
  ///
  /// - Parameter side: The minimum length of the longer side in pixels.
  /// - Returns: Nil if the photo can be decoded at full size, or if its format cannot be decoded at a reduced size.
  /// - Throws: ``MediaError`` if the photo is damaged or still too large.
  static func decode(_ photo: Photo, toHold side: Int) throws -> DecodedPhoto?

  /// Decodes a photo and its thumbnail to find out whether they are damaged.
  ///
  /// - Throws: ``MediaError`` if the photo cannot be decoded.
  static func check(_ photo: Photo) throws -> PictureCheck.Photo

  /// Renders a photo.
  static func render(_ render: PhotoRender) throws -> RenderResult
}

extension PhotoCodec {
  static func decode(_ photo: Photo, toHold side: Int) throws -> DecodedPhoto? { nil }
}

extension PhotoKind {
  /// The codec for photos in this format.
  var codec: any PhotoCodec.Type {
    switch self {
    case .jpeg: JPEGRender.self
    case .heif: HEICRender.self
    case .png: PNGRender.self
    }
  }
}

/// The decoded picture of a photo.
struct DecodedPhoto {
  /// The picture as stored.
  let picture: PlanarFrame
  /// The orientation in which the picture is displayed.
  let orientation: Orientation
  /// The part of the stored picture that is shown, or nil for the whole picture.
  var aperture: HEIFPicture.Aperture?
  /// The ICC profile of the picture, if the picture does not specify its colours itself.
  var profile: [UInt8]?

  /// The picture as displayed.
  var upright: PlanarFrame { get throws { try shown.turned(by: orientation) } }

  /// Decodes a photo.
  ///
  /// - Parameter path: The path of the photo.
  /// - Throws: ``MediaError`` if the file is not a photo, is too large, or is damaged.
  init(path: String) throws { try self.init(Photo(FileByteSource(path: path))) }

  /// Decodes a photo, or a picture in a format that Live Photos do not use.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: ``MediaError`` if the file is not a picture, is too large, or is damaged.
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

  /// Decodes a photo that is already open.
  ///
  /// - Throws: The same errors as ``init(path:)``.
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
