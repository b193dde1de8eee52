import Basics
import EditModel

/// Motion Photos: a movie embedded behind a photo, announced by XMP (Android, “Motion Photo format 1.0”), and in the way
/// of its predecessor, MicroVideo, for older readers.
package enum MotionPhoto {
  /// Why the names that announce a movie are taken out of a file without one.
  static let lostMovie: Message = "announces a movie that is not there"
  /// Tells that these names were taken out.
  static let lostMovieRemoval = Removal(half: .photo, name: "MotionPhoto", reason: lostMovie)

  /// How a file says that it holds a movie, so that an edited one says it likewise.
  package struct Dialect: Hashable, Sendable {
    /// True if XMP says it as “Motion Photo format 1.0” has it.
    package var hasMotionPhoto = true
    /// True if XMP says it as MicroVideo had it before.
    package var hasMicroVideo = true
    /// Samsung's trailer; nil for none.
    package var trailer: SamsungTrailer?
    /// The photo's place in the movie as XMP says it, in microseconds; -1 where it is not known, nil where it is not said.
    package var timestamp: Int?
    /// True if the movie's time is not what the photo's XMP told of, so that a maker's own names of it are rewritten.
    package var isRetimed = true
    /// True if XMP's directory says how long the photo is, as Samsung's HEIC has it.
    var saysPhotoLength = false

    /// - Parameter trailer: Samsung's trailer, which phones of that maker look for.
    package init(trailer: SamsungTrailer? = nil) { self.trailer = trailer }
  }

  /// Writes a photo with a movie behind it.
  ///
  /// - Parameters:
  ///   - movie: an MP4 file.
  ///   - stillTime: the photo's place in the movie in seconds; nil when it is not known.
  ///   - dialect: how the file says so.
  /// - Returns: what the photo does not carry any more.
  /// - Throws: ``MediaError`` when the photo is damaged or holds a movie already.
  package static func write(
    photo: Photo, movie: any ByteSource, stillTime: Double?, as dialect: Dialect = Dialect(),
    to sink: any ByteSink
  ) throws -> [Removal] {
    let announcement = Announcement(movieSize: movie.count, stillTime: stillTime, dialect: dialect)
    let written = try photo.container.write(announcing: announcement, to: sink)
    try movie.copy(0..<movie.count, to: sink)
    try sink.write(written.tail)
    return written.removals
  }

  /// The movie that a photo is to announce.
  struct Announcement {
    /// Bytes of the movie.
    let movieSize: Int
    /// The photo's place in the movie in seconds; nil when it is not known.
    let stillTime: Double?
    let dialect: Dialect

    /// The outcome of writing a photo before the movie.
    struct Written {
      /// The bytes that follow the movie.
      var tail: [UInt8]
      /// The metadata that the photo does not carry any more.
      var removals: [Removal] = []
    }

    /// The sizes that a packet says.
    struct Layout {
      /// The kind of the photo.
      let mime: String
      /// Bytes of the photo; 0 where they are not said.
      var photoLength = 0
      /// A gain map between the photo and the movie that no directory lists yet: the bytes before it, and its own.
      var gainMap: (padding: Int, length: Int)?
      /// Bytes between the photo, or the last picture of the directory, and the movie.
      let padding: Int
      /// Bytes behind the movie that count as its own.
      let tailSize: Int
      /// Bytes of them that XMP calls padding.
      var tailPadding = 0
    }

    /// A packet that announces a movie, in place of one that it announced before.
    ///
    /// - Parameter bytes: the packet; nil for one that says nothing else.
    /// - Throws: ``MediaError`` when the packet is damaged.
    func packet(_ bytes: [UInt8]?, _ layout: Layout) throws -> [UInt8] {
      guard let rest = try XMPPacket.withoutMotionPhoto(bytes ?? XMPPacket.empty, keepsMakersNames: true),
        var packet = try XMPPacket(rest),
        let list = packet.tree.elements.first(where: { $0.name == .rdf("RDF") })
      else { throw MediaError("its XMP is damaged", isUnsupported: true) }
      packet.stateForOPPO(movieSize: movieSize, time: dialect.isRetimed ? microseconds : nil)
      // A directory that lists other pictures gets one item more.
      let item = movieItem(layout)
      let others = packet.directory
      if dialect.hasMotionPhoto, let others {
        packet.insert(item, at: others.content.upperBound)
        if let last = packet.containerItems.last, layout.mime == "image/jpeg", last.padding != layout.padding
        {
          packet.setField("Padding", to: String(layout.padding), behind: "Mime", in: last.element)
        }
      }
      let directory =
        dialect.hasMotionPhoto && others == nil ? self.directory(pictureItems(layout) + item) : ""
      let description =
        "<rdf:Description rdf:about=\"\" xmlns:rdf=\"\(XMPPacket.Namespace.rdf)\" \(attributes(layout))>\(directory)</rdf:Description>"
      // An element without an end tag of its own ends with “/>”.
      if rest[list.range].suffix(2).elementsEqual("/>".utf8) {
        let end = list.range.upperBound
        packet.replace(end - 2..<end, with: ">" + description + "</\(list.prefix):RDF>")
      } else {
        packet.insert(description, at: list.content.upperBound)
      }
      guard let new = packet.rewritten(limit: 1 << 24) else {
        throw MediaError("its XMP is too large", isUnsupported: true)
      }
      try XMPPacket(new)?.checkDirectories()
      return new
    }

    /// The photo's place as XMP says it, in microseconds; -1 says that it is not known.
    private var microseconds: Int {
      stillTime.flatMap { Int(exactly: ($0 * 1_000_000).rounded()) } ?? dialect.timestamp ?? -1
    }

    private func attributes(_ layout: Layout) -> String {
      let length = movieSize + layout.tailSize
      var text = ["xmlns:GCamera=\"\(XMPPacket.Namespace.camera)\""]
      if dialect.hasMotionPhoto {
        text += [
          "GCamera:MotionPhoto=\"1\" GCamera:MotionPhotoVersion=\"1\"",
          "GCamera:MotionPhotoPresentationTimestampUs=\"\(microseconds)\"",
        ]
      }
      if dialect.hasMicroVideo {
        text += [
          "GCamera:MicroVideo=\"1\" GCamera:MicroVideoVersion=\"1\" GCamera:MicroVideoOffset=\"\(length)\"",
          "GCamera:MicroVideoPresentationTimestampUs=\"\(microseconds)\"",
        ]
      }
      return text.joined(separator: " ")
    }

    private func directory(_ items: String) -> String {
      "<Container:Directory xmlns:Container=\"\(XMPPacket.Namespace.container)\"><rdf:Seq>\(items)</rdf:Seq></Container:Directory>"
    }

    /// The items of the photo and of a gain map that no directory lists yet.
    private func pictureItems(_ layout: Layout) -> String {
      let photo = { item(layout.mime, "Primary", length: layout.photoLength, padding: $0) }
      guard let gainMap = layout.gainMap else { return photo(layout.padding) }
      return photo(gainMap.padding)
        + item(layout.mime, "GainMap", length: gainMap.length, padding: layout.padding)
    }

    private func movieItem(_ layout: Layout) -> String {
      // A padding that is not 0 and has no other beside it stops ExifTool up to 13.50 (Trailer.pm, ProcessGoogle), which takes
      // it for a list.
      let isLonely = layout.mime == "image/jpeg" && layout.padding > 0 && layout.gainMap == nil
      return item(
        "video/mp4", "MotionPhoto", length: movieSize + layout.tailSize,
        padding: layout.tailPadding > 0 || isLonely ? layout.tailPadding : nil)
    }

    /// An item of the directory, with all names that it uses.
    private func item(_ mime: String, _ semantic: String, length: Int, padding: Int?) -> String {
      """
      <rdf:li xmlns:rdf="\(XMPPacket.Namespace.rdf)" rdf:parseType="Resource"><Container:Item \
      xmlns:Container="\(XMPPacket.Namespace.container)" xmlns:Item="\(XMPPacket.Namespace.containerItem)" \
      Item:Mime="\(mime)" Item:Semantic="\(semantic)" Item:Length="\(length)"\
      \(padding.map { " Item:Padding=\"\($0)\"" } ?? "")/></rdf:li>
      """
    }
  }
}

extension JPEGHeader {
  func write(
    announcing movie: MotionPhoto.Announcement, to sink: any ByteSink
  ) throws -> MotionPhoto.Announcement.Written {
    let file = try wholeFile()
    var parts = JPEGParts(file)
    let (head, tail) = (
      movie.dialect.trailer?.head ?? [], movie.dialect.trailer?.tail(movieSize: movie.movieSize) ?? []
    )
    var written = MotionPhoto.Announcement.Written(tail: tail, removals: parts.removeManifests())
    // What an index or a directory lists stays between the photo and the movie.
    let listing = try parts.listing()
    let known = try parts.maps(listing).map(\.range) + listing.items.map(\.range)
    let pictures = parts.furtherPictures(listing)
    let isKept = pictures.allSatisfy(known.contains)
    let end = pictures.map(\.upperBound).max() ?? file.trailer.lowerBound
    let kept = isKept ? Array(file.bytes[file.trailer.lowerBound..<end]) : []
    let isListed = try parts.packets.contains {
      $0.directories.contains { !$0.isOfDepth && $0.listsPictures }
    }
    let gainMap =
      isKept && !isListed ? try parts.maps(listing).first { $0.name == JPEGMap.gainMap }?.range : nil
    // From the last picture of the directory, or the first one, to the movie.
    let namedEnd =
      isKept ? gainMap?.upperBound ?? listing.namedEnd ?? file.trailer.lowerBound : file.trailer.lowerBound
    let padding = max(0, file.trailer.lowerBound + kept.count - namedEnd) + head.count
    let samsung = try SamsungBlocks(endOf: file.trailer, of: MemoryByteSource(file.bytes))
    if !isKept || pictures.isEmpty, file.trailer.lowerBound < samsung?.start ?? file.trailer.upperBound {
      parts.remove(.multiPicture, .gainMap)
      written.removals.append(
        Removal(
          half: .photo, name: "pictures behind the first", reason: "would stand where the movie must be"))
    }
    written.removals += (samsung?.blocks ?? []).map {
      Removal(half: .photo, name: $0.title, reason: "would stand where the movie must be")
    }
    if movie.dialect.hasMotionPhoto || movie.dialect.hasMicroVideo {
      let layout = MotionPhoto.Announcement.Layout(
        mime: "image/jpeg",
        gainMap: gainMap.map { (padding: $0.lowerBound - file.trailer.lowerBound, length: $0.count) },
        padding: padding, tailSize: tail.count)
      let index = parts.indices(of: .xmp).first
      let packet = try movie.packet(index.map { parts.list[$0].content }, layout)
      if let index {
        guard packet.count <= parts.list[index].limit else {
          throw MediaError("its XMP has no room for what announces a movie", isUnsupported: true)
        }
        parts.setContent(packet, at: index)
      } else {
        parts.insert(packet, as: .xmp, behind: [.jfif, .jfxx, .exif])
      }
    }
    try sink.write(parts.assembled(trailer: kept + head))
    return written
  }
}

extension HEIFFile {
  func write(
    announcing movie: MotionPhoto.Announcement, to sink: any ByteSink
  ) throws -> MotionPhoto.Announcement.Written {
    // The box of the movie: its size, and “mpvd”.
    guard movie.movieSize <= Int(UInt32.max) - 8 else {
      throw MediaError("its movie is too large", isUnsupported: true)
    }
    guard !hasEmbeddedMovie else { throw MediaError("it holds a movie already", isUnsupported: true) }
    let tailSize = movie.dialect.trailer?.box(movieAt: 0, movieSize: movie.movieSize).count ?? 0
    var photo = try announced(movie, photoLength: 0, tailSize: tailSize)
    // Its length depends on the digits of that number.
    for _ in 0..<4 where movie.dialect.saysPhotoLength {
      let longer = try announced(movie, photoLength: photo.count, tailSize: tailSize)
      if longer == photo { break }
      photo = longer
    }
    try sink.write(photo)
    try sink.write(ByteOrder.big.bytes(of: movie.movieSize + 8, width: 4) + Array("mpvd".utf8))
    let tail = movie.dialect.trailer?.box(movieAt: photo.count + 8, movieSize: movie.movieSize)
    var trial = HEIFComposition(self)
    return MotionPhoto.Announcement.Written(tail: tail ?? [], removals: try trial.removeManifests())
  }

  /// The bytes before the movie's box.
  private func announced(
    _ movie: MotionPhoto.Announcement, photoLength: Int, tailSize: Int
  ) throws -> [UInt8] {
    var composition = HEIFComposition(self)
    _ = try composition.removeManifests()
    if movie.dialect.hasMotionPhoto || movie.dialect.hasMicroVideo {
      let layout = MotionPhoto.Announcement.Layout(
        mime: "image/heic", photoLength: photoLength, padding: 8,
        tailSize: tailSize, tailPadding: tailSize)
      let item = xmpItems.first
      let packet = try movie.packet(item.map { try data(of: $0) }, layout)
      if let item {
        composition.replace(item, with: packet)
      } else {
        try composition.add(
          "mime", packet, contentType: "application/rdf+xml", describing: primaryItem)
      }
    }
    let photo = MemoryByteSink()
    try composition.writeInPlace(to: photo)
    return photo.bytes
  }
}

extension XMPPacket {
  /// A packet that announces no movie, its directory of items with it.
  ///
  /// - Parameter keepsMakersNames: whether a maker's own names of the movie stay, because another movie follows.
  /// - Returns: nil when it cannot be read.
  static func withoutMotionPhoto(_ bytes: [UInt8], keepsMakersNames: Bool = false) throws -> [UInt8]? {
    guard var packet = try XMPPacket(bytes) else { return nil }
    packet.removeMotionPhoto(keepsMakersNames: keepsMakersNames)
    return packet.rewritten(limit: bytes.count)
  }

  /// Takes out what announces a movie, and the directory of items where it lists nothing else.
  ///
  /// - Parameter keepsMakersNames: whether a maker's own names of the movie stay, because another movie follows.
  mutating func removeMotionPhoto(keepsMakersNames: Bool = false) {
    let others = containerSemantics.filter { $0 != "Primary" && $0 != "MotionPhoto" }
    if !others.isEmpty { removeItems("MotionPhoto") }
    for property in properties {
      let local = property.name.local
      let isMotion = local.hasPrefix("MotionPhoto") || local.hasPrefix("MicroVideo")
      switch property.name.namespace {
      case Namespace.camera where isMotion: remove(property)
      case Namespace.container where others.isEmpty: remove(property)
      case Self.oppo
      where !keepsMakersNames && (isMotion || ["OLivePhotoVersion", "VideoLength"].contains(local)):
        remove(property)
      default: break
      }
    }
  }

  /// The list of Google's directory of items; nil without one.
  var directory: XMLTree.Element? {
    properties(in: Namespace.container).lazy.compactMap { property -> XMLTree.Element? in
      guard case .element(let directory) = property else { return nil }
      return descendants(of: directory).first { $0.name == .rdf("Seq") }
    }.first
  }

  /// Takes items of a kind out of the directory.
  private mutating func removeItems(_ semantic: String) {
    guard let directory else { return }
    for entry in tree.children(of: directory)
    where descendants(of: entry).contains(where: { fields(of: $0)["Semantic"]?.text == semantic }) {
      remove(.element(entry))
    }
  }
}
