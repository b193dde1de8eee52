import Basics
import EditModel

/// A description of a photo file for display. No pixel is decoded.
package struct PhotoInspection: Encodable, Hashable, Sendable {
  /// A block of metadata.
  package struct MetadataBlock: Encodable, Hashable, Sendable {
    /// Its name: “Exif”, “XMP”, “ICC profile”, …
    package let name: String
    /// Bytes, markers and signatures left off.
    package internal(set) var size: Int
    /// In how many segments it lies.
    package internal(set) var segments = 1
    /// More about it: the byte order of Exif, the text of a comment.
    package internal(set) var detail: String?
  }

  /// A picture inside the file beside the photo itself.
  package struct EmbeddedImage: Encodable, Hashable, Sendable {
    /// Its name: “Exif thumbnail”, “MPF picture 2”, …
    package let name: String
    /// Bytes.
    package let size: Int
    /// Pixels; nil when it is not a JPEG.
    package let width: Int?
    /// Pixels; nil when it is not a JPEG.
    package let height: Int?
  }

  /// The coding of a JPEG's picture.
  package struct Coding: Encodable, Hashable, Sendable {
    /// `baseline`, `extended`, `progressive`, `lossless` or `differential`.
    package let process: String
    /// `Huffman` or `arithmetic`.
    package let entropyCoder: String
    /// Bits a sample.
    package let precision: Int
    /// The number of colour components.
    package let components: Int
    /// `4:2:0` and so on, `grey`, or the sampling factors of the components: `2x2,1x1,1x1,2x2`.
    package let subsampling: String
  }

  /// The coding of a PNG's picture.
  package struct PNGCoding: Encodable, Hashable, Sendable {
    /// `grey`, `truecolour` or `palette`.
    package let colors: String
    /// Bits a sample.
    package let bitDepth: Int
    /// True if pixels may be transparent.
    package let hasAlpha: Bool
    /// True if the picture is stored in seven passes.
    package let isInterlaced: Bool
    /// True if it is animated (APNG).
    package let isAnimated: Bool
  }

  /// `JPEG`, `HEIC` or `PNG`.
  package let kind: String
  /// Bytes of the file.
  package let size: Int
  /// The major brand of a HEIF file.
  package private(set) var brand: String?
  /// Stored width in pixels.
  package let width: Int?
  /// Stored height in pixels.
  package let height: Int?
  /// The turn by which the stored picture is displayed: the Exif tag, in a HEIC photo the properties; nil when nothing says so.
  package private(set) var orientation: Int?
  /// The coding of a JPEG's picture.
  package private(set) var coding: Coding?
  /// The coding of a HEIC photo's picture, and what else is in the file.
  package private(set) var heif: HEIFInspection?
  /// The coding of a PNG's picture.
  package internal(set) var png: PNGCoding?
  /// The identifier that ties it to its movie.
  package let identifier: String?
  /// Time it was taken, by Exif.
  package let captureDate: String?
  /// The camera's maker.
  package let make: String?
  /// The camera's model.
  package let model: String?
  /// The program or system that wrote it, by Exif.
  package private(set) var software: String?
  /// Its colour profile.
  package private(set) var profile: ICCProfile?
  /// Its blocks of metadata in file order.
  package private(set) var metadata: [MetadataBlock] = []
  /// Pictures beside the photo itself.
  package private(set) var embeddedImages: [EmbeddedImage] = []
  /// True if a movie is inside it, and it says so (Motion Photo).
  package let isMotionPhoto: Bool
  /// Movies in the file in a layout that is not known: an edit takes them out.
  package let unknownMovies: [UnknownMovie]
  /// Bytes behind the picture, embedded images included; nil when its end was not found.
  package private(set) var trailingBytes: Int?
  /// Faults, and parts that were not read, one sentence each.
  package private(set) var notes: [Message] = []

  /// Describes a photo by its headers.
  ///
  /// - Throws: ``MediaError`` when it is no photo or its header is damaged.
  package init(_ photo: Photo) throws {
    guard let kind = photo.kind else {
      throw MediaError("it is \(PhotoKind.none) photo", remedy: "name a photo or a movie")
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
      notes.append("it is marked as a Motion Photo, but its movie is missing")
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
    if file.exifItem != nil, exif == nil { notes.append("its Exif block is damaged") }
    if let said = exif?.orientation, said != facts.orientation {
      notes.append(
        "Exif gives it the orientation \(said.rawValue), its properties \(facts.orientation.rawValue)")
    }
  }

  /// Takes over what a reader in another file found.
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
  /// The pictures that Google's directories list and no index of a multi-picture file does.
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
