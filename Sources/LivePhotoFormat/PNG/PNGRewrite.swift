import Basics
import EditModel

/// The changes to a PNG when its picture is replaced.
package struct PNGEdit: Sendable {
  /// The layout of the new samples.
  package var layout: PNGLayout
  /// The new coded picture: the joined contents of all IDAT chunks.
  package var data: [UInt8]
  /// Whether every new pixel is identical to an old pixel. If so, the palette, the transparent colour and similar data
  /// remain valid.
  package var keepsPixels: Bool
  /// The rotation and mirroring applied to the stored pixels: the original's orientation, followed by the edit's
  /// orientation.
  package var transform: Orientation
  /// The orientation in which the new picture is displayed.
  package var orientation: Orientation
  /// The mapping from positions in the rotated picture to positions in the new picture, in fractions of width and
  /// height, or nil if the edit does not change the framing.
  package var projection: PictureProjection?
  /// A JPEG that replaces the Exif thumbnail. If nil, an existing thumbnail is removed.
  package var thumbnail: [UInt8]?

  /// Creates an edit without a projection or a thumbnail.
  ///
  /// - Parameters:
  ///   - layout: The layout of the new samples.
  ///   - data: The new coded picture.
  ///   - keepsPixels: Whether every new pixel is identical to an old pixel.
  ///   - transform: The rotation and mirroring applied to the stored pixels.
  ///   - orientation: The orientation in which the new picture is displayed.
  package init(
    layout: PNGLayout, data: [UInt8], keepsPixels: Bool, transform: Orientation, orientation: Orientation
  ) {
    (self.layout, self.data, self.keepsPixels) = (layout, data, keepsPixels)
    (self.transform, self.orientation) = (transform, orientation)
  }
}

/// The chunks of a PNG as they will be written.
struct PNGRewrite {
  private let file: PNGFile
  /// The bytes that replace each changed chunk. For an omitted chunk, the array is empty.
  private var replaced: [PNGFile.Chunk: [UInt8]] = [:]
  /// The new chunks that are inserted before the picture, or before the end if the file has no picture.
  private var added: [UInt8] = []
  /// Whether data after IEND is omitted.
  fileprivate var dropsRest = false
  /// The metadata that is removed from the file.
  private(set) var removals: [Removal] = []
  private var named: Set<String> = []

  init(_ file: PNGFile) {
    self.file = file
    for chunk in file.chunks where chunk.kind == "caBX" {
      replaced[chunk] = []
      if removals.isEmpty { removals.append(C2PAManifest.removal(from: .photo)) }
    }
  }

  mutating func name(_ names: [String], _ reason: Message) {
    for name in names where named.insert(name).inserted {
      removals.append(Removal(half: .photo, name: name, reason: reason))
    }
  }

  /// Omits a chunk.
  mutating func remove(_ chunk: PNGFile.Chunk) { replaced[chunk] = [] }

  /// Omits all chunks except those of the given kinds, and any data after the last chunk.
  mutating func keep(only kinds: Set<FourCC>) {
    for chunk in file.chunks where !kinds.contains(chunk.kind) { replaced[chunk] = [] }
    dropsRest = true
  }

  /// Sets the Exif block.
  mutating func setExif(_ block: TIFFBlock) { set(file.chunk("eXIf"), PNGChunks.chunk("eXIf", block.bytes)) }

  /// Sets the XMP packet.
  mutating func setXMP(_ packet: [UInt8], in chunk: PNGFile.Chunk?) {
    set(chunk, PNGChunks.xmp(packet: packet))
  }

  /// Sets the ICC profile, which replaces all chunks that describe colours. The profile must precede the palette, if
  /// any (ISO/IEC 15948 section 5.6).
  ///
  /// - Throws: ``MediaError`` if memory is insufficient.
  mutating func setProfile(_ profile: [UInt8]) throws {
    guard let first = file.chunks.first, let data = Deflate.deflated(profile) else {
      throw MediaError("not enough memory for the colour profile")
    }
    for chunk in file.chunks where Self.colorChunks.contains(chunk.kind) { remove(chunk) }
    replaced[first] =
      PNGChunks.chunk("IHDR", file.layout.header)
      + PNGChunks.chunk("iCCP", Array("icc".utf8) + [0, 0] + data)
  }

  private mutating func set(_ chunk: PNGFile.Chunk?, _ bytes: [UInt8]) {
    if let chunk { replaced[chunk] = bytes } else { added += bytes }
  }

  /// Writes the file.
  func write(to sink: any ByteSink) throws {
    try sink.write(PNGFile.signature)
    var isBefore = true
    for chunk in file.chunks {
      // A file that lacks a picture is written too, because other programs might be able to repair the file.
      if isBefore, chunk.kind == "IDAT" || chunk.kind == "IEND" {
        isBefore = false
        if !added.isEmpty { try sink.write(added) }
      }
      if let new = replaced[chunk] {
        if !new.isEmpty { try sink.write(new) }
      } else {
        try file.source.copy(chunk.range, to: sink)
      }
    }
    if !dropsRest { try file.source.copy(file.end..<file.source.count, to: sink) }
  }
}

extension PNGRewrite {
  /// The keywords of the text chunks in which ImageMagick stores Exif and XMP. This metadata describes the unedited
  /// picture.
  private static let rawProfiles = ["Raw profile type exif", "Raw profile type APP1", "Raw profile type xmp"]

  /// The keywords of the text chunks in which ImageMagick and exiftool store metadata that may reveal a location.
  fileprivate static let profilesWithPlace = rawProfiles + ["Raw profile type iptc", "Raw profile type 8bim"]

  /// Replaces the picture and decides which chunks are kept. Known chunks are kept if they remain valid. Unknown chunks
  /// are kept if their safe-to-copy bit permits copying (ISO/IEC 15948 section 5.4). All other chunks are removed, and
  /// their names are recorded.
  mutating func put(_ edit: PNGEdit, _ change: PictureChange) throws {
    var isFirst = true
    let exif = file.chunk("eXIf")
    for chunk in file.chunks {
      switch chunk.kind {
      case "IHDR": replaced[chunk] = PNGChunks.chunk("IHDR", edit.layout.header)
      case "IDAT":
        replaced[chunk] = isFirst ? PNGChunks.picture(edit.data) : []
        isFirst = false
      case "PLTE", "tRNS":
        // If the pixels are new, colours and transparency are stored in the pixels themselves.
        if !edit.keepsPixels { remove(chunk) }
      case "bKGD", "hIST", "sPLT", "sBIT":
        guard !edit.keepsPixels else { continue }
        remove(chunk)
        name([chunk.kind.description], "describes the unedited colours")
      case "pHYs" where edit.transform.swapsAxes:
        let content = try file.content(chunk)
        guard content.count == 9 else { continue }
        replaced[chunk] = PNGChunks.chunk("pHYs", Array(content[4..<8] + content[..<4] + content[8...]))
      case "tEXt", "zTXt", "iTXt":
        let content = try file.content(chunk)
        let keyword = PNGChunks.keyword(content)
        guard Self.rawProfiles.contains(keyword) else {
          guard PNGChunks.spellsJPEG(content) else { continue }
          remove(chunk)
          name([keyword], PictureChange.stale)
          continue
        }
        remove(chunk)
        name([keyword], "describes the unedited picture")
      // The modification time describes the file. A manifest has already been removed.
      case "tIME", "caBX": break
      // The chunk contains the offset at which a second thread of Apple's decoder begins.
      case "iDOT": remove(chunk)
      case _ where !chunk.isCritical && !chunk.isSafeToCopy && !Self.colorChunks.contains(chunk.kind):
        remove(chunk)
        name(["chunk \(chunk.kind)"], "may describe the unedited picture")
      case _ where !chunk.isCritical && !Self.colorChunks.contains(chunk.kind):
        // The first Exif block is rewritten. If a file has several Exif blocks, different programs read different
        // blocks.
        if chunk != exif, try file.content(chunk).holdsJPEG {
          remove(chunk)
          name(["chunk \(chunk.kind)"], PictureChange.stale)
        }
      default: break
      }
    }
    guard file.end < file.source.count else { return }
    dropsRest = true
    let rest = try file.source.read(at: file.end, count: min(file.source.count - file.end, 1 << 20))
    if rest.contains(where: { $0 != 0 }) { name(["data after the picture"], PictureChange.stale) }
  }

  /// The chunks that define the colours that sample values represent.
  static let colorChunks: Set<FourCC> = [
    "iCCP", "sRGB", "gAMA", "cHRM", "cICP", "mDCV", "mDCv", "cLLI", "cLLi",
  ]
}

extension PNGFile {
  /// Writes the photo with its picture replaced.
  ///
  /// - Parameters:
  ///   - edit: The new picture.
  ///   - identifier: The content identifier to write into Apple's maker note, or nil to keep the existing identifier.
  ///   - sink: The destination of the file.
  /// - Returns: The metadata that was removed from the photo.
  /// - Throws: ``MediaError`` if the photo is damaged, or if `identifier` cannot be stored, or any error that the
  ///   source or the sink throws.
  package func write(_ edit: PNGEdit, identifier: String?, to sink: any ByteSink) throws -> [Removal] {
    let change = PictureChange(
      transform: edit.transform, projection: edit.projection, orientation: edit.orientation,
      old: layout.size, new: edit.layout.size, isNewPicture: true)
    var rewrite = PNGRewrite(self)
    try rewrite.put(edit, change)
    if var block = try exif() {
      rewrite.name(block.removePreviews(), PictureChange.stale)
      if block.putThumbnail(edit.thumbnail) { rewrite.name(["ThumbnailImage"], PictureChange.stale) }
      rewrite.name(block.turn(change), PictureChange.places)
      if let identifier {
        try block.change(describing: exifPicture(of: edit.layout.size)) {
          try $0.setContentIdentifier(identifier)
        }
      }
      rewrite.setExif(block)
    } else if chunk("eXIf") != nil {
      guard identifier == nil else { throw TIFFBlock.takesNoIdentifier }
    } else if identifier != nil || edit.orientation != .identity {
      rewrite.setExif(
        .made(
          for: exifPicture(of: edit.layout.size), orientation: edit.orientation,
          contentIdentifier: identifier)
      )
    }
    for chunk in try xmpChunks() {
      guard let bytes = try xmp(in: chunk) else { continue }
      if var packet = try XMPPacket(bytes) {
        if change.pixelsMoved { rewrite.name(packet.turnPlaces(change), PictureChange.places) }
        packet.describe(change)
        rewrite.name(packet.removePictures(), PictureChange.stale)
        let new = packet.rewritten()
        if new != bytes { rewrite.setXMP(new, in: chunk) }
      } else if try !XMPPacket.staleGroups(of: bytes, pixelsMoved: change.pixelsMoved).isEmpty {
        rewrite.remove(chunk)
        rewrite.name(["XMP"], "is damaged and contains outdated coordinates")
      }
    }
    try rewrite.write(to: sink)
    return rewrite.removals
  }

  /// Writes the photo with its existing coded picture.
  ///
  /// - Parameters:
  ///   - identifier: The content identifier to write into Apple's maker note, or nil to keep the existing identifier.
  ///   - sink: The destination of the file.
  /// - Returns: The metadata that was removed from the photo.
  /// - Throws: ``MediaError`` if `identifier` cannot be stored, or any error that the source or the sink throws.
  package func write(identifier: String?, to sink: any ByteSink) throws -> [Removal] {
    var rewrite = PNGRewrite(self)
    if let identifier {
      guard try exif() != nil || chunk("eXIf") == nil else { throw TIFFBlock.takesNoIdentifier }
      var block = try exif() ?? .made(for: exifPicture(of: layout.size), orientation: .identity)
      try block.change(describing: exifPicture(of: layout.size)) { try $0.setContentIdentifier(identifier) }
      rewrite.setExif(block)
    }
    try rewrite.write(to: sink)
    return rewrite.removals
  }

  func write(_ tie: PhotoTie, to sink: any ByteSink) throws -> [Removal] {
    var rewrite = PNGRewrite(self)
    guard tie.identifier == nil else { throw Self.standsAlone }
    if var block = try exif() {
      _ = try tie.apply(to: &block)
      rewrite.setExif(block)
    }
    try rewrite.write(to: sink)
    return rewrite.removals
  }

  func write(stating facts: FactsRewrite, to sink: any ByteSink) throws -> [Removal] {
    var rewrite = PNGRewrite(self)
    if var block = try exif() {
      try block.change(describing: exifPicture(of: layout.size)) { try facts.apply(to: &$0) }
      rewrite.setExif(block)
    } else if let block = try facts.newBlock(for: exifPicture(of: layout.size)) {
      guard chunk("eXIf") == nil else { throw FactsRewrite.damagedExif }
      rewrite.setExif(block)
    }
    var packets: [(chunk: Chunk?, bytes: [UInt8])] = try xmpChunks().compactMap { chunk in
      try xmp(in: chunk).map { (chunk, $0) }
    }
    if packets.isEmpty, facts.needsXMP { packets = [(nil, XMPPacket.empty)] }
    for (chunk, bytes) in packets {
      if var packet = try XMPPacket(bytes) {
        rewrite.name(facts.apply(to: &packet), FactsRewrite.reason)
        let new = packet.rewritten()
        if chunk == nil || new != bytes { rewrite.setXMP(new, in: chunk) }
      } else if let chunk, facts.mayContradict(bytes) {
        rewrite.remove(chunk)
        rewrite.name(["damaged XMP"], FactsRewrite.reason)
      }
    }
    if facts.dates != nil { try rewrite.removeTexts(["Creation Time"], FactsRewrite.reason) }
    if facts.facts.place != nil { try rewrite.removeTexts(PNGRewrite.profilesWithPlace, FactsRewrite.reason) }
    try rewrite.write(to: sink)
    return rewrite.removals
  }

  func write(without what: PrivateMetadata, identifier: String?, to sink: any ByteSink) throws -> [String] {
    var rewrite = PNGRewrite(self)
    var removed = rewrite.removals.map(\.name)
    switch what {
    case .all:
      let orientation = try exif()?.orientation ?? .identity
      let animation: Set<FourCC> = ["acTL", "fcTL", "fdAT"]
      rewrite.keep(
        only: PNGRewrite.colorChunks.union(animation).union([
          "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "bKGD", "sBIT", "pHYs", "iDOT",
        ]))
      if let chunk = chunk("iCCP"), let profile = try iccProfile(),
        let data = Deflate.deflated(ICCProfile.withoutOrigin(profile))
      {
        rewrite.replace(chunk, PNGChunks.chunk("iCCP", Array("icc".utf8) + [0, 0] + data))
      }
      if orientation != .identity || identifier != nil {
        rewrite.setExif(
          .made(
            for: exifPicture(of: layout.size), orientation: orientation, contentIdentifier: identifier))
      }
    case .location:
      // A file should have only one Exif block. If a file has several Exif blocks, different programs read different
      // blocks.
      let first = chunk("eXIf")
      for chunk in chunks where chunk.kind == "eXIf" {
        if chunk == first, var block = try exif() {
          removed += block.removeLocation(of: exifPicture(of: layout.size))
          rewrite.setExif(block)
        } else {
          rewrite.remove(chunk)
          removed.append(chunk == first ? "damaged Exif" : "further Exif")
        }
      }
      for chunk in try xmpChunks() {
        if let kept = try PNGChunks.xmp(content(chunk)).flatMap(XMPPacket.withoutLocation) {
          rewrite.setXMP(kept, in: chunk)
        } else {
          rewrite.remove(chunk)
          removed.append("damaged XMP")
        }
      }
      // Metadata that other programs encoded in text chunks cannot be examined.
      let before = rewrite.removals.count
      try rewrite.removeTexts(["Raw profile type"], "")
      let packets = try xmpChunks()
      for chunk in chunks where !chunk.isCritical && chunk.kind != "eXIf" && !packets.contains(chunk) {
        guard !PNGRewrite.colorChunks.contains(chunk.kind), try content(chunk).mayTellPlace else { continue }
        rewrite.remove(chunk)
        removed.append("chunk \(chunk.kind)")
      }
      if try source.read(at: end, count: source.count - end).contains(where: { $0 != 0 }) {
        rewrite.dropsRest = true
        removed.append("data after the picture")
      }
      removed += rewrite.removals.dropFirst(before).map(\.name)
    }
    try rewrite.write(to: sink)
    return removed.unique
  }
}

extension PNGRewrite {
  /// Replaces the bytes of a chunk.
  fileprivate mutating func replace(_ chunk: PNGFile.Chunk, _ bytes: [UInt8]) { replaced[chunk] = bytes }

  /// Removes text chunks whose keywords begin with one of the given strings.
  fileprivate mutating func removeTexts(_ beginnings: [String], _ reason: Message) throws {
    for chunk in file.chunks where ["tEXt", "zTXt", "iTXt"].contains(chunk.kind) {
      let keyword = PNGChunks.keyword(try file.content(chunk))
      guard beginnings.contains(where: keyword.hasPrefix) else { continue }
      remove(chunk)
      name([keyword], reason)
    }
  }
}
