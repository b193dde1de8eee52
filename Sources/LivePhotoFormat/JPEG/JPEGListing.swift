import Basics

/// The pictures behind the first one of a JPEG, as Google's directories list them.
struct JPEGListing: Sendable {
  /// A picture, or something else, that a directory lists.
  struct Item: Hashable, Sendable {
    /// Where it stands in the file.
    let range: Range<Int>
    /// Its kind: “GainMap”, “Depth”, “Confidence”, “Original”, …; nil where nothing says so.
    let kind: String?
  }

  /// The places of a directory's items in the file.
  struct Places {
    /// The place of each item; nil for the primary picture, and where it is not known.
    var ranges: [Range<Int>?]
    /// True if the directory's lengths and paddings lead there.
    var isLaidOut = false
  }

  /// Meanings of the items by URI, as Dynamic Depth says them.
  let kinds: [String: String]
  /// The items of all directories, in file order, each once.
  private(set) var items: [Item] = []
  /// The places of what Dynamic Depth lists, by URI; nil for what is not there.
  private(set) var uris: [String: Range<Int>?] = [:]
  /// True if Dynamic Depth tells of the file.
  let isOfDepth: Bool
  /// Where the last item ends of what the directory lists that says what each item is; nil where it lists none.
  var namedEnd: Int? { named.map(\.range.upperBound).max() }
  private let trailer: Range<Int>
  private let source: any ByteSource
  /// Lengths and places of what the directory lists that says what each item is.
  private var named: [(length: Int, range: Range<Int>)] = []

  /// - Parameters:
  ///   - packets: the file's XMP.
  ///   - trailer: what follows the first picture.
  ///   - source: the file.
  init(_ packets: [XMPPacket], trailer: Range<Int>, of source: any ByteSource) {
    (self.trailer, self.source) = (trailer, source)
    kinds = packets.reduce(into: [:]) { $0.merge($1.kindsByURI) { first, _ in first } }
    var seen: Set<Range<Int>> = []
    let directories = packets.flatMap(\.directories)
    isOfDepth = !kinds.isEmpty || directories.contains(where: \.isOfDepth)
    for directory in directories.filter({ !$0.isOfDepth }) + directories.filter(\.isOfDepth) {
      let ranges = places(of: directory).ranges
      for (number, (item, range)) in zip(directory.items, ranges).enumerated() {
        if let uri = item.uri, !isPrimary(number, directory) { uris[uri] = .some(range) }
        guard let range else { continue }
        if !directory.isOfDepth { named.append((range.count, range)) }
        if seen.insert(range).inserted {
          items.append(Item(range: range, kind: kind(of: item)))
        }
      }
    }
    items.sort { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The kind of an item; nil where nothing says so.
  private func kind(of item: XMPPacket.DirectoryItem) -> String? {
    item.semantic ?? item.uri.flatMap { kinds[$0] }
  }

  /// True for the picture that the file begins with. Dynamic Depth calls it by its place.
  func isPrimary(_ number: Int, _ directory: XMPPacket.Directory) -> Bool {
    directory.isOfDepth ? number == 0 : directory.items[number].semantic == "Primary"
  }

  /// Where the items of a directory stand.
  ///
  /// They follow the primary picture, with as much between them as their paddings say. Where no pictures are there, paddings do not
  /// count; and where Dynamic Depth does not list what the other directory does, its items are found there by their
  /// lengths.
  func places(of directory: XMPPacket.Directory) -> Places {
    for usesPadding in [true, false] {
      let ranges = follow(directory, usesPadding: usesPadding)
      let arePictures = zip(directory.items, ranges).allSatisfy { item, range in
        range.map { !item.mime.isEmpty && !item.mime.hasPrefix("image/") || isPicture($0) } ?? true
      }
      if arePictures { return Places(ranges: ranges, isLaidOut: usesPadding) }
    }
    guard directory.isOfDepth else { return Places(ranges: follow(directory, usesPadding: false)) }
    var left = named[...]
    return Places(
      ranges: directory.items.enumerated().map { number, item in
        guard number > 0, let found = left.firstIndex(where: { $0.length == item.length }) else { return nil }
        defer { left = left[(found + 1)...] }
        return left[found].range
      })
  }

  private func follow(_ directory: XMPPacket.Directory, usesPadding: Bool) -> [Range<Int>?] {
    var at = trailer.lowerBound
    return directory.items.enumerated().map { number, item in
      let start = at
      if isPrimary(number, directory) {
        at += usesPadding ? item.padding : 0
        return nil
      }
      guard let length = item.length, length > 0, start <= trailer.upperBound,
        length <= trailer.upperBound - start
      else {
        // Nothing is known of what follows it.
        at = trailer.upperBound
        return nil
      }
      at += length + (usesPadding ? item.padding : 0)
      return start..<start + length
    }
  }

  private func isPicture(_ range: Range<Int>) -> Bool {
    guard range.count >= 8, let head = try? source.read(at: range.lowerBound, count: 8) else { return false }
    return head.starts(with: [0xFF, 0xD8, 0xFF]) || head == PNGFile.signature
  }
}

extension JPEGListing {
  /// A picture that stands behind the new first one.
  struct Kept: Sendable {
    /// Where it stood in the file; nil where it did not.
    let old: Range<Int>?
    /// Where it stands behind the new picture.
    let new: Range<Int>
    /// True if it is an HDR gain map.
    let isGainMap: Bool

    /// Lays maps behind one another.
    static func laid(_ maps: [JPEGMap]) -> [Kept] {
      var at = 0
      return maps.map { map in
        defer { at += map.bytes.count }
        return Kept(old: map.source, new: at..<at + map.bytes.count, isGainMap: map.isGainMap)
      }
    }

    /// True if an item of a directory that stood at a place is this picture.
    func stands(for item: XMPPacket.DirectoryItem, at place: Range<Int>?) -> Bool {
      (old != nil && old == place) || (isGainMap && item.semantic == "GainMap")
    }
  }
}

extension XMPPacket.Directory {
  /// True if it lists more than the primary picture and a movie.
  var listsPictures: Bool {
    isOfDepth ? items.count > 1 : items.contains { !["Primary", "MotionPhoto", nil].contains($0.semantic) }
  }

  /// True if it lists one of some pictures.
  func lists(_ pictures: [JPEGListing.Kept], _ listing: JPEGListing) -> Bool {
    zip(items, listing.places(of: self).ranges).contains { item, range in
      pictures.contains { $0.stands(for: item, at: range) }
    }
  }
}

extension JPEGParts {
  /// Finds the pictures that directories list, in the main packet or in extended ones.
  ///
  /// - Throws: ``MediaError`` when a directory lists too many, or when there are too many with those that an index lists.
  func listing() throws -> JPEGListing {
    let extended = try extendedPackets.compactMap { packet in
      try packet.bytes.flatMap {
        $0.firstIndex(of: XMPPacket.DynamicDepth.root) == nil ? nil : try XMPPacket($0)
      }
    }
    let all = try packets + extended
    for packet in all { try packet.checkDirectories() }
    let listing = JPEGListing(all, trailer: file.trailer, of: MemoryByteSource(file.bytes))
    let most = ReadingLimit.furtherPictures.value
    guard furtherPictures(listing).count <= most else {
      throw MediaError(beyond: .furtherPictures, "it has more than \(most) pictures behind its first")
    }
    return listing
  }
}
