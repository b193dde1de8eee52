import Basics

/// The pictures after the first picture of a JPEG, as listed in Google's directories.
struct JPEGListing: Sendable {
  /// A picture or other data listed in a directory.
  struct Item: Hashable, Sendable {
    /// The range of the item in the file.
    let range: Range<Int>
    /// The kind of the item: “GainMap”, “Depth”, “Confidence”, “Original”, …, or nil if the metadata does not state the
    /// kind.
    let kind: String?
  }

  /// The positions of a directory's items in the file.
  struct Places {
    /// The range of each item, or nil for the primary picture and for items whose position is unknown.
    var ranges: [Range<Int>?]
    /// Whether the ranges were calculated from the lengths and padding in the directory.
    var isLaidOut = false
  }

  /// The kinds of the items by URI, as defined by Dynamic Depth.
  let kinds: [String: String]
  /// The distinct items of all directories, in file order.
  private(set) var items: [Item] = []
  /// The ranges of the items that Dynamic Depth lists, by URI. A missing item has the range nil.
  private(set) var uris: [String: Range<Int>?] = [:]
  /// Whether the file contains Dynamic Depth metadata.
  let isOfDepth: Bool
  /// The end of the last item in the directories that state each item's kind, or nil if those directories list no
  /// items.
  var namedEnd: Int? { named.map(\.range.upperBound).max() }
  private let trailer: Range<Int>
  private let source: any ByteSource
  /// The lengths and ranges of the items in directories that state each item's kind.
  private var named: [(length: Int, range: Range<Int>)] = []

  /// Finds the items of all directories.
  ///
  /// - Parameters:
  ///   - packets: The file's XMP packets.
  ///   - trailer: The range after the first picture.
  ///   - source: The file.
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

  /// Returns the kind of an item, or nil if the metadata does not state the kind.
  private func kind(of item: XMPPacket.DirectoryItem) -> String? {
    item.semantic ?? item.uri.flatMap { kinds[$0] }
  }

  /// Returns whether an item is the primary picture, which is at the beginning of the file. Dynamic Depth identifies
  /// the primary picture by its position in the list.
  func isPrimary(_ number: Int, _ directory: XMPPacket.Directory) -> Bool {
    directory.isOfDepth ? number == 0 : directory.items[number].semantic == "Primary"
  }

  /// Returns the positions of a directory's items.
  ///
  /// The items follow the primary picture, separated by padding. If pictures are not found at the resulting positions,
  /// the padding is ignored. If Dynamic Depth lists fewer items than the other directory, the items of Dynamic Depth
  /// are matched to items in the other directory by length.
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
        // The positions of the items after this item are unknown.
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
  /// A picture that is written after the new first picture.
  struct Kept: Sendable {
    /// The picture's range in the original file, or nil if the file did not contain it.
    let old: Range<Int>?
    /// The picture's range relative to the end of the new first picture.
    let new: Range<Int>
    /// Whether the picture is an HDR gain map.
    let isGainMap: Bool

    /// Places maps one after another and returns their ranges.
    static func laid(_ maps: [JPEGMap]) -> [Kept] {
      var at = 0
      return maps.map { map in
        defer { at += map.bytes.count }
        return Kept(old: map.source, new: at..<at + map.bytes.count, isGainMap: map.isGainMap)
      }
    }

    /// Returns whether a directory item at a given range represents this picture.
    func stands(for item: XMPPacket.DirectoryItem, at place: Range<Int>?) -> Bool {
      (old != nil && old == place) || (isGainMap && item.semantic == "GainMap")
    }
  }
}

extension XMPPacket.Directory {
  /// Whether the directory lists items other than the primary picture and a movie.
  var listsPictures: Bool {
    isOfDepth ? items.count > 1 : items.contains { !["Primary", "MotionPhoto", nil].contains($0.semantic) }
  }

  /// Returns whether the directory lists any of the given pictures.
  func lists(_ pictures: [JPEGListing.Kept], _ listing: JPEGListing) -> Bool {
    zip(items, listing.places(of: self).ranges).contains { item, range in
      pictures.contains { $0.stands(for: item, at: range) }
    }
  }
}

extension JPEGParts {
  /// Finds the pictures listed in directories of the main packet and of extended packets.
  ///
  /// - Throws: ``MediaError`` if a directory lists too many pictures, or if the directories and the multi-picture index
  ///   together list too many pictures.
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
      throw MediaError(beyond: .furtherPictures, "the file has more than \(most) pictures after the first")
    }
    return listing
  }
}
