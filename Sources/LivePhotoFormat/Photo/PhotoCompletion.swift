import Basics
import EditModel

/// A photo's metadata, used to fill in whatever is missing from another program's edited copy.
struct OriginalMetadata {
  /// The photo's Exif block.
  let exif: TIFFBlock?
  /// The photo's XMP packet, if the photo is a JPEG.
  let xmp: [UInt8]?

  /// Reads a photo's metadata.
  ///
  /// - Parameter photo: The photo.
  init(_ photo: Photo) throws {
    exif = try photo.container.exif()
    xmp = try (photo.container as? JPEGHeader).flatMap {
      try JPEGParts($0.wholeFile()).contents(of: .xmp).first
    }
  }
}

extension Photo {
  /// Writes a photo that another program created from an original. The photo gets a pairing identifier, and missing
  /// metadata is filled in from the original. The coded picture and its display settings do not change.
  ///
  /// - Parameters:
  ///   - original: The original photo.
  ///   - identifier: An uppercase UUID, or nil to leave the photo unpaired.
  /// - Returns: The parts that were not copied: another manufacturer's maker note, and metadata of the original that
  ///   would no longer be valid.
  /// - Throws: ``MediaError`` if either file is not a photo or is damaged.
  package func write(
    completedBy original: Photo, tiedBy identifier: String?, to sink: any ByteSink
  ) throws -> [Removal] {
    try container.write(
      PhotoTie(
        identifier: identifier, replacesNote: true, facts: CaptureFacts(try original.metadata()),
        original: try OriginalMetadata(original)),
      to: sink)
  }
}

extension JPEGParts {
  /// Adds the original's XMP packet if this photo has no XMP packet.
  ///
  /// - Returns: The metadata of the original that was omitted because it would not be valid for another picture.
  mutating func complete(with original: OriginalMetadata) throws -> [Removal] {
    guard let packet = original.xmp, indices(of: .xmp).isEmpty else { return [] }
    let stale = try XMPPacket.staleGroups(of: packet, pixelsMoved: true)
    guard stale.isEmpty else {
      return [
        Removal(
          half: .photo, name: "XMP (" + stale.joined(separator: ", ") + ")",
          reason: "contains coordinates of the unedited picture")
      ]
    }
    insert(packet, as: .xmp, behind: [.jfif, .jfxx, .exif])
    return []
  }
}

extension TIFFBlock {
  /// The tags that state how a picture is stored or displayed, the positions of objects in the picture, or the
  /// positions of parts in the Exif block. Values from another picture would not be valid.
  private static let ownTags: [Directory: Set<Int>] = [
    .main: [
      0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x0111, 0x0112, 0x0115, 0x0116, 0x0117, 0x011C, 0x013D, 0x0201,
      0x0202, 0x02BC, 0x8649, 0x83BB, 0x8769, 0x8773, 0x8825, 0xC4A5,
    ],
    .exif: [0x927C, 0x9214, 0xA001, 0xA002, 0xA003, 0xA005, 0xA214, 0xA401],
    .gps: [],
  ]

  /// Adds entries from another block that are missing from this block. If this block has no maker note, Apple's maker
  /// note from the other block is also added.
  mutating func complete(with old: TIFFBlock) {
    // The total size of the values can exceed the block's size only if values overlap.
    var room = old.bytes.count
    for directory in [Directory.main, .exif, .gps] {
      // A location must be copied completely or not at all, because its values depend on each other.
      if directory == .gps, listing(.gps) != nil { continue }
      var present = Set(listing(directory)?.entries.map(\.tag) ?? [])
      var new: [NewEntry] = []
      for entry in old.listing(directory)?.entries ?? [] {
        guard Self.ownTags[directory]?.contains(entry.tag) == false, !present.contains(entry.tag),
          let value = entry.value, value.count <= room, let data = old.value(of: entry, in: order)
        else { continue }
        present.insert(entry.tag)
        room -= data.count
        new.append(NewEntry(tag: entry.tag, type: entry.type, count: entry.count, data: data))
      }
      if !new.isEmpty, makeDirectory(directory) { _ = add(new, in: directory) }
    }
    // Apple's maker note states its own byte order and counts offsets from its own beginning. Therefore, it can be
    // copied unchanged.
    guard listing(.exif)?.entry(Tag.makerNote) == nil, let note = old.data(Tag.makerNote, in: .exif),
      AppleMakerNote(note) != nil, makeDirectory(.exif)
    else { return }
    _ = set(Tag.makerNote, type: 7, count: note.count, data: note, in: .exif)
  }
}
