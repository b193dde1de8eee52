import Basics
import EditModel

extension Photo {
  /// Writes the photo with metadata that declares Display P3. The coded picture and all other metadata are kept.
  ///
  /// - Parameters:
  ///   - profile: The ICC profile of Display P3.
  ///   - sink: The destination of the file.
  /// - Returns: The parts that were not copied.
  /// - Throws: ``MediaError`` if the file is not a photo or is damaged, or any error that `sink` throws.
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

  /// The items that show the photo in its own colours: the photo and its thumbnails.
  var coloredPictures: Set<UInt32> { Set([primaryItem, pixelItem] + thumbnails) }

  /// The items in ``coloredPictures`` and the tiles of these pictures.
  var coloredItems: [UInt32] {
    let pictures = coloredPictures
    let tiles = pictures.flatMap { targets("dimg", from: $0) }.filter { items[$0]?.isCodedImage ?? false }
    return pictures.union(tiles).sorted()
  }
}

extension HEIFComposition {
  /// Declares a picture's colours as Display P3. The matrix and range in the picture's code points are kept.
  ///
  /// - Parameter needsColor: Whether to add colour information if the picture has no colour information.
  fileprivate mutating func describeAsDisplayP3(_ id: UInt32, _ profile: [UInt8], needsColor: Bool) {
    var new = list(of: id)
    for index in new.indices where new[index].atom.kind == "colr" {
      let old = new[index].atom
      // The ITU-T H.273 codes for Display P3's primaries and sRGB's transfer function.
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
  /// Declares Display P3 primaries for the HDR picture that is created from the gain map. The picture's transfer
  /// function is kept.
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
  /// Replaces the colour profile.
  ///
  /// - Parameter profile: The new profile, or nil to remove the old profile.
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
  /// Sets whether Exif declares the colours as sRGB. Exif cannot identify any other colour space (CIPA DC-008 section
  /// 4.6.6.5). DCF's sRGB marker (R98, CIPA DC-009 section 3.2) is removed if the marker is no longer valid.
  mutating func setSRGB(_ isSRGB: Bool) {
    setNumber(isSRGB ? 1 : 0xFFFF, Tag.colorSpace, in: .exif)
    let index = 1
    if !isSRGB, text(index, in: .interoperability) == "R98" { remove(index, from: .interoperability) }
  }
}

extension XMPPacket {
  /// Sets whether XMP declares the colours as sRGB, if the packet already contains such a declaration.
  mutating func setSRGB(_ isSRGB: Bool) {
    set("ColorSpace", in: Namespace.exif, to: isSRGB ? "1" : "65535")
    // This property contains the name of the previous colour profile.
    for property in properties(in: Self.photoshop) where property.name.local == "ICCProfile" {
      remove(property)
    }
  }
}
