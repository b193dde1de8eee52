import Basics
import EditModel

/// The change to a PNG whose picture is another one.
package struct PNGEdit: Sendable {
  /// The layout of the new samples.
  package var layout: PNGLayout
  /// The new coded picture: the contents of all chunks IDAT.
  package var data: [UInt8]
  /// True if every pixel is one of the old ones, so that palette, transparent colour and the like stay true.
  package var keepsPixels: Bool
  /// How the stored pixels were turned: the original's orientation, then the edit's.
  package var transform: Orientation
  /// How the new picture is displayed.
  package var orientation: Orientation
  /// From places of the turned picture to places of the new one, in fractions, where it is another part.
  package var projection: PictureProjection?
  /// A JPEG to stand in for the thumbnail in Exif; without one an old thumbnail is removed.
  package var thumbnail: [UInt8]?

  /// - Parameters:
  ///   - layout: the layout of the new samples.
  ///   - data: the new coded picture.
  ///   - keepsPixels: whether every pixel is one of the old ones.
  ///   - transform: how the stored pixels were turned.
  ///   - orientation: how the new picture is displayed.
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
  /// The bytes that stand in the place of chunks; none for those that are left out.
  private var replaced: [PNGFile.Chunk: [UInt8]] = [:]
  /// Chunks that stand before the picture, or the end where there is none, and that the file had not.
  private var added: [UInt8] = []
  /// True if what follows IEND is left out.
  fileprivate var dropsRest = false
  /// The metadata that are not carried any more.
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

  /// Leaves a chunk out.
  mutating func remove(_ chunk: PNGFile.Chunk) { replaced[chunk] = [] }

  /// Leaves out all chunks that are not among some kinds, and what follows the last one.
  mutating func keep(only kinds: Set<FourCC>) {
    for chunk in file.chunks where !kinds.contains(chunk.kind) { replaced[chunk] = [] }
    dropsRest = true
  }

  /// Sets the Exif block.
  mutating func setExif(_ block: TIFFBlock) { set(file.chunk("eXIf"), PNGChunks.chunk("eXIf", block.bytes)) }

  /// Sets the packet of XMP.
  mutating func setXMP(_ packet: [UInt8], in chunk: PNGFile.Chunk?) {
    set(chunk, PNGChunks.xmp(packet: packet))
  }

  /// Sets the ICC profile, in place of all that says what samples mean. It stands before a palette (ISO/IEC 15948 section 5.6).
  ///
  /// - Throws: ``MediaError`` when there is no memory for it.
  mutating func setProfile(_ profile: [UInt8]) throws {
    guard let first = file.chunks.first, let data = Deflate.deflated(profile) else {
      throw MediaError("there is not enough memory for it")
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
      // A file without a picture is one that others may still mend.
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
  /// The texts in which ImageMagick keeps Exif and XMP, which speak of the picture as it was.
  private static let rawProfiles = ["Raw profile type exif", "Raw profile type APP1", "Raw profile type xmp"]

  /// The texts in which ImageMagick and exiftool keep metadata that may tell a place.
  fileprivate static let profilesWithPlace = rawProfiles + ["Raw profile type iptc", "Raw profile type 8bim"]

  /// Puts another picture in, and decides about each chunk: what stays true stays, by the letter that every chunk has for
  /// that where it is not known (ISO/IEC 15948 section 5.4); what does not is taken out and named.
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
        // Colours and transparency are in the pixels then.
        if !edit.keepsPixels { remove(chunk) }
      case "bKGD", "hIST", "sPLT", "sBIT":
        guard !edit.keepsPixels else { continue }
        remove(chunk)
        name([chunk.kind.description], "describes colours as they were before the edit")
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
        name([keyword], "describes the picture as it was before the edit")
      // The time of the last change is a fact of the file; a manifest is gone already.
      case "tIME", "caBX": break
      // Where Apple's decoder begins with a second thread.
      case "iDOT": remove(chunk)
      case _ where !chunk.isCritical && !chunk.isSafeToCopy && !Self.colorChunks.contains(chunk.kind):
        remove(chunk)
        name(["chunk \(chunk.kind)"], "may describe the picture as it was before the edit")
      case _ where !chunk.isCritical && !Self.colorChunks.contains(chunk.kind):
        // The first block of Exif is rewritten; readers differ in which they take of more.
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
    if rest.contains(where: { $0 != 0 }) { name(["data behind the picture"], PictureChange.stale) }
  }

  /// The chunks that say what samples mean.
  static let colorChunks: Set<FourCC> = [
    "iCCP", "sRGB", "gAMA", "cHRM", "cICP", "mDCV", "mDCv", "cLLI", "cLLi",
  ]
}

extension PNGFile {
  /// Writes the photo with another picture.
  ///
  /// - Parameters:
  ///   - edit: the picture.
  ///   - identifier: the content identifier to write into Apple's maker note; nil leaves it as it is.
  ///   - sink: where the file goes.
  /// - Returns: what it does not carry any more.
  /// - Throws: ``MediaError`` when it is damaged, or has no place for `identifier`; what source and sink throw.
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
        rewrite.name(["XMP"], "is damaged and describes places in the picture")
      }
    }
    try rewrite.write(to: sink)
    return rewrite.removals
  }

  /// Writes the photo with the picture that it has, as it is coded.
  ///
  /// - Parameters:
  ///   - identifier: the content identifier to write into Apple's maker note; nil leaves it as it is.
  ///   - sink: where the file goes.
  /// - Returns: what it does not carry any more.
  /// - Throws: ``MediaError`` when it has no place for `identifier`; what source and sink throw.
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
      // There should be one of each; readers differ in which they take of more.
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
      // What other programs packed into texts cannot be looked through.
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
        removed.append("data behind the picture")
      }
      removed += rewrite.removals.dropFirst(before).map(\.name)
    }
    try rewrite.write(to: sink)
    return removed.unique
  }
}

extension PNGRewrite {
  /// Puts other bytes in the place of a chunk.
  fileprivate mutating func replace(_ chunk: PNGFile.Chunk, _ bytes: [UInt8]) { replaced[chunk] = bytes }

  /// Takes out texts by the beginnings of their keywords.
  fileprivate mutating func removeTexts(_ beginnings: [String], _ reason: Message) throws {
    for chunk in file.chunks where ["tEXt", "zTXt", "iTXt"].contains(chunk.kind) {
      let keyword = PNGChunks.keyword(try file.content(chunk))
      guard beginnings.contains(where: keyword.hasPrefix) else { continue }
      remove(chunk)
      name([keyword], reason)
    }
  }
}
