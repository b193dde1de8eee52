import Basics
import EditModel

/// Motion Photos: a movie embedded behind a photo, announced by XMP (Android, “Motion Photo format 1.0”), and in the way
/// of its predecessor, MicroVideo, for older readers.
package enum MotionPhoto {
  /// Writes a photo with a movie behind it.
  ///
  /// - Parameters:
  ///   - movie: an MP4 file.
  ///   - stillTime: the photo's place in the movie in seconds; nil when it is not known.
  ///   - hasSamsungTrailer: whether Samsung's trailer is added, which phones of that maker look for.
  /// - Returns: what the photo does not carry any more.
  /// - Throws: ``MediaError`` when the photo is damaged or holds a movie already.
  package static func write(
    photo: Photo, movie: any ByteSource, stillTime: Double?, hasSamsungTrailer: Bool = false,
    to sink: any ByteSink
  ) throws -> [Removal] {
    let announcement = Announcement(
      movieSize: movie.count, stillTime: stillTime,
      trailer: hasSamsungTrailer ? SamsungTrailer(movieSize: movie.count) : nil)
    let removals = try photo.container.write(announcing: announcement, to: sink)
    try movie.copy(0..<movie.count, to: sink)
    if let trailer = announcement.trailer { try sink.write(trailer.tail) }
    return removals
  }

  /// The movie that a photo is to announce.
  struct Announcement {
    /// Bytes of the movie.
    let movieSize: Int
    /// The photo's place in the movie in seconds; nil when it is not known.
    let stillTime: Double?
    /// Samsung's trailer around the movie; nil for none.
    let trailer: SamsungTrailer?

    /// A packet that announces a movie, in place of one that it announced before.
    ///
    /// - Parameters:
    ///   - bytes: the packet; nil for one that says nothing else.
    ///   - padding: bytes between the photo and the movie.
    /// - Throws: ``MediaError`` when the packet is damaged.
    func packet(_ bytes: [UInt8]?, mime: String, padding: Int) throws -> [UInt8] {
      guard let rest = XMPPacket.withoutMotionPhoto(bytes ?? XMPPacket.empty), let packet = XMPPacket(rest),
        let list = packet.tree.elements.first(where: {
          $0.name == .rdf("RDF")
        })
      else { throw MediaError("its XMP is damaged", isUnsupported: true) }
      let description =
        "<rdf:Description rdf:about=\"\" xmlns:rdf=\"\(XMPPacket.Namespace.rdf)\" "
        + text(mime: mime, padding: padding)
      // An element without an end tag of its own ends with “/>”.
      guard rest[list.range].suffix(2).elementsEqual("/>".utf8) else {
        return Array(rest[..<list.content.upperBound]) + Array(description.utf8)
          + rest[list.content.upperBound...]
      }
      let end = list.range.upperBound
      return Array(rest[..<(end - 2)]) + Array((">" + description + "</\(list.prefix):RDF>").utf8)
        + rest[end...]
    }

    /// Attributes and content of the description that announces the movie.
    private func text(mime: String, padding: Int) -> String {
      let length = movieSize + (trailer?.tail.count ?? 0)
      // -1 says that the place is not known.
      let microseconds = stillTime.flatMap { Int(exactly: ($0 * 1_000_000).rounded()) } ?? -1
      let item = "xmlns:Item=\"\(XMPPacket.Namespace.containerItem)\""
      return """
        xmlns:GCamera="\(XMPPacket.Namespace.camera)" xmlns:Container="\(XMPPacket.Namespace.container)" \(item) \
        GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion="1" \
        GCamera:MotionPhotoPresentationTimestampUs="\(microseconds)" GCamera:MicroVideo="1" \
        GCamera:MicroVideoVersion="1" GCamera:MicroVideoOffset="\(length)" \
        GCamera:MicroVideoPresentationTimestampUs="\(microseconds)">\
        <Container:Directory><rdf:Seq>\
        <rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="\(mime)" Item:Semantic="Primary" \
        Item:Length="0" Item:Padding="\(padding)"/></rdf:li>\
        <rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="video/mp4" Item:Semantic="MotionPhoto" \
        Item:Length="\(length)" Item:Padding="0"/></rdf:li>\
        </rdf:Seq></Container:Directory></rdf:Description>
        """
    }
  }
}

extension JPEGHeader {
  func write(announcing movie: MotionPhoto.Announcement, to sink: any ByteSink) throws -> [Removal] {
    let file = try wholeFile()
    var parts = JPEGParts(file)
    var removals: [Removal] = []
    if !file.trailer.isEmpty {
      parts.remove(.multiPicture, .gainMap)
      removals.append(
        Removal(
          half: .photo, name: "pictures behind the first", reason: "would stand where the movie must be"))
    }
    let head = movie.trailer?.head ?? []
    let index = parts.indices(of: .xmp).first
    let packet = try movie.packet(
      index.map { parts.list[$0].content }, mime: "image/jpeg", padding: head.count)
    if let index {
      guard packet.count <= parts.list[index].limit else {
        throw MediaError("its XMP has no room for what announces a movie", isUnsupported: true)
      }
      parts.setContent(packet, at: index)
    } else {
      parts.insert(packet, as: .xmp, behind: [.jfif, .jfxx, .exif])
    }
    try sink.write(parts.assembled(trailer: []) + head)
    return removals
  }
}

extension HEIFFile {
  func write(announcing movie: MotionPhoto.Announcement, to sink: any ByteSink) throws -> [Removal] {
    // The box of the movie: its size, and “mpvd”.
    guard movie.trailer == nil, movie.movieSize <= Int(UInt32.max) - 8 else {
      throw MediaError("Samsung's trailer is written behind JPEG photos only", isUnsupported: true)
    }
    guard !hasEmbeddedMovie else { throw MediaError("it holds a movie already", isUnsupported: true) }
    var composition = HEIFComposition(self)
    let item = xmpItems.first
    let packet = try movie.packet(item.map { try data(of: $0) }, mime: "image/heic", padding: 8)
    if let item {
      composition.replace(item, with: packet)
    } else {
      try composition.add(
        "mime", packet, contentType: "application/rdf+xml", describing: primaryItem)
    }
    try composition.writeInPlace(to: sink)
    try sink.write(ByteOrder.big.bytes(of: movie.movieSize + 8, width: 4) + Array("mpvd".utf8))
    return []
  }
}

/// The trailer by which Samsung's phones find a movie behind a photo: a named block, and a directory of blocks at the
/// file's end, little-endian (ExifTool, `Samsung.pm`).
struct SamsungTrailer {
  /// The bytes before the movie.
  let head: [UInt8]
  /// The bytes behind it.
  let tail: [UInt8]

  /// Type 0x0A30, an embedded movie.
  private static let kind: [UInt8] = [0, 0, 0x30, 0x0A]
  static let name = "MotionPhoto_Data"

  init(movieSize: Int) {
    let little = ByteOrder.little
    head = Self.kind + little.bytes(of: Self.name.utf8.count, width: 4) + Array(Self.name.utf8)
    let size = head.count + movieSize
    // One entry: how far before the directory its block begins, and the block's size.
    var directory = Array("SEFH".utf8) + little.bytes(of: 106, width: 4) + little.bytes(of: 1, width: 4)
    directory += Self.kind + little.bytes(of: size, width: 4) + little.bytes(of: size, width: 4)
    tail = directory + little.bytes(of: directory.count, width: 4) + Array("SEFT".utf8)
  }
}

extension XMPPacket {
  /// A packet that announces no movie, its directory of items with it.
  ///
  /// - Returns: nil when it cannot be read.
  static func withoutMotionPhoto(_ bytes: [UInt8]) -> [UInt8]? {
    guard var packet = XMPPacket(bytes) else { return nil }
    let others = packet.containerSemantics.filter { $0 != "Primary" && $0 != "MotionPhoto" }
    for property in packet.properties {
      let isMotion =
        property.name.local.hasPrefix("MotionPhoto") || property.name.local.hasPrefix("MicroVideo")
      switch property.name.namespace {
      case Namespace.camera where isMotion: packet.remove(property)
      case Namespace.container where others.isEmpty: packet.remove(property)
      default: break
      }
    }
    return packet.rewritten(limit: bytes.count)
  }
}
