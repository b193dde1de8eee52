public import Basics
public import EditModel

/// What a photo's file says about its capture, from its first kilobytes.
public struct PhotoMetadata: Hashable, Sendable {
  /// Width as displayed, in pixels.
  public var width: Int
  /// Height as displayed, in pixels.
  public var height: Int
  /// The identifier that ties it to its movie.
  public var contentIdentifier: String?
  /// When it was taken.
  public var created: CaptureDate?
  /// The camera's maker.
  public var make: String?
  /// The camera's model.
  public var model: String?
  /// The program or system that wrote it.
  public var software: String?
  /// Where it was taken.
  public var location: GeoLocation?
  /// What the pictures of a burst have in common: Apple's BurstUUID.
  public var burst: String?
  /// What is special about it.
  public var subtypes: Set<AssetSubtype>

  /// Reads a photo's headers.
  ///
  /// - Parameter source: the file.
  /// - Throws: ``MediaError`` when it is no photo, damaged before its picture, or of a kind that is not read; what
  ///   `source` throws.
  public init(reading source: some ByteSource) throws {
    switch try PhotoKind.detect(source) {
    case .jpeg: try self.init(jpeg: source)
    case .heif: try self.init(heif: source)
    case .other: throw MediaError("it is neither a JPEG nor a HEIC photo", remedy: "name a photo")
    }
  }

  private init(heif source: some ByteSource) throws {
    let file = try HEIFFile(reading: source)
    let size = file.spatialExtents(of: file.primaryItem)
    self.init(
      exif: try file.exif(from: source)?.block.bytes,
      xmp: try file.xmpItems.first.map {
        try file.data(of: $0, most: HEIFFile.largestMetadata, from: source)
      },
      storedWidth: size?.width ?? 0, storedHeight: size?.height ?? 0, orientation: file.photoOrientation,
      hasGainMap: file.hasGainMap)
  }

  private init(jpeg source: some ByteSource) throws {
    let header = try JPEGHeader(reading: source)
    var exif: [UInt8]?
    var xmp: [UInt8]?
    var hasGainMap = false
    for segment in header.segments where segment.marker == 0xE1 || segment.marker == 0xE2 {
      let start = segment.payload.lowerBound
      let head = try source.read(at: start, count: min(segment.payload.count, JPEGMetadataKind.longestPrefix))
      guard let kind = JPEGMetadataKind(marker: segment.marker, payload: head) else { continue }
      let prefix = kind.signature.prefix.count
      func content() throws -> [UInt8] {
        try source.read(at: start + prefix, count: segment.payload.count - prefix)
      }
      switch kind {
      case .exif where exif == nil: exif = try content()
      case .xmp where xmp == nil: xmp = try content()
      case .gainMap: hasGainMap = true
      default: continue
      }
    }
    self.init(
      exif: exif, xmp: xmp, storedWidth: header.frame.width, storedHeight: header.frame.height,
      hasGainMap: hasGainMap)
  }

  /// Reads blocks of metadata that stood in a file of any kind.
  ///
  /// - Parameters:
  ///   - exif: the Exif block, from its byte order mark on; nil without one.
  ///   - xmp: the XMP packet.
  ///   - storedWidth: width of the stored picture in pixels.
  ///   - storedHeight: height of the stored picture in pixels.
  ///   - orientation: how the stored picture is displayed, where the container says so; nil leaves it to Exif.
  ///   - hasGainMap: whether the file holds a gain map.
  public init(
    exif: [UInt8]?, xmp: [UInt8]?, storedWidth: Int, storedHeight: Int, orientation: Orientation? = nil,
    hasGainMap: Bool
  ) {
    let block = exif.flatMap { TIFFBlock(exif: $0) }
    let swaps = (orientation ?? block?.orientation ?? .identity).swapsAxes
    width = swaps ? storedHeight : storedWidth
    height = swaps ? storedWidth : storedHeight
    subtypes = []
    if let block {
      let fields = ExifCapture(block)
      created = fields.created
      make = fields.make
      model = fields.model
      software = fields.software
      location = fields.location
      subtypes = fields.subtypes
      if let note = fields.appleNote {
        contentIdentifier = note.contentIdentifier
        burst = note.burstIdentifier
        if burst != nil { subtypes.insert(.burst) }
        if note.imageType == 3 { subtypes.insert(.hdr) }
        if note.captureType == 2 { subtypes.insert(.portrait) }
      }
    }
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
