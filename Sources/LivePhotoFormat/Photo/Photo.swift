import Basics
import EditModel
import Synchronization

/// A photo: opened once, then asked and rewritten. Its headers are read when something in them is first
/// asked for, and kept; no pixel is decoded.
package final class Photo: Sendable {
  /// The file.
  package let source: any ByteSource
  /// The kind of photo that it is by its first bytes; nil for a file that is none.
  package let kind: PhotoKind?
  private let parsed = Mutex<(any PhotoContainer)?>(nil)
  private let read = Mutex<PhotoMetadata?>(nil)

  /// Opens a photo.
  ///
  /// - Parameter source: the file, which may be none of a photo: then ``kind`` says so, and all else throws.
  /// - Throws: what `source` throws.
  package init(_ source: any ByteSource) throws {
    self.source = source
    kind = PhotoKind(beginning: try source.read(at: 0, count: min(source.count, 256)))
  }

  /// Makes sure that the picture is there to its end; decodes nothing.
  ///
  /// - Throws: ``MediaError`` when the file ends before.
  package func checkPicture() throws { try container.checkPicture() }

  /// Its headers.
  ///
  /// - Throws: ``MediaError`` when it is no photo or its headers are damaged.
  var container: any PhotoContainer {
    get throws {
      try parsed.withLock { parsed in
        if let parsed { return parsed }
        guard let kind else {
          throw MediaError("it is \(PhotoKind.none) photo", remedy: "name a photo")
        }
        try source.checkPhotoSize()
        let container = try kind.container.init(reading: source)
        parsed = container
        return container
      }
    }
  }

  /// The identifier in Apple's maker note that ties it to its movie; nil without one.
  ///
  /// - Throws: ``MediaError`` when it is no photo or its headers are damaged.
  package func contentIdentifier() throws -> String? {
    guard kind != nil else { throw MediaError("it is not a photo", remedy: "name a JPEG or HEIC photo") }
    return try container.exif()?.contentIdentifier
  }

  /// The JPEG thumbnail in Exif's IFD1; nil when there is none.
  ///
  /// - Throws: ``MediaError`` when it is no photo or damaged.
  package func embeddedThumbnail() throws -> [UInt8]? {
    try container.exifBlocks().lazy.compactMap(\.thumbnail).first
  }

  /// The ICC profile of its colours; nil without one.
  ///
  /// - Throws: ``MediaError`` when it is no photo or damaged.
  package func iccProfile() throws -> [UInt8]? { try container.iccProfile() }

  /// True if the file says, by Samsung's box or directory or in XMP, that a movie is embedded in it, and one is.
  package func isMotionPhoto() throws -> Bool { try container.isMotionPhoto() }

  /// The photo's capture, by its headers.
  ///
  /// - Throws: ``MediaError`` when it is no photo, or damaged before its picture.
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
  /// Makes sure that a photo is small enough to be read into memory.
  ///
  /// - Throws: ``MediaError`` when it is not.
  package func checkPhotoSize() throws {
    guard count <= largestPhoto else {
      throw MediaError(beyond: .photoSize, "it is larger than \(ReadingLimit.photoSize.value) MB")
    }
  }

  /// The whole file of a photo.
  ///
  /// - Throws: ``MediaError`` when it is too large.
  package func wholePhoto() throws -> [UInt8] {
    try checkPhotoSize()
    return try read(at: 0, count: count)
  }

  /// The most bytes that a photo has which is read into memory; no real one has as many.
  var largestPhoto: Int { ReadingLimit.photoSize.value << 20 }
}
