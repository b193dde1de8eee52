import EditModel

/// The capture of a photo, as the first kilobytes of its file describe it.
package struct PhotoMetadata: Hashable, Sendable {
  /// Width as displayed, in pixels.
  package var width: Int
  /// Height as displayed, in pixels.
  package var height: Int
  /// Stored width in pixels.
  package let storedWidth: Int
  /// Stored height in pixels.
  package let storedHeight: Int
  /// The orientation in which the stored picture is displayed; the identity when nothing says so.
  package let orientation: Orientation
  /// The identifier that ties it to its movie.
  package var contentIdentifier: String?
  /// When it was taken.
  package var created: CaptureDate?
  /// When it was taken, as Exif writes it, with fraction and time zone as far as known:
  /// `2019:12:29 19:01:15.505-08:00`.
  package internal(set) var captureDate: String?
  /// The camera's maker.
  package var make: String?
  /// The camera's model.
  package var model: String?
  /// The program or system that wrote it.
  package var software: String?
  /// Where it was taken.
  package var location: GeoLocation?
  /// The identifier that the pictures of a burst share: Apple's BurstUUID.
  package var burst: String?
  /// The subtypes that it belongs to.
  package var subtypes: Set<AssetSubtype> = []

  /// Combines what a photo's headers hold.
  ///
  /// - Parameter orientation: how the stored picture is displayed, where the container says so; nil leaves it to Exif.
  init(
    exif block: TIFFBlock?, xmp: [UInt8]?, stored: PixelSize, orientation said: Orientation?, hasGainMap: Bool
  ) {
    orientation = said ?? block?.orientation ?? .identity
    (storedWidth, storedHeight) = (stored.width, stored.height)
    let shown = stored.turned(by: orientation)
    (width, height) = (shown.width, shown.height)
    if let block { read(block) }
    if hasGainMap { subtypes.insert(.hdr) }
    // Parsing XML takes longer than all the rest: only where a word says that there is something to find.
    if let xmp, xmp.firstIndex(of: "hdr-gain-map") != nil || xmp.firstIndex(of: "photos/1.0/panorama") != nil,
      let packet = XMPPacket(xmp)
    {
      if packet.text("Version", in: XMPPacket.Namespace.gainMap) != nil { subtypes.insert(.hdr) }
      if packet.text("ProjectionType", in: XMPPacket.Namespace.panorama) != nil { subtypes.insert(.panorama) }
    }
  }
}
