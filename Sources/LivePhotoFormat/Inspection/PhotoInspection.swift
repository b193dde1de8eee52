import Basics

/// A description of a photo file for display. No pixel is decoded.
public struct PhotoInspection: Encodable, Hashable, Sendable {
  /// A block of metadata.
  public struct MetadataBlock: Encodable, Hashable, Sendable {
    /// Its name: “Exif”, “XMP”, “ICC profile”, …
    public let name: String
    /// Bytes, markers and signatures left off.
    public let size: Int
    /// In how many segments it lies.
    public let segments: Int
    /// More about it: the byte order of Exif, the text of a comment.
    public let detail: String?
  }

  /// A picture inside the file beside the photo itself.
  public struct EmbeddedImage: Encodable, Hashable, Sendable {
    /// Its name: “Exif thumbnail”, “MPF picture 2”, …
    public let name: String
    /// Bytes.
    public let size: Int
    /// Pixels; nil when it is not a JPEG.
    public let width: Int?
    /// Pixels; nil when it is not a JPEG.
    public let height: Int?
  }

  /// How the picture is coded.
  public struct Coding: Encodable, Hashable, Sendable {
    /// `baseline`, `extended`, `progressive`, `lossless` or `differential`.
    public let process: String
    /// `Huffman` or `arithmetic`.
    public let entropyCoder: String
    /// Bits a sample.
    public let precision: Int
    /// How many colour components.
    public let components: Int
    /// `4:2:0` and so on, `grey`, or the sampling factors of the components: `2x2,1x1,1x1,2x2`.
    public let subsampling: String
  }

  /// `JPEG` or `HEIC`.
  public let kind: String
  /// Bytes of the file.
  public let size: Int
  /// The major brand of a HEIF file.
  public let brand: String?
  /// Stored width in pixels.
  public let width: Int?
  /// Stored height in pixels.
  public let height: Int?
  /// How the stored picture is displayed: the Exif tag, in a HEIC photo the properties; nil when nothing says so.
  public let orientation: Int?
  /// How a JPEG's picture is coded.
  public let coding: Coding?
  /// How a HEIC photo's picture is coded, and what else is in the file.
  public let heif: HEIFInspection?
  /// The identifier that ties it to its movie.
  public let identifier: String?
  /// When it was taken, by Exif.
  public let captureDate: String?
  /// The camera's maker.
  public let make: String?
  /// The camera's model.
  public let model: String?
  /// The program or system that wrote it, by Exif.
  public let software: String?
  /// Its colour profile.
  public let profile: ICCProfile?
  /// Its blocks of metadata in file order.
  public let metadata: [MetadataBlock]
  /// Pictures beside the photo itself.
  public let embeddedImages: [EmbeddedImage]
  /// True if it says that a movie is inside it (Motion Photo).
  public let isMotionPhoto: Bool
  /// Bytes behind the picture, embedded images included; nil when its end was not found.
  public let trailingBytes: Int?
  /// Faults, and parts that were not read, one sentence each.
  public let notes: [String]

  /// Describes a photo by its headers.
  ///
  /// - Parameter photo: the photo.
  /// - Throws: ``MediaError`` when it is no photo or its header is damaged.
  package init(_ photo: Photo) throws {
    guard photo.kind != nil else {
      throw MediaError("it is \(PhotoKind.none) photo", remedy: "name a photo or a movie")
    }
    self = try photo.container.inspection()
  }

  init(_ file: HEIFFile, _ facts: PhotoMetadata) throws {
    kind = "HEIC"
    size = file.size
    brand = file.brand
    (width, height) = (facts.storedWidth, facts.storedHeight)
    coding = nil
    identifier = facts.contentIdentifier
    captureDate = facts.captureDate
    (make, model, software) = (facts.make, facts.model, facts.software)
    isMotionPhoto = try file.isMotionPhoto()
    let exif = try file.exif()
    let turns = file.properties(of: file.primaryItem).contains { $0.pictureTurn != nil }
    orientation = turns || exif?.orientation != nil ? facts.orientation.rawValue : nil
    profile = file.properties(of: file.primaryItem).lazy.compactMap(\.iccProfile).first.map(ICCProfile.init)
    let reader = HEIFInspectionReader(file)
    heif = reader.inspection
    var images = exif.flatMap(\.thumbnail).map { [EmbeddedImage("Exif thumbnail", jpeg: $0)] } ?? []
    images += reader.images
    embeddedImages = images
    let exifSize = file.exifItem.flatMap { reader.sizes[$0] } ?? 0
    metadata = (exif.map { MetadataBlock.list(exif: $0, size: exifSize) } ?? []) + reader.packets
    trailingBytes = file.atoms.last.map { file.size - $0.offset - $0.size }
    var notes = reader.notes
    if file.exifItem != nil, exif == nil { notes.append("its Exif block is damaged") }
    if let said = exif?.orientation, said != facts.orientation {
      notes.append(
        "Exif gives it the orientation \(said.rawValue), its properties \(facts.orientation.rawValue)")
    }
    self.notes = notes
  }

  init(_ header: JPEGHeader, _ facts: PhotoMetadata) throws {
    let source = header.source
    kind = "JPEG"
    size = source.count
    brand = nil
    (width, height) = (facts.storedWidth, facts.storedHeight)
    coding = Coding(header.frame)
    heif = nil
    identifier = facts.contentIdentifier
    captureDate = facts.captureDate
    (make, model) = (facts.make, facts.model)
    let reader = try JPEGMetadataReader(header)
    orientation = reader.exif?.orientation?.rawValue
    software = reader.exif?.text(0x0131, in: .main)
    profile = try header.iccProfile().map(ICCProfile.init)
    metadata = reader.blocks
    var notes = reader.notes
    var images = reader.thumbnails
    var trailing: Int?
    do {
      let end = try JPEGScans.end(in: source, from: header.scanStart)
      trailing = source.count - end
      images += try reader.furtherPictures(in: end..<source.count, source)
    } catch let error as MediaError {
      notes.append(error.problem)
    }
    trailingBytes = trailing
    embeddedImages = images
    isMotionPhoto = try header.isMotionPhoto()
    self.notes = notes
  }
}

extension PhotoInspection.Coding {
  init(_ frame: JPEGFrame) {
    process =
      switch frame.process {
      case .baseline: "baseline"
      case .extended: "extended"
      case .progressive: "progressive"
      case .lossless: "lossless"
      case .differential: "differential"
      }
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
