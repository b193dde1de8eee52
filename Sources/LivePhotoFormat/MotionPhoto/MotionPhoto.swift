import Basics
import EditModel

/// Motion Photos: photos with an embedded movie after the picture. XMP declares the movie in Android's “Motion Photo
/// format 1.0”. For older readers, XMP also declares the movie in the predecessor format, MicroVideo.
package enum MotionPhoto {
  /// The reason given when the declaration of a missing movie is removed.
  static let lostMovie: Message = "refers to a missing movie"
  /// The removal entry for the declaration of a missing movie.
  static let lostMovieRemoval = Removal(half: .photo, name: "MotionPhoto", reason: lostMovie)

  /// The metadata format in which a file declares its movie. The format is recorded so that an edited file can use it
  /// again.
  package struct Dialect: Hashable, Sendable {
    /// Whether XMP declares the movie in “Motion Photo format 1.0”.
    package var hasMotionPhoto = true
    /// Whether XMP declares the movie in the older MicroVideo format.
    package var hasMicroVideo = true
    /// Samsung's trailer, or nil if the file has no such trailer.
    package var trailer: SamsungTrailer?
    /// The photo's position in the movie in microseconds, as stated in XMP. -1 means that the position is unknown. The
    /// value is nil if XMP does not contain the position.
    package var timestamp: Int?
    /// Whether the movie's timing differs from the timing in the photo's XMP. If so, the manufacturer's own timing
    /// properties are rewritten.
    package var isRetimed = true
    /// Whether XMP's directory states the length of the photo, as in Samsung's HEIC files.
    var saysPhotoLength = false

    /// Creates a description of the metadata format for a movie declaration.
    ///
    /// - Parameter trailer: Samsung's trailer, by which Samsung phones find the movie.
    package init(trailer: SamsungTrailer? = nil) { self.trailer = trailer }
  }

  /// Writes a photo followed by a movie.
  ///
  /// - Parameters:
  ///   - movie: An MP4 file.
  ///   - stillTime: The photo's position in the movie in seconds, or nil if unknown.
  ///   - dialect: The metadata format in which the file declares its movie.
  /// - Returns: The parts of the photo that were not copied.
  /// - Throws: ``MediaError`` if the photo is damaged or already contains a movie.
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

  /// A movie to declare in a photo.
  struct Announcement {
    /// The size of the movie in bytes.
    let movieSize: Int
    /// The photo's position in the movie in seconds, or nil if unknown.
    let stillTime: Double?
    let dialect: Dialect

    /// The result of writing a photo that a movie will follow.
    struct Written {
      /// The bytes that follow the movie.
      var tail: [UInt8]
      /// The photo's metadata that was not copied.
      var removals: [Removal] = []
    }

    /// The sizes that a packet declares.
    struct Layout {
      /// The MIME type of the photo.
      let mime: String
      /// The length of the photo in bytes, or 0 if the packet does not declare the length.
      var photoLength = 0
      /// A gain map that is stored between the photo and the movie but not yet listed in a directory: the number of
      /// bytes before the gain map, and its length.
      var gainMap: (padding: Int, length: Int)?
      /// The number of bytes before the movie, counted from the end of the photo or of the last picture in the
      /// directory.
      let padding: Int
      /// The number of bytes after the movie that count as part of the movie.
      let tailSize: Int
      /// The part of `tailSize` that XMP declares as padding.
      var tailPadding = 0
    }

    /// Returns a packet that declares a movie. An existing declaration is replaced.
    ///
    /// - Parameter bytes: The packet, or nil to create a packet that contains only the declaration.
    /// - Throws: ``MediaError`` if the packet is damaged.
    func packet(_ bytes: [UInt8]?, _ layout: Layout) throws -> [UInt8] {
      guard let rest = try XMPPacket.withoutMotionPhoto(bytes ?? XMPPacket.empty, keepsMakersNames: true),
        var packet = try XMPPacket(rest),
        let list = packet.tree.elements.first(where: { $0.name == .rdf("RDF") })
      else { throw MediaError("the XMP is damaged", isUnsupported: true) }
      packet.stateForOPPO(movieSize: movieSize, time: dialect.isRetimed ? microseconds : nil)
      // If a directory already lists other pictures, the movie is added to it.
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
      // An element without a separate end tag ends with “/>”.
      if rest[list.range].suffix(2).elementsEqual("/>".utf8) {
        let end = list.range.upperBound
        packet.replace(end - 2..<end, with: ">" + description + "</\(list.prefix):RDF>")
      } else {
        packet.insert(description, at: list.content.upperBound)
      }
      guard let new = packet.rewritten(limit: 1 << 24) else {
        throw MediaError("the XMP is too large", isUnsupported: true)
      }
      try XMPPacket(new)?.checkDirectories()
      return new
    }

    /// The photo's position for XMP, in microseconds, or -1 if the position is unknown.
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

    /// Returns the directory items for the photo and for a gain map that is not yet listed in a directory.
    private func pictureItems(_ layout: Layout) -> String {
      let photo = { item(layout.mime, "Primary", length: layout.photoLength, padding: $0) }
      guard let gainMap = layout.gainMap else { return photo(layout.padding) }
      return photo(gainMap.padding)
        + item(layout.mime, "GainMap", length: gainMap.length, padding: layout.padding)
    }

    private func movieItem(_ layout: Layout) -> String {
      // If the file declares only one padding and its value is not zero, ExifTool up to version 13.50 (Trailer.pm,
      // ProcessGoogle) treats that single value as a list and stops. Declaring a second padding avoids this problem.
      let isLonely = layout.mime == "image/jpeg" && layout.padding > 0 && layout.gainMap == nil
      return item(
        "video/mp4", "MotionPhoto", length: movieSize + layout.tailSize,
        padding: layout.tailPadding > 0 || isLonely ? layout.tailPadding : nil)
    }

    /// Returns a directory item with declarations of all the namespaces it uses.
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
    // Pictures that are listed in an index or directory are kept between the photo and the movie.
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
    // The padding extends from the last picture in the directory, or from the main picture, to the movie.
    let namedEnd =
      isKept ? gainMap?.upperBound ?? listing.namedEnd ?? file.trailer.lowerBound : file.trailer.lowerBound
    let padding = max(0, file.trailer.lowerBound + kept.count - namedEnd) + head.count
    let samsung = try SamsungBlocks(endOf: file.trailer, of: MemoryByteSource(file.bytes))
    if !isKept || pictures.isEmpty, file.trailer.lowerBound < samsung?.start ?? file.trailer.upperBound {
      parts.remove(.multiPicture, .gainMap)
      written.removals.append(
        Removal(
          half: .photo, name: "pictures after the first",
          reason: "would occupy the movie's position in the file"))
    }
    written.removals += (samsung?.blocks ?? []).map {
      Removal(half: .photo, name: $0.title, reason: "would occupy the movie's position in the file")
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
          throw MediaError("the XMP has no room for the entries that describe a movie", isUnsupported: true)
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
    // The movie's box begins with the box size and “mpvd”.
    guard movie.movieSize <= Int(UInt32.max) - 8 else {
      throw MediaError("the movie is too large", isUnsupported: true)
    }
    guard !hasEmbeddedMovie else {
      throw MediaError("the file already contains a movie", isUnsupported: true)
    }
    let tailSize = movie.dialect.trailer?.box(movieAt: 0, movieSize: movie.movieSize).count ?? 0
    var photo = try announced(movie, photoLength: 0, tailSize: tailSize)
    // The photo's length depends on the number of digits in the declared length. Therefore, the photo is composed
    // repeatedly until the length no longer changes.
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

  /// Returns the bytes before the movie's box.
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
  /// Removes the declaration of a movie from a packet and returns the packet. If the directory lists nothing else, the
  /// directory is also removed.
  ///
  /// - Parameter keepsMakersNames: Whether to keep the manufacturer's own properties that describe the movie. Pass true
  ///   if another movie will follow the photo.
  /// - Returns: The packet, or nil if the packet cannot be read.
  static func withoutMotionPhoto(_ bytes: [UInt8], keepsMakersNames: Bool = false) throws -> [UInt8]? {
    guard var packet = try XMPPacket(bytes) else { return nil }
    packet.removeMotionPhoto(keepsMakersNames: keepsMakersNames)
    return packet.rewritten(limit: bytes.count)
  }

  /// Removes the declaration of a movie. If the directory lists nothing else, the directory is also removed.
  ///
  /// - Parameter keepsMakersNames: Whether to keep the manufacturer's own properties that describe the movie. Pass true
  ///   if another movie will follow the photo.
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

  /// The list of items in Google's directory, or nil if the packet has no such directory.
  var directory: XMLTree.Element? {
    properties(in: Namespace.container).lazy.compactMap { property -> XMLTree.Element? in
      guard case .element(let directory) = property else { return nil }
      return descendants(of: directory).first { $0.name == .rdf("Seq") }
    }.first
  }

  /// Removes the items with a given semantic from the directory.
  private mutating func removeItems(_ semantic: String) {
    guard let directory else { return }
    for entry in tree.children(of: directory)
    where descendants(of: entry).contains(where: { fields(of: $0)["Semantic"]?.text == semantic }) {
      remove(.element(entry))
    }
  }
}
