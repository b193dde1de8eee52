import Basics

/// A reader that joins the metadata segments of a JPEG's header into metadata blocks.
struct JPEGMetadataReader {
  /// The metadata blocks in file order.
  private(set) var blocks: [PhotoInspection.MetadataBlock] = []
  /// The first Exif block.
  private(set) var exif: TIFFBlock?
  /// The thumbnails in Exif and JFXX.
  private(set) var thumbnails: [PhotoInspection.EmbeddedImage] = []
  /// The defects that were found.
  private(set) var notes: [Message] = []
  /// The numbers of the boxes that contain C2PA manifests. See ``C2PAManifest``.
  private var manifests: Set<Int> = []
  private var indices: [(payloadStart: Int, index: MultiPicture)] = []

  /// The maximum number of bytes that are kept in memory. Real headers are smaller.
  private static let largest = 64 << 20

  init(_ header: JPEGHeader) throws {
    var left = Self.largest
    var iptc = 0
    for segment in header.segments where segment.isMetadata {
      left -= segment.payload.count
      guard left >= 0 else {
        notes.append("the metadata exceeds \(Self.largest >> 20) MB and is shown only in part")
        break
      }
      let payload = try header.source.read(at: segment.payload.lowerBound, count: segment.payload.count)
      let kind = JPEGMetadataKind(marker: segment.marker, payload: payload)
      let content = Array(payload.dropFirst(kind?.signature.prefix.count ?? 0))
      switch kind {
      case .exif where exif == nil && !blocks.contains { $0.name == "Exif" }: readExif(content)
      case .jfxx:
        // The content begins with a code for the kind of thumbnail (0x10 for JPEG), followed by the thumbnail (ITU-T
        // T.871 section 10.2).
        add("JFXX", content.count)
        thumbnails.append(PhotoInspection.EmbeddedImage("JFXX thumbnail", jpeg: Array(content.dropFirst())))
      case .photoshop:
        add("Photoshop", content.count)
        iptc += PhotoshopResources.iptcSize(content)
      case .multiPicture:
        let index = MultiPicture(payload)
        if let index { indices.append((segment.payload.lowerBound, index)) }
        add("MPF", content.count, detail: index.map { "\($0.pictures.count) pictures" } ?? "damaged")
      case let kind?: add(kind.rawValue, content.count)
      case nil:
        if segment.marker == 0xE2, payload.count >= 14, payload.starts(with: ICCProfile.signature) {
          add("ICC profile", payload.count - 14)
        } else {
          addOther(segment.marker, payload)
        }
      }
    }
    if iptc > 0 { add("IPTC", iptc) }
  }

  /// Adds a metadata block. If a block of that name already exists, adds to that block's size instead.
  private mutating func add(_ name: String, _ size: Int, detail: String? = nil) {
    let joins = ["ICC profile", "extended XMP", "Photoshop", "C2PA manifest"].contains(name)
    guard joins, let known = blocks.firstIndex(where: { $0.name == name }) else {
      return blocks.append(PhotoInspection.MetadataBlock(name: name, size: size, detail: detail))
    }
    blocks[known].size += size
    blocks[known].segments += 1
  }

  private mutating func addOther(_ marker: UInt8, _ payload: [UInt8]) {
    if marker == 0xFE {
      let text = String(decoding: payload.prefix(80).prefix { $0 != 0 }, as: UTF8.self)
      add("comment", payload.count, detail: text)
    } else if marker == 0xEB, let piece = C2PAManifest.piece(payload),
      piece.isManifest || manifests.contains(piece.box)
    {
      manifests.insert(piece.box)
      add("C2PA manifest", payload.count)
    } else if marker == 0xEE, payload.hasPrefix("Adobe") {
      add("Adobe", payload.count, detail: payload.count >= 12 ? "colour transform \(payload[11])" : nil)
    } else {
      let word = payload.prefix(24).prefix { (0x20..<0x7F).contains($0) }
      add(
        "APP\(marker & 15)", payload.count, detail: word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
      )
    }
  }

  private mutating func readExif(_ content: [UInt8]) {
    guard let block = TIFFBlock(exif: content) else {
      add("Exif", content.count, detail: "damaged")
      notes.append("the Exif block is damaged")
      return
    }
    exif = block
    blocks += PhotoInspection.MetadataBlock.list(exif: block, size: content.count)
    if let range = block.thumbnailRange {
      thumbnails.append(PhotoInspection.EmbeddedImage("Exif thumbnail", jpeg: Array(block.bytes[range])))
    }
  }

  /// Whether the header contains XMP, which may list additional pictures.
  var hasXMP: Bool { blocks.contains { $0.name == JPEGMetadataKind.xmp.rawValue } }

  /// Returns the pictures that the MPF index lists after the main picture.
  func furtherPictures(
    in trailer: Range<Int>, _ source: some ByteSource
  ) throws -> [PhotoInspection.EmbeddedImage] {
    var images: [PhotoInspection.EmbeddedImage] = []
    for (start, index) in indices {
      for range in index.ranges(payloadStart: start, within: trailer) where images.count < 64 {
        let head = try source.read(at: range.lowerBound, count: min(range.count, 1 << 17))
        images.append(
          PhotoInspection.EmbeddedImage("MPF picture \(images.count + 2)", jpeg: head, size: range.count))
      }
    }
    return images
  }
}

extension PhotoInspection.MetadataBlock {
  /// Returns descriptions of an Exif block and of its maker note.
  ///
  /// - Parameter size: The size of the stored Exif block in bytes.
  static func list(exif block: TIFFBlock, size: Int) -> [Self] {
    let directories: [(TIFFBlock.Directory, String)] = [
      (.main, "IFD0"), (.exif, "Exif"), (.gps, "GPS"), (.interoperability, "Interop"), (.thumbnail, "IFD1"),
    ]
    let counts = directories.compactMap { directory, name in
      block.listing(directory).map { "\(name) \($0.entries.count)" }
    }
    let order = block.order == .big ? "big endian" : "little endian"
    let exif = Self(name: "Exif", size: size, detail: order + ", tags: " + counts.joined(separator: ", "))
    guard let note = block.data(0x927C, in: .exif) else { return [exif] }
    let maker = AppleMakerNote(note).map { "Apple, \($0.tags.count) tags" } ?? "not Apple's"
    return [exif, Self(name: "maker note", size: note.count, detail: maker)]
  }
}

extension PhotoInspection.EmbeddedImage {
  /// Creates a description of an embedded picture.
  ///
  /// - Parameters:
  ///   - name: The picture's name.
  ///   - bytes: The bytes of the complete picture, or the first bytes. The picture is normally a JPEG or PNG.
  ///   - size: The size of the complete picture in bytes.
  init(_ name: String, jpeg bytes: [UInt8], size: Int? = nil) {
    let source = MemoryByteSource(bytes)
    let pixels =
      (try? JPEGHeader(reading: source).frame.size) ?? (try? PNGFile(reading: source).layout.size)
    self.init(name: name, size: size ?? bytes.count, width: pixels?.width, height: pixels?.height)
  }
}
