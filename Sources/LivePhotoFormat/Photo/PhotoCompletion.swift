import Basics
import EditModel

/// The metadata of a photo, to be put into what another program made of it where that says nothing of it.
struct OriginalMetadata {
  /// Its Exif block.
  let exif: TIFFBlock?
  /// Its XMP packet, of a JPEG.
  let xmp: [UInt8]?

  /// - Parameter photo: the photo.
  init(_ photo: Photo) throws {
    exif = try photo.container.exif()
    xmp = try (photo.container as? JPEGHeader).flatMap {
      try JPEGParts($0.wholeFile()).contents(of: .xmp).first
    }
  }
}

extension Photo {
  /// Writes a photo that another program made of one: tied by an identifier, and with the metadata of that one where it
  /// has lost them. The coded picture and whatever says how it is shown stay as they are.
  ///
  /// - Parameters:
  ///   - original: the photo that it was made of.
  ///   - identifier: an upper-case UUID; nil ties it to nothing.
  /// - Returns: what it does not carry: another maker's note, and metadata of the original that would not be true.
  /// - Throws: ``MediaError`` when one of them is no photo or damaged.
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
  /// Puts in the original's XMP packet where there is none.
  ///
  /// - Returns: what of it would not be true of another picture, so that it stays out.
  mutating func complete(with original: OriginalMetadata) throws -> [Removal] {
    guard let packet = original.xmp, indices(of: .xmp).isEmpty else { return [] }
    let stale = try XMPPacket.staleGroups(of: packet, pixelsMoved: true)
    guard stale.isEmpty else {
      return [
        Removal(
          half: .photo, name: "XMP (" + stale.joined(separator: ", ") + ")",
          reason: "describes places in the unedited picture")
      ]
    }
    insert(packet, as: .xmp, behind: [.jfif, .jfxx, .exif])
    return []
  }
}

extension TIFFBlock {
  /// Tags that say how a picture is stored or shown, where something is in it, or where the block has its parts: those of
  /// another picture would not be true.
  private static let ownTags: [Directory: Set<Int>] = [
    .main: [
      0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x0111, 0x0112, 0x0115, 0x0116, 0x0117, 0x011C, 0x013D, 0x0201,
      0x0202, 0x02BC, 0x8649, 0x83BB, 0x8769, 0x8773, 0x8825, 0xC4A5,
    ],
    .exif: [0x927C, 0x9214, 0xA001, 0xA002, 0xA003, 0xA005, 0xA214, 0xA401],
    .gps: [],
  ]

  /// Adds the entries of another block that this one has not, and Apple's maker note where there is none.
  mutating func complete(with old: TIFFBlock) {
    // Only values that lie over each other are larger together than their block.
    var room = old.bytes.count
    for directory in [Directory.main, .exif, .gps] {
      // Of places only all numbers together are true.
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
    // Apple's note has its own byte order and counts places from its own beginning.
    guard listing(.exif)?.entry(Tag.makerNote) == nil, let note = old.data(Tag.makerNote, in: .exif),
      AppleMakerNote(note) != nil, makeDirectory(.exif)
    else { return }
    _ = set(Tag.makerNote, type: 7, count: note.count, data: note, in: .exif)
  }
}
