import Basics
import EditModel
import Synchronization

/// A JPEG or HEIC photo: opened once, then asked and rewritten. Its headers are read when something in them is first
/// asked for, and kept; no pixel is decoded.
package final class Photo: Sendable {
  /// The headers of a photo.
  enum Container: Sendable {
    case jpeg(JPEGHeader)
    case heif(HEIFFile)
  }

  /// The file.
  package let source: any ByteSource
  /// The kind of photo that it is by its first bytes.
  package let kind: PhotoKind
  private let parsed = Mutex<Container?>(nil)

  /// The most bytes that a photo has which is read into memory; no real one has as many.
  static let largest = 1 << 29

  /// Opens a photo.
  ///
  /// - Parameter source: the file, which may be none of a photo: then ``kind`` says so, and all else throws.
  /// - Throws: what `source` throws.
  package init(_ source: any ByteSource) throws {
    self.source = source
    kind = PhotoKind(beginning: try source.read(at: 0, count: min(source.count, 256)))
  }

  /// Its headers.
  ///
  /// - Throws: ``MediaError`` when it is no photo or its headers are damaged.
  var container: Container {
    get throws {
      try parsed.withLock { parsed in
        if let parsed { return parsed }
        let container: Container
        switch kind {
        case .jpeg: container = .jpeg(try JPEGHeader(reading: source))
        case .heif: container = .heif(try HEIFFile(reading: source))
        case .other: throw MediaError("it is neither a JPEG nor a HEIC photo", remedy: "name a photo")
        }
        parsed = container
        return container
      }
    }
  }

  /// Makes sure that the file is small enough to be read into memory.
  ///
  /// - Throws: ``MediaError`` when it is not.
  package func checkSize() throws {
    guard source.count <= Self.largest else {
      throw MediaError("it is larger than \(Self.largest >> 20) MB", isUnsupported: true)
    }
  }

  /// The whole file of a JPEG.
  ///
  /// - Parameter header: its header.
  /// - Throws: ``MediaError`` when it is too large, or damaged.
  func wholeJPEG(_ header: JPEGHeader) throws -> JPEGFile {
    try checkSize()
    return try JPEGFile(source.read(at: 0, count: source.count), header: header)
  }

  /// The photo's first Exif block that can be read; nil without one.
  func exif() throws -> TIFFBlock? {
    switch try container {
    case .jpeg(let header): try header.first(.exif, in: source) { TIFFBlock(exif: $0) }
    case .heif(let file): try file.exif(from: source)?.block
    }
  }

  /// All Exif blocks of the photo that can be read.
  func exifBlocks() throws -> [TIFFBlock] {
    switch try container {
    case .jpeg(let header): JPEGParts(try wholeJPEG(header)).exif.compactMap { TIFFBlock(exif: $0) }
    case .heif: try exif().map { [$0] } ?? []
    }
  }

  /// The identifier in Apple's maker note that ties it to its movie; nil without one.
  ///
  /// - Throws: ``MediaError`` when it is no photo or its headers are damaged.
  package func contentIdentifier() throws -> String? {
    guard kind != .other else { throw MediaError("it is not a photo", remedy: "name a JPEG or HEIC photo") }
    return try exif()?.contentIdentifier
  }

  /// The ICC profile of its colours; nil without one.
  ///
  /// - Throws: ``MediaError`` when it is no photo or damaged.
  package func iccProfile() throws -> [UInt8]? {
    switch try container {
    case .jpeg(let header): try ICCProfile.bytes(in: header, source)
    case .heif(let file): try HEIFPicture(file, source: source).iccProfile
    }
  }

  /// True if a movie is embedded in the file, by Samsung's box or by what XMP says.
  package func isMotionPhoto() throws -> Bool {
    switch try container {
    case .jpeg(let header): try header.first(.xmp, in: source) { XMPPacket($0) }?.isMotionPhoto ?? false
    case .heif(let file): try file.isMotionPhoto(source)
    }
  }

  /// The photo's capture, by its headers.
  ///
  /// - Throws: ``MediaError`` when it is no photo, or damaged before its picture.
  package func metadata() throws -> PhotoMetadata {
    switch try container {
    case .jpeg(let header):
      PhotoMetadata(
        exif: try exif(), xmp: try header.first(.xmp, in: source) { $0 }, stored: PixelSize(header.frame),
        orientation: nil, hasGainMap: try header.first(.gainMap, in: source) { _ in true } ?? false)
    case .heif(let file):
      PhotoMetadata(
        exif: try exif(),
        xmp: try file.xmpItems.first.map {
          try file.data(of: $0, most: HEIFFile.largestMetadata, from: source)
        },
        stored: file.spatialExtents(of: file.primaryItem) ?? PixelSize(width: 0, height: 0),
        orientation: file.photoOrientation, hasGainMap: file.hasGainMap)
    }
  }
}

extension JPEGHeader {
  /// The first segment of a kind whose content can be used.
  ///
  /// - Parameters:
  ///   - kind: the kind of metadata.
  ///   - source: the file.
  ///   - use: called with the content of one segment after the other, until it returns something.
  /// - Returns: nil when there is none.
  func first<Value>(
    _ kind: JPEGMetadataKind, in source: some ByteSource, use: ([UInt8]) -> Value?
  ) throws -> Value? {
    let (marker, prefix) = kind.signature
    for segment in segments where segment.marker == marker {
      let start = segment.payload.lowerBound
      let head = try source.read(at: start, count: min(segment.payload.count, JPEGMetadataKind.longestPrefix))
      guard JPEGMetadataKind(marker: marker, payload: head) == kind else { continue }
      let content = try source.read(at: start + prefix.count, count: segment.payload.count - prefix.count)
      if let value = use(content) { return value }
    }
    return nil
  }
}
