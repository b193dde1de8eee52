import Basics
import EditModel
import Synchronization

/// A photo file that is opened only once and can then be read and rewritten. Each header is read when it is first
/// needed, and then cached. No pixels are decoded.
package final class Photo: Sendable {
  /// The photo file.
  package let source: any ByteSource
  /// The kind of photo, determined by the file's first bytes, or nil if the file is not a photo.
  package let kind: PhotoKind?
  private let parsed = Mutex<(any PhotoContainer)?>(nil)
  private let read = Mutex<PhotoMetadata?>(nil)

  /// Opens a photo.
  ///
  /// - Parameter source: The file. If the file is not a photo, ``kind`` is nil and all other functions throw an error.
  /// - Throws: Any error that `source` throws.
  package init(_ source: any ByteSource) throws {
    self.source = source
    kind = PhotoKind(beginning: try source.read(at: 0, count: min(source.count, 256)))
  }

  /// Checks that the picture data is complete, without decoding the picture.
  ///
  /// - Throws: ``MediaError`` if the file ends before the end of the picture.
  package func checkPicture() throws { try container.checkPicture() }

  /// The photo's headers.
  ///
  /// - Throws: ``MediaError`` if the file is not a photo or its headers are damaged.
  var container: any PhotoContainer {
    get throws {
      try parsed.withLock { parsed in
        if let parsed { return parsed }
        guard let kind else {
          throw MediaError("the file is \(PhotoKind.none)", remedy: "specify a photo")
        }
        try source.checkPhotoSize()
        let container = try kind.container.init(reading: source)
        parsed = container
        return container
      }
    }
  }

  /// Returns the identifier in Apple's maker note that pairs the photo with its movie, or nil if the photo has no
  /// identifier.
  ///
  /// - Throws: ``MediaError`` if the file is not a photo or its headers are damaged.
  package func contentIdentifier() throws -> String? {
    guard kind != nil else {
      throw MediaError("the file is not a photo", remedy: "specify a JPEG or HEIC photo")
    }
    return try container.exif()?.contentIdentifier
  }

  /// Returns the JPEG thumbnail in Exif's IFD1, or nil if the photo has no such thumbnail.
  ///
  /// - Throws: ``MediaError`` if the file is not a photo or is damaged.
  package func embeddedThumbnail() throws -> [UInt8]? {
    try container.exifBlocks().lazy.compactMap(\.thumbnail).first
  }

  /// Returns the ICC profile of the photo's colours, or nil if the photo has no profile.
  ///
  /// - Throws: ``MediaError`` if the file is not a photo or is damaged.
  package func iccProfile() throws -> [UInt8]? { try container.iccProfile() }

  /// Returns whether the file is a Motion Photo. A Motion Photo contains a movie, which Samsung's box, Samsung's
  /// directory or XMP declares.
  package func isMotionPhoto() throws -> Bool { try container.isMotionPhoto() }

  /// Returns the photo's capture metadata, read from its headers.
  ///
  /// - Throws: ``MediaError`` if the file is not a photo, or if the file is damaged before the picture.
  package func metadata() throws -> PhotoMetadata {
    try read.withLock { read in
      if let read { return read }
      let metadata = try container.metadata()
      read = metadata
      return metadata
    }
  }
}

extension ByteSource {
  /// Checks that a photo is small enough to be read into memory.
  ///
  /// - Throws: ``MediaError`` if the photo is too large.
  package func checkPhotoSize() throws {
    guard count <= largestPhoto else {
      throw MediaError(beyond: .photoSize, "the photo is larger than \(ReadingLimit.photoSize.value) MB")
    }
  }

  /// Returns all bytes of a photo's file.
  ///
  /// - Throws: ``MediaError`` if the file is too large.
  package func wholePhoto() throws -> [UInt8] {
    try checkPhotoSize()
    return try read(at: 0, count: count)
  }

  /// The maximum size in bytes of a photo that is read into memory. Real photos are smaller.
  var largestPhoto: Int { ReadingLimit.photoSize.value << 20 }
}
