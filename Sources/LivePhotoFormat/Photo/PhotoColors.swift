import Basics
import EditModel

extension Photo {
  /// Writes the photo with metadata that say Display P3. The coded picture stays, and so does what else is said of it.
  ///
  /// - Parameters:
  ///   - profile: the ICC profile of Display P3.
  ///   - sink: where the file goes.
  /// - Returns: what it does not carry any more.
  /// - Throws: ``MediaError`` when it is no photo or damaged; what `sink` throws.
  package func write(asDisplayP3 profile: [UInt8], to sink: any ByteSink) throws -> [Removal] {
    try container.write(asDisplayP3: profile, to: sink)
  }
}

extension JPEGHeader {
  func write(asDisplayP3 profile: [UInt8], to sink: any ByteSink) throws -> [Removal] {
    var parts = JPEGParts(try wholeFile())
    let manifests = parts.removeManifests()
    parts.setProfile(profile)
    for index in parts.indices(of: .exif) {
      guard var block = TIFFBlock(exif: parts.list[index].content) else { continue }
      block.setSRGB(false)
      parts.setContent(block.bytes, at: index)
    }
    for index in parts.indices(of: .xmp) {
      guard var packet = try XMPPacket(parts.list[index].content) else { continue }
      packet.setSRGB(false)
      if let bytes = packet.rewritten(limit: parts.list[index].limit) { parts.setContent(bytes, at: index) }
    }
    try sink.write(parts.assembled())
    return manifests
  }
}

extension HEIFFile {
  func write(asDisplayP3 profile: [UInt8], to sink: any ByteSink) throws -> [Removal] {
    var composition = HEIFComposition(self)
    let manifests = try composition.removeManifests()
    if let item = exifItem, var exif = HEIFExif(try data(of: item)) {
      exif.block.setSRGB(false)
      composition.replace(item, with: exif.bytes)
    }
    for item in try xmpPackets() {
      guard var packet = try XMPPacket(data(of: item)) else { continue }
      packet.setSRGB(false)
      composition.replace(item, with: packet.rewritten())
    }
    let pictures = coloredPictures
    for id in coloredItems {
      composition.describeAsDisplayP3(id, profile, needsColor: pictures.contains(id))
    }
    for id in sources("dimg", to: pixelItem) where items[id]?.type == "tmap" {
      composition.describeHDRAsDisplayP3(id)
    }
    try composition.writeAnew(to: sink)
    return manifests
  }

  /// The items that show the photo in its colours: itself and its thumbnails.
  var coloredPictures: Set<UInt32> { Set([primaryItem, pixelItem] + thumbnails) }

  /// ``coloredPictures``, and the tiles that they are made of.
  var coloredItems: [UInt32] {
    let pictures = coloredPictures
    let tiles = pictures.flatMap { targets("dimg", from: $0) }.filter { items[$0]?.isCodedImage ?? false }
    return pictures.union(tiles).sorted()
  }
}

extension HEIFComposition {
  /// Gives a picture the colours of Display P3; what its code points say of matrix and range stays.
  ///
  /// - Parameter needsColor: whether that must be said where nothing was said of its colours.
  fileprivate mutating func describeAsDisplayP3(_ id: UInt32, _ profile: [UInt8], needsColor: Bool) {
    var new = list(of: id)
    for index in new.indices where new[index].atom.kind == "colr" {
      let old = new[index].atom
      // Primaries and transfer of ITU-T H.273: those of Display P3 and of sRGB.
      new[index].atom =
        old.codePoints == nil
        ? Atom("colr", Array("prof".utf8) + profile)
        : Atom("colr", old.bytes[..<4] + [0, 12, 0, 13] + old.bytes[8...])
    }
    if needsColor, !new.contains(where: { $0.atom.kind == "colr" }) {
      new.append((Atom("colr", Array("prof".utf8) + profile), false))
    }
    setList(new, of: id)
  }
}

extension HEIFComposition {
  /// Gives the picture that a gain map makes of the photo, which has a curve of its own, the primaries of Display P3.
  fileprivate mutating func describeHDRAsDisplayP3(_ id: UInt32) {
    var new = list(of: id)
    for index in new.indices where new[index].atom.codePoints != nil {
      let old = new[index].atom.bytes
      new[index].atom = Atom("colr", old[..<4] + [0, 12] + old[6...])
    }
    setList(new, of: id)
  }
}

extension PNGFile {
  func write(asDisplayP3 profile: [UInt8], to sink: any ByteSink) throws -> [Removal] {
    var rewrite = PNGRewrite(self)
    try rewrite.setProfile(profile)
    if var block = try exif() {
      block.setSRGB(false)
      rewrite.setExif(block)
    }
    if let (chunk, bytes) = try xmpChunk(), var packet = try XMPPacket(bytes) {
      packet.setSRGB(false)
      rewrite.setXMP(packet.rewritten(), in: chunk)
    }
    try rewrite.write(to: sink)
    return rewrite.removals
  }
}

extension JPEGParts {
  /// Puts a profile in the place of the one that there is.
  ///
  /// - Parameter profile: the profile; nil takes the old one out.
  mutating func setProfile(_ profile: [UInt8]?) {
    let old = list.indices.filter {
      list[$0].marker == 0xE2 && list[$0].content.starts(with: ICCProfile.signature)
    }
    for index in old { list[index].isRemoved = true }
    let known: Set<JPEGMetadataKind> = [.jfif, .jfxx, .exif, .xmp, .extendedXMP]
    let place = (list.lastIndex { $0.kind.map(known.contains) ?? false }).map { $0 + 1 } ?? 0
    list.insert(
      contentsOf: ICCProfile.segments(of: profile ?? []).map { Part(marker: 0xE2, kind: nil, content: $0) },
      at: place)
  }
}

extension TIFFBlock {
  /// Says whether colours are those of sRGB; what else they may be Exif does not know (CIPA DC-008 section 4.6.6.5).
  /// DCF's index of the same (R98, CIPA DC-009 section 3.2) is taken out where it is not true any more.
  mutating func setSRGB(_ isSRGB: Bool) {
    setNumber(isSRGB ? 1 : 0xFFFF, Tag.colorSpace, in: .exif)
    let index = 1
    if !isSRGB, text(index, in: .interoperability) == "R98" { remove(index, from: .interoperability) }
  }
}

extension XMPPacket {
  /// Says whether colours are those of sRGB, where the packet speaks of it.
  mutating func setSRGB(_ isSRGB: Bool) {
    set("ColorSpace", in: Namespace.exif, to: isSRGB ? "1" : "65535")
    // The name of the profile that was in the file.
    for property in properties(in: Self.photoshop) where property.name.local == "ICCProfile" {
      remove(property)
    }
  }
}
