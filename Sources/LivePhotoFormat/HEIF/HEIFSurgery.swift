import EditModel

/// Turns a HEIC photo by its properties and rewrites its metadata; coded pictures are copied as they are.
public struct HEIFSurgery: Sendable {
  /// What other rooms want to know of the original.
  public let summary: PhotoSummary
  private let source: any ByteSource
  private let file: HEIFFile

  /// Reads the boxes of an original.
  ///
  /// - Parameter source: the file.
  /// - Throws: ``MediaError`` when it is no HEIF file or damaged; what `source` throws.
  public init(_ source: any ByteSource) throws {
    self.source = source
    file = try HEIFFile(reading: source)
    summary = try PhotoSummary(heif: file, source: source)
  }

  /// Writes the photo, turned.
  ///
  /// Thumbnail, gain map, depth and other pictures that belong to the photo turn along. Exif says what the
  /// properties say. Items whose bytes change keep their place if nothing else uses it; offsets follow what moves.
  ///
  /// - Parameters:
  ///   - turn: how the displayed picture is turned or mirrored further.
  ///   - identifier: the content identifier to write into Apple's maker note; nil leaves it as it is.
  ///   - sink: where the file goes.
  /// - Returns: what it does not carry any more.
  /// - Throws: ``MediaError`` when a movie or an image sequence is in the file, when its items cannot be followed,
  ///   or when it has no place for `identifier`; what source and sink throw.
  public func write(
    turn: Orientation, identifier: String? = nil, to sink: some ByteSink
  ) throws -> [Removal] {
    guard !summary.isMotionPhoto else {
      throw MediaError(
        "it is a Motion Photo, whose movie is inside the photo and would not be turned",
        remedy: "take it apart into a photo and a movie first", isUnsupported: true)
    }
    guard !file.atoms.contains(where: { $0.kind == "moov" }) else {
      throw MediaError(
        "it is an image sequence, which would not be turned with its picture", isUnsupported: true)
    }
    var metadata = HEIFMetadataRewrite(file, turn: turn)
    try metadata.rewriteExif(identifier: identifier, source)
    try metadata.rewriteXMP(source)
    var rewriter = HEIFRewriter(file, properties: try HEIFTurn(file, by: turn).properties)
    for (id, bytes) in metadata.contents.sorted(by: { $0.key < $1.key }) { rewriter.replace(id, with: bytes) }
    if let exif = metadata.newExif { try rewriter.add("Exif", exif, describing: file.primaryItem) }
    try rewriter.write(from: source, to: sink)
    return metadata.removals
  }
}

/// What the photo's metadata items become when it is turned by its properties. Stored pixels stay where they are, and so
/// does what counts in them.
struct HEIFMetadataRewrite {
  /// The new data of items that change.
  private(set) var contents: [UInt32: [UInt8]] = [:]
  /// The data of an Exif item, for a file that had none.
  private(set) var newExif: [UInt8]?
  /// What was taken out.
  private(set) var removals: [Removal] = []

  private let file: HEIFFile
  private let turn: Orientation
  /// Stored size of the picture, clean aperture cut out.
  private let size: PixelSize
  private let old: Orientation

  private var new: Orientation { old.then(turn) }

  init(_ file: HEIFFile, turn: Orientation) {
    self.file = file
    self.turn = turn
    old = file.photoOrientation
    size = file.shownExtents ?? PixelSize(width: 0, height: 0)
  }

  private mutating func name(_ names: [String]) {
    removals += names.map { Removal(half: .photo, name: $0, reason: "describes places in the picture") }
  }

  /// Orientation, sizes and identifier.
  ///
  /// - Throws: ``MediaError`` when the block cannot take `identifier`.
  mutating func rewriteExif(identifier: String?, _ source: some ByteSource) throws {
    guard let item = file.exifItem else {
      if let identifier {
        let block = TIFFBlock.minimal(orientation: new, contentIdentifier: identifier)
        newExif = TIFFBlock(exif: block).map { HEIFExif(block: $0).bytes }
      }
      return
    }
    let data = try file.data(of: item, most: HEIFFile.largestMetadata, from: source)
    guard var exif = HEIFExif(data) else {
      guard identifier == nil else {
        throw MediaError(
          "its Exif block is damaged, so it cannot take the identifier of a Live Photo",
          remedy: "copy it again from the phone")
      }
      return
    }
    name(exif.block.turn(by: .identity, leaving: new, from: size, to: size))
    if let identifier { try exif.block.setContentIdentifier(identifier) }
    if exif.bytes != data { contents[item] = exif.bytes }
  }

  /// Orientation and sizes, and regions that count in the displayed picture.
  mutating func rewriteXMP(_ source: some ByteSource) throws {
    for item in file.xmpItems.prefix(16) {
      let data = try file.data(of: item, most: HEIFFile.largestMetadata, from: source)
      guard var packet = XMPPacket(data) else { continue }
      packet.describe(size: size, orientation: new)
      if turn != .identity { turnDisplayedRegions(&packet) }
      if let bytes = packet.rewritten(limit: HEIFFile.largestMetadata), bytes != data {
        contents[item] = bytes
      }
    }
  }

  /// Regions stand in stored coordinates as a rule, which AppliedToDimensions proves. Some programs write displayed
  /// ones.
  private mutating func turnDisplayedRegions(_ packet: inout XMPPacket) {
    let shown = old.swapsAxes ? PixelSize(width: size.height, height: size.width) : size
    let turned = turn.swapsAxes ? PixelSize(width: shown.height, height: shown.width) : shown
    guard shown != size else { return }
    for property in packet.properties(in: XMPPacket.Namespace.regions) {
      guard case .element(let regions) = property,
        let applied = packet.descendants(of: regions).first(where: { $0.name.local == "AppliedToDimensions" })
      else { continue }
      let fields = packet.fields(of: applied)
      guard let width = fields["w"], Double(width.text) == Double(shown.width), let height = fields["h"],
        Double(height.text) == Double(shown.height)
      else { continue }
      if let unturned = packet.turnRegions(
        regions,
        PictureChange(transform: turn, orientation: .identity, old: shown, new: turned, isNewPicture: false))
      {
        name(unturned)
      } else {
        packet.remove(property)
        name(["mwg-rs"])
      }
    }
  }
}

extension HEIFFile {
  /// The size of the photo as stored, with its clean aperture cut out.
  var shownExtents: PixelSize? {
    guard let size = spatialExtents(of: primaryItem) else { return nil }
    guard let clap = properties(of: primaryItem).first(where: { $0.kind == "clap" }),
      let aperture = try? HEIFPicture.Aperture(CleanAperture(clap), in: size)
    else { return size }
    return PixelSize(width: aperture.width, height: aperture.height)
  }
}
