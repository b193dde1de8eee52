import Basics
import EditModel

/// A gain map from a JPEG that is added to a HEIC photo.
package struct HEIFGainMap: Sendable {
  /// The original gain map.
  let map: JPEGMap
  /// Apple's XMP for the gain map, or nil if the gain map has no XMP from Apple.
  private let packet: [UInt8]?
  /// The ISO 21496-1 metadata needed to produce the HDR picture, or nil if the file contains no such metadata.
  private let metadata: GainMapMetadata?
  /// The gain map's new samples, rotated and cropped like the photo. If nil, no gain map is written.
  package var picture: HEIFCodedPicture?
  /// The size of the displayed part of the samples. The displayed part begins at the top-left corner.
  package var shown = PixelSize(width: 0, height: 0)
  /// Whether the gain map has no chroma.
  package var isGrey = true

  /// Reads a gain map.
  ///
  /// - Returns: nil if the picture is not a gain map, or if HEIC does not support the metadata that describes how to
  ///   apply the gain map.
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

  /// Whether the gain map has the metadata for a tone map, which describes how to produce the HDR picture.
  var hasToneMap: Bool { metadata != nil }

  /// Adds the gain map to a photo in two ways: as an auxiliary image, as in iPhone photos, and as the input of a tone
  /// map that is an alternative to the photo (ISO/IEC 23008-12 with ISO 21496-1).
  ///
  /// - Parameters:
  ///   - photo: The ID of the photo's item.
  ///   - size: The width and height of the stored photo in pixels.
  ///   - primaries: The primaries of the photo's colours (ITU-T H.273).
  ///   - orientation: The orientation in which the photo and the gain map are displayed.
  func add(
    to composition: inout HEIFComposition, of photo: UInt32, size: PixelSize, primaries: UInt8,
    orientation: Orientation
  ) throws {
    guard let picture else { return }
    let item = try composition.add("hvc1", [])
    // The samples are fractions of the maximum gain, so neither primaries nor a transfer function apply to them.
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
    // The HDR picture has the photo's primaries, PQ and 10 bits.
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
  /// Makes all metadata items that describe a given item describe a second item as well.
  fileprivate mutating func describeToo(_ id: UInt32, like other: UInt32) {
    references = references.map { reference in
      guard reference.kind == "cdsc", reference.to.contains(other) else { return reference }
      return HEIFReference(kind: "cdsc", from: reference.from, to: reference.to + [id])
    }
  }
}
