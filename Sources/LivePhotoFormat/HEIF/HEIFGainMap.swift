import Basics
import EditModel

/// A gain map of a JPEG that goes into a HEIC photo.
package struct HEIFGainMap: Sendable {
  /// The map as it was.
  let map: JPEGMap
  /// Apple's XMP about it; nil for a map that is not Apple's.
  private let packet: [UInt8]?
  /// How it makes the HDR picture by ISO 21496-1; nil where nothing says so.
  private let metadata: GainMapMetadata?
  /// Its new samples, turned and cropped like the photo's; without them nothing is written.
  package var picture: HEIFCodedPicture?
  /// The size of what is shown of them, at their upper left.
  package var shown = PixelSize(width: 0, height: 0)
  /// True if it has no chroma.
  package var isGrey = true

  /// - Returns: nil for a picture that is none, or does not say in words that HEIC has how it is to be used.
  package init?(_ map: JPEGMap) throws {
    guard map.isGainMap, let file = try? JPEGFile(map.bytes) else { return nil }
    let parts = JPEGParts(file)
    self.map = map
    metadata = try GainMapMetadata(parts)
    packet = try parts.contents(of: .xmp).first { content in
      try XMPPacket(content).map { !$0.properties(in: XMPPacket.Namespace.appleGainMap).isEmpty } ?? false
    }
    guard metadata != nil || packet != nil else { return nil }
  }

  /// True if a tone map says how it makes the HDR picture.
  var hasToneMap: Bool { metadata != nil }

  /// Adds it to a photo: as an auxiliary picture, as iPhones have it, and as a part of a tone map (ISO/IEC 23008-12 with
  /// ISO 21496-1), which is an alternative to the photo.
  ///
  /// - Parameters:
  ///   - photo: the photo's item.
  ///   - size: columns and rows of the photo as it is stored.
  ///   - primaries: the primaries of its colours (ITU-T H.273).
  ///   - orientation: how both are displayed.
  func add(
    to composition: inout HEIFComposition, of photo: UInt32, size: PixelSize, primaries: UInt8,
    orientation: Orientation
  ) throws {
    guard let picture else { return }
    let item = try composition.add("hvc1", [])
    // Neither primaries nor a curve: samples are shares of the gain.
    let color: [UInt8] = Array("nclx".utf8) + [0, 2, 0, 2, 0, isGrey ? 2 : 6, 0x80]
    var list = HEIFFile.properties(
      of: picture.grid.size, showing: shown, isGrey: isGrey, color: color, orientation: orientation)
    if packet != nil {
      let kind = Atom("auxC", [0, 0, 0, 0] + Array("urn:com:apple:photo:2020:aux:hdrgainmap".utf8) + [0])
      list.insert((kind, true), at: 0)
      composition.references.append(HEIFReference(kind: "auxl", from: item, to: [photo]))
    }
    composition.setList(list, of: item)
    try composition.replacePicture(item, with: picture)
    if let packet {
      try composition.add("mime", packet, contentType: "application/rdf+xml", describing: item)
    }
    guard let metadata else { return }
    let tone = try composition.add("tmap", [0] + metadata.bytes, isHidden: false)
    // The HDR picture: the photo's primaries, PQ, 10 bits.
    let hdr = Atom("colr", Array("nclx".utf8) + [0, primaries, 0, 16, 0, 6, 0x80])
    composition.setList(
      [
        (hdr, true), (.spatialExtents(size.turned(by: orientation)), false),
        (Atom("pixi", [0, 0, 0, 0, 3, 10, 10, 10]), false),
      ], of: tone)
    composition.describeToo(tone, like: photo)
    composition.references.append(HEIFReference(kind: "dimg", from: tone, to: [photo, item]))
    try composition.group("altr", [tone, photo])
  }
}

extension HEIFComposition {
  /// Makes what describes one item describe another as well.
  fileprivate mutating func describeToo(_ id: UInt32, like other: UInt32) {
    references = references.map { reference in
      guard reference.kind == "cdsc", reference.to.contains(other) else { return reference }
      return HEIFReference(kind: "cdsc", from: reference.from, to: reference.to + [id])
    }
  }
}
