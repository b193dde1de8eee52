import Basics

/// Removes the pictures in an Exif block, except for the thumbnail in IFD1. Edits cannot be applied to these pictures,
/// which would continue to show the unedited picture.
extension TIFFBlock {
  /// The tag SubIFDs (0x014A), which refers to further pictures (TIFF 6.0 supplement 1).
  private static let subDirectories = 0x014A
  /// The maximum number of directories that are followed.
  private static let mostDirectories = 16
  /// The maximum total number of ranges for the pictures and values in all further directories.
  private static let mostRanges = 1 << 17

  /// Removes every picture except the thumbnail in IFD1. The removed parts are pictures in IFD2, later directories and
  /// SubIFDs, maker notes and other values that contain a JPEG, and JPEGs to which no directory refers. For example,
  /// Xiaomi phones write a 1440x1080 JPEG after the thumbnail. No byte of a removed JPEG remains.
  ///
  /// - Returns: The names of the removed parts, as printed by exiftool, or an empty array if the block did not contain
  ///   any such picture.
  mutating func removePreviews() -> [String] {
    var names: [String] = []
    if removeFurtherDirectories() { names.append("PreviewImage") }
    for directory in Directory.allCases {
      let starts = bytes.jpegStarts
      let holders = listing(directory)?.entries.filter { entry in
        entry.value.map { value in
          starts.first(notBefore: value.lowerBound).map { $0 + 3 < value.upperBound } ?? false
        } ?? false
      }
      let tags = Set(holders?.map(\.tag) ?? [])
      guard !tags.isEmpty else { continue }
      names += remove(from: directory, where: tags.contains).map { tag in
        tag == Tag.makerNote ? "MakerNotes" : "Exif tag 0x" + String(tag, radix: 16)
      }
    }
    let pictures = unreferencedJPEGs
    guard !pictures.isEmpty else { return names.unique }
    release(pictures)
    for directory in [Directory.main, .exif] {
      _ = remove(from: directory) { $0 == 0x0201 || $0 == 0x0202 }
    }
    names.append("PreviewImage")
    if noteRefers(to: pictures.map(\.lowerBound)), removeForeignMakerNote() { names.append("MakerNotes") }
    return names.unique
  }

  /// Removes pictures until the block fits into the available space. As a last resort, another manufacturer's maker
  /// note is removed.
  ///
  /// - Parameter room: The maximum size of the block in bytes.
  /// - Returns: The names of the removed parts, or nil if the block is still too large.
  private mutating func shrink(toFit room: Int) -> [String]? {
    guard bytes.count > room else { return [] }
    var names = removePreviews()
    if bytes.count > room, removeThumbnail() { names.append("ThumbnailImage") }
    if bytes.count > room, removeForeignMakerNote() { names.append("MakerNotes") }
    return bytes.count > room ? nil : names.unique
  }

  /// The IFD0 tags that Exif does not allow in a JPEG, because the JPEG's markers contain the same information (CIPA
  /// DC-008-2019 section 4.6.8, table 17). These tags state the picture's width and length, the number of samples per
  /// pixel, the number of bits per sample, the compression, and the colour model.
  private static let saidByMarkers: Set<Int> = [
    0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x0115, 0x011C, 0x0212,
  ]

  /// Adapts a block from another container for use in a JPEG. Tags that are redundant in a JPEG are removed, and
  /// missing entries that Exif requires are added. Pictures are removed until the block fits into a segment. As a last
  /// resort, another manufacturer's maker note is removed.
  ///
  /// - Parameter picture: The picture that the block describes.
  /// - Returns: The names of the removed parts, or nil if the block is still too large.
  mutating func fitIntoJPEG(describing picture: ExifPicture) -> [String]? {
    let room = JPEGMetadataKind.exif.room
    // The required tags are added after the pictures have been removed, and need less than 512 bytes.
    let names = shrink(toFit: room - 512)
    // If IFD0 contains a picture that is stored in strips, these tags describe that picture instead of the photo.
    if pictureRanges(.main).isEmpty { _ = remove(from: .main) { Self.saidByMarkers.contains($0) } }
    complete(describing: picture)
    return bytes.count > room ? nil : names
  }

  /// Returns the ranges of the pictures to which a directory refers. A picture is stored as a JPEG (Exif 2.32 tags
  /// 0x0201 and 0x0202), in strips, or in tiles (TIFF 6.0 sections 3 and 15).
  func pictureRanges(_ directory: Directory) -> [Range<Int>] {
    guard let listing = listing(directory) else { return [] }
    var ranges: [Range<Int>] = []
    for (start, count) in [(0x0201, 0x0202), (0x0111, 0x0117), (0x0144, 0x0145)] {
      guard let starts = listing.entry(start).flatMap(numbers),
        let counts = listing.entry(count).flatMap(numbers)
      else { continue }
      for (start, count) in zip(starts, counts) where start >= 8 && count > 0 && count <= bytes.count - start
      {
        ranges.append(start..<start + count)
      }
    }
    return ranges
  }

  /// Removes the directories after IFD1, the SubIFDs of IFD0, and all of their pictures, if any of these directories
  /// contains a picture.
  private mutating func removeFurtherDirectories() -> Bool {
    let next = listing(.thumbnail).flatMap { $0.next >= 8 ? $0.next : nil }
    let subs = listing(.main)?.entry(Self.subDirectories).flatMap(numbers) ?? []
    let further = furtherDirectories([next].compactMap { $0 } + subs.prefix(Self.mostDirectories))
    let hasPicture = further.contains { !$0.pictures.isEmpty }
    let freed = further.flatMap { listing, pictures in
      pictures + listing.entries.compactMap { $0.isInline ? nil : $0.value } + [listing.range]
    }
    guard hasPicture else { return false }
    if next != nil, let link = listing(.thumbnail)?.nextLink {
      write(order.bytes(of: 0, width: 4), at: link)
    }
    if !subs.isEmpty { remove(Self.subDirectories, from: .main) }
    release(freed)
    return true
  }

  /// Overwrites with zeros all bytes that do not belong to a directory or a value. Must not be called while another
  /// manufacturer's maker note remains, because that maker note might refer to such bytes.
  mutating func clearUnused() {
    let used = (usedRanges() + Directory.allCases.flatMap(pictureRanges) + furtherRanges + holes)
      .map { $0.clamped(to: 0..<bytes.count) }.sorted { $0.lowerBound < $1.lowerBound }
    let gaps = RangeSet([0..<bytes.count]).subtracting(RangeSet(used)).ranges
    for range in gaps { write([UInt8](repeating: 0, count: range.count), at: range.lowerBound) }
  }

  /// The ranges of the directories after IFD1, the SubIFDs of all directories, their values and their pictures.
  private var furtherRanges: [Range<Int>] {
    let subs = Directory.allCases.compactMap { listing($0)?.entry(Self.subDirectories).flatMap(numbers) }
    let next = listing(.thumbnail)?.next ?? 0
    return furtherDirectories([next] + subs.joined().prefix(Self.mostDirectories)).flatMap {
      listing, pictures in
      pictures + listing.entries.compactMap(\.value) + [listing.range]
    }
  }

  /// Returns directories and the directories that follow them, without duplicates, each with the ranges of its
  /// pictures. If the number of ranges is higher than in any camera's files, the pictures of the last directory are
  /// assumed to fill the entire block.
  private func furtherDirectories(_ starts: [Int]) -> [(listing: Listing, pictures: [Range<Int>])] {
    var found: [(listing: Listing, pictures: [Range<Int>])] = []
    var seen: Set<Int> = []
    var left = Self.mostRanges
    for start in starts {
      var (position, steps) = (start, 0)
      while position >= 8, steps < Self.mostDirectories, seen.insert(position).inserted {
        let block = TIFFBlock(bytes: bytes, order: order, mainLink: nil, mainPosition: position)
        guard let listing = block.listing(.main) else { break }
        let pictures = block.pictureRanges(.main)
        left -= pictures.count + listing.entries.count
        guard left >= 0 else {
          found.append((listing, [8..<max(8, bytes.count)]))
          return found
        }
        found.append((listing, pictures))
        (position, steps) = (listing.next, steps + 1)
      }
    }
    return found
  }

  /// The ranges of JPEGs that are outside all directories and values.
  private var unreferencedJPEGs: [Range<Int>] {
    let used = (usedRanges() + holes).map { $0.clamped(to: 0..<bytes.count) }
      .sorted { $0.lowerBound < $1.lowerBound }
    let gaps = RangeSet([0..<bytes.count]).subtracting(RangeSet(used)).ranges
    return gaps.flatMap { EmbeddedPictures.jpegs(in: bytes, $0) }
  }

  /// Returns whether another manufacturer's maker note contains any of the positions as a number. The positions are
  /// counted from the beginning of the block or of the maker note.
  private func noteRefers(to positions: [Int]) -> Bool {
    guard let note = listing(.exif)?.entry(Tag.makerNote)?.value else { return false }
    let numbers = Set(positions.flatMap { [$0, $0 - note.lowerBound] }.filter { $0 > 0 })
    return note.dropLast(3).contains { place in
      [ByteOrder.little, .big].contains { order in
        order.number(bytes, at: place, width: 4).map(numbers.contains) ?? false
      }
    }
  }
}
