import Basics
import EditModel

/// A displayable description of a photo file. No pixels are decoded.
package struct PhotoInspection: Encodable, Hashable, Sendable {
  /// A block of metadata.
  package struct MetadataBlock: Encodable, Hashable, Sendable {
    /// The block's name, such as “Exif”, “XMP” or “ICC profile”.
    package let name: String
    /// The size in bytes, without markers and signatures.
    package internal(set) var size: Int
    /// The number of segments into which the block is divided.
    package internal(set) var segments = 1
    /// Additional information about the block, such as the byte order of Exif or the text of a comment.
    package internal(set) var detail: String?
  }

  /// A picture in the file other than the photo itself.
  package struct EmbeddedImage: Encodable, Hashable, Sendable {
    /// The name of the embedded picture, such as “Exif thumbnail” or “MPF picture 2”.
    package let name: String
    /// The size of the picture in bytes.
    package let size: Int
    /// The width or height in pixels, or nil if unknown.
    package let width: Int?
    /// The width or height in pixels, or nil if unknown.
    package let height: Int?
  }

  /// The coding of a JPEG's picture.
  package struct Coding: Encodable, Hashable, Sendable {
    /// The coding process: `baseline`, `extended`, `progressive`, `lossless` or `differential`.
    package let process: String
    /// The entropy coder: `Huffman` or `arithmetic`.
    package let entropyCoder: String
    /// The number of bits per sample.
    package let precision: Int
    /// The number of colour components.
    package let components: Int
    /// The chroma subsampling: a ratio such as `4:2:0`, the word `grey`, or the sampling factors of the components,
    /// such as `2x2,1x1,1x1,2x2`.
    package let subsampling: String
  }

  /// The coding of a PNG's picture.
  package struct PNGCoding: Encodable, Hashable, Sendable {
    /// The colour type: `grey`, `truecolour` or `palette`.
    package let colors: String
    /// The number of bits per sample.
    package let bitDepth: Int
    /// Whether pixels may be transparent.
    package let hasAlpha: Bool
    /// Whether the picture is interlaced, that is, stored in seven passes.
    package let isInterlaced: Bool
    /// Whether the picture is animated (APNG).
    package let isAnimated: Bool
  }

  /// The kind of photo: `JPEG`, `HEIC` or `PNG`.
  package let kind: String
  /// The size of the file in bytes.
  package let size: Int
  /// The major brand of a HEIF file.
  package private(set) var brand: String?
  /// The stored width in pixels.
  package let width: Int?
  /// The stored height in pixels.
  package let height: Int?
  /// The orientation in which the stored picture is displayed: the Exif value, or for a HEIC photo, the value from the
  /// item properties. The value is nil if the file does not state the orientation.
  package private(set) var orientation: Int?
  /// The coding of a JPEG's picture.
  package private(set) var coding: Coding?
  /// The coding of a HEIC photo's picture, and the other content of the file.
  package private(set) var heif: HEIFInspection?
  /// The coding of a PNG's picture.
  package internal(set) var png: PNGCoding?
  /// The identifier that pairs the photo with its movie.
  package let identifier: String?
  /// The capture date from Exif.
  package let captureDate: String?
  /// The camera's manufacturer.
  package let make: String?
  /// The camera's model.
  package let model: String?
  /// The program or system that wrote the photo, as stated in Exif.
  package private(set) var software: String?
  /// The photo's colour profile.
  package private(set) var profile: ICCProfile?
  /// The photo's metadata blocks in file order.
  package private(set) var metadata: [MetadataBlock] = []
  /// The pictures other than the photo itself.
  package private(set) var embeddedImages: [EmbeddedImage] = []
  /// Whether the file is a Motion Photo, which contains a movie and announces the movie in its metadata.
  package let isMotionPhoto: Bool
  /// The movies that are stored in the file in an unknown layout. An edit removes these movies.
  package let unknownMovies: [UnknownMovie]
  /// The number of bytes after the picture, including further pictures, or nil if the end of the picture was not found.
  package private(set) var trailingBytes: Int?
  /// Notes about defects and unread parts, one sentence each.
  package private(set) var notes: [Message] = []

  /// Creates a description of a photo from its headers.
  ///
  /// - Throws: ``MediaError`` if the file is not a photo or its header is damaged.
  package init(_ photo: Photo) throws {
    guard let kind = photo.kind else {
      throw MediaError("the file is \(PhotoKind.none)", remedy: "specify a photo or a movie")
    }
    let container = try photo.container
    let facts = try photo.metadata()
    self.kind = kind.name
    size = photo.source.count
    (width, height) = (facts.storedWidth, facts.storedHeight)
    identifier = facts.contentIdentifier
    captureDate = facts.captureDate
    (make, model) = (facts.make, facts.model)
    isMotionPhoto = try container.isMotionPhoto()
    unknownMovies = try photo.unknownMovies()
    try container.describe(facts, in: &self)
    if !isMotionPhoto, try container.announcesMovie() {
      notes.append("the photo is marked as a Motion Photo, but its movie is missing")
    }
  }

  mutating func read(_ file: HEIFFile, _ facts: PhotoMetadata) throws {
    let exif = try file.exif()
    let properties = file.properties(of: file.primaryItem)
    let isTurned = properties.contains { $0.pictureTurn != nil }
    let reader = HEIFInspectionReader(file)
    brand = file.brand
    software = facts.software
    orientation = isTurned || exif?.orientation != nil ? facts.orientation.rawValue : nil
    profile = properties.lazy.compactMap(\.iccProfile).first.map(ICCProfile.init)
    heif = reader.inspection
    let thumbnail = exif.flatMap(\.thumbnail).map { [EmbeddedImage("Exif thumbnail", jpeg: $0)] } ?? []
    embeddedImages = thumbnail + reader.images
    let exifSize = file.exifItem.flatMap { reader.sizes[$0] } ?? 0
    metadata = (exif.map { MetadataBlock.list(exif: $0, size: exifSize) } ?? []) + reader.packets
    for atom in try C2PAManifest.atoms(among: file.atoms, of: file.source) {
      metadata.append(MetadataBlock(name: "C2PA manifest", size: atom.contentSize))
    }
    trailingBytes = file.atoms.last.map { file.size - $0.offset - $0.size }
    notes = reader.notes
    if file.exifItem != nil, exif == nil { notes.append("the Exif block is damaged") }
    if let said = exif?.orientation, said != facts.orientation {
      notes.append(
        "the Exif orientation is \(said.rawValue), but the HEIF properties give \(facts.orientation.rawValue)"
      )
    }
  }

  /// Stores the results of a reader that is defined in another source file.
  mutating func set(
    _ blocks: [MetadataBlock], orientation: Int?, software: String?, profile: ICCProfile?,
    images: [EmbeddedImage], trailing: Int
  ) {
    metadata = blocks
    (self.orientation, self.software, self.profile) = (orientation, software, profile)
    embeddedImages = images
    trailingBytes = trailing
  }

  mutating func read(_ header: JPEGHeader) throws {
    let source = header.source
    let reader = try JPEGMetadataReader(header)
    coding = Coding(header.frame)
    orientation = reader.exif?.orientation?.rawValue
    software = reader.exif?.text(0x0131, in: .main)
    profile = try header.iccProfile().map(ICCProfile.init)
    metadata = reader.blocks
    notes = reader.notes
    embeddedImages = reader.thumbnails
    do {
      let end = try JPEGFile.pictureEnd(in: source, from: header.scanStart)
      trailingBytes = source.count - end
      embeddedImages += try reader.furtherPictures(in: end..<source.count, source)
      if reader.hasXMP, source.count > end { embeddedImages += try Self.listedPictures(header) }
    } catch let error as MediaError {
      notes.append(error.problem)
    }
  }
}

extension PhotoInspection {
  /// Returns the pictures that Google's directories list but the multi-picture index does not.
  private static func listedPictures(_ header: JPEGHeader) throws -> [EmbeddedImage] {
    let file = try header.wholeFile()
    let parts = JPEGParts(file)
    let indexed = parts.indexedPictures
    return try parts.listing().items.filter { $0.kind != "MotionPhoto" && !indexed.contains($0.range) }.map {
      item in
      EmbeddedImage(item.kind ?? "further item", jpeg: Array(file.bytes[item.range]))
    }
  }
}

extension PhotoInspection.Coding {
  init(_ frame: JPEGFrame) {
    process = frame.process.rawValue
    entropyCoder = frame.isArithmetic ? "arithmetic" : "Huffman"
    precision = frame.precision
    components = frame.components.count
    subsampling = Self.subsampling(frame.components)
  }

  private static func subsampling(_ components: [JPEGFrame.Component]) -> String {
    if components.count == 1 { return "grey" }
    let factors = components.map { "\($0.horizontal)x\($0.vertical)" }.joined(separator: ",")
    guard components.count == 3, components[1].horizontal == components[2].horizontal,
      components[1].vertical == components[2].vertical
    else { return factors }
    let (luma, chroma) = (components[0], components[1])
    switch (luma.horizontal, luma.vertical) {
    case (chroma.horizontal, chroma.vertical): return "4:4:4"
    case (2 * chroma.horizontal, chroma.vertical): return "4:2:2"
    case (2 * chroma.horizontal, 2 * chroma.vertical): return "4:2:0"
    case (chroma.horizontal, 2 * chroma.vertical): return "4:4:0"
    case (4 * chroma.horizontal, chroma.vertical): return "4:1:1"
    case (chroma.horizontal, 4 * chroma.vertical): return "4:4:1"
    default: return factors
    }
  }
}
