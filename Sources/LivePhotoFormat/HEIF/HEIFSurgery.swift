import Basics
import EditModel

/// Turns a HEIC photo by its properties, puts new pixels into it, and rewrites its metadata; everything else is
/// copied as it is.
package struct HEIFSurgery: Sendable {
  let source: any ByteSource
  /// The boxes of the original.
  package let file: HEIFFile

  /// Takes an original.
  ///
  /// - Parameter photo: the photo.
  /// - Throws: ``MediaError`` when it is no HEIF file or damaged.
  package init(_ photo: Photo) throws {
    guard case .heif(let file) = try photo.container else { throw MediaError("it is not a HEIC photo") }
    source = photo.source
    self.file = file
  }

  /// Finds the parts of a picture; decodes nothing.
  ///
  /// - Parameter item: its item; nil means the photo itself.
  /// - Throws: ``MediaError`` when they are missing or made in a way that is not handled.
  package func picture(_ item: UInt32? = nil) throws -> HEIFPicture {
    try HEIFPicture(file, item: item, source: source)
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
  package func write(
    turn: Orientation, identifier: String? = nil, to sink: some ByteSink
  ) throws -> [Removal] {
    try check()
    var metadata = HEIFMetadataRewrite(file, turn: turn)
    try metadata.rewriteExif(identifier: identifier, source)
    try metadata.rewriteXMP(source)
    var composition = HEIFComposition(file, properties: try HEIFTurn(file, by: turn).properties)
    try composition.apply(metadata)
    try composition.writeInPlace(from: source, to: sink)
    return metadata.removals
  }

  /// Writes the photo with other pixels, turned.
  ///
  /// Pixels stay as they are stored, and what lays them down says where up is: so everything that counts in stored
  /// pixels stays true. No byte of the old pixels is in what is written.
  ///
  /// - Parameters:
  ///   - edit: the new pixels.
  ///   - turn: how the displayed picture is turned or mirrored further.
  ///   - identifier: the content identifier to write into Apple's maker note; nil leaves it as it is.
  ///   - sink: where the file goes.
  /// - Returns: what it does not carry any more.
  /// - Throws: ``MediaError`` when a movie or an image sequence is in the file, when its items cannot be followed,
  ///   or when it has no place for `identifier`; what source and sink throw.
  package func write(
    _ edit: HEIFEdit, turn: Orientation, identifier: String? = nil, to sink: some ByteSink
  ) throws -> [Removal] {
    try check()
    var metadata = HEIFMetadataRewrite(file, turn: turn)
    metadata.isNewPicture = true
    metadata.projection = edit.projection
    if let picture = edit.pictures[file.pixelItem], edit.projection != nil { metadata.newSize = picture.size }
    try metadata.rewriteExif(identifier: identifier, thumbnail: edit.exifThumbnail, source)
    try metadata.rewriteXMP(source)
    var composition = HEIFComposition(file, properties: try HEIFTurn(file, by: turn).properties)
    for (id, picture) in edit.pictures.sorted(by: { $0.key < $1.key }) {
      if edit.cutsAperture || id != file.pixelItem { composition.removeAperture(of: id) }
      try composition.replacePicture(id, with: picture)
    }
    composition.resizeDerivedPictures()
    try composition.apply(metadata)
    let removals = try remove(edit.removed, from: &composition)
    try composition.writeAnew(from: source, to: sink)
    return metadata.removals + removals
  }

  /// The JPEG thumbnail in Exif's IFD1, for the caller to edit along; nil when there is none.
  package func exifThumbnail() throws -> [UInt8]? { try file.exif(from: source)?.block.thumbnail }

  /// Takes pictures out, and names them and what described them.
  private func remove(_ items: [UInt32: String], from composition: inout HEIFComposition) throws -> [Removal]
  {
    let names = Dictionary(file.relatedPictures.map { ($0.item, $0.name) }) { first, _ in first }
    var removals: [Removal] = []
    for (id, reason) in items.sorted(by: { $0.key < $1.key }) {
      let before = Set(composition.items.map(\.id))
      composition.remove(id)
      removals.append(Removal(half: .photo, name: names[id] ?? "picture", reason: reason))
      let gone = before.subtracting(composition.items.map(\.id))
      for item in gone.sorted() where file.items[item]?.isXMP ?? false {
        let packet = XMPPacket(try file.data(of: item, most: HEIFFile.largestMetadata, from: source))
        removals += (packet?.properties.map(\.prefix) ?? ["XMP"]).unique
          .map { Removal(half: .photo, name: $0, reason: "describes the \(names[id] ?? "picture")") }
      }
      if gone.contains(where: { file.items[$0]?.type == "tmap" }) {
        removals.append(
          Removal(half: .photo, name: "tmap", reason: "is made by the \(names[id] ?? "picture")"))
      }
    }
    return removals
  }

  /// - Throws: ``MediaError`` when a movie or an image sequence is in the file.
  func check() throws {
    guard try !file.isMotionPhoto(source) else {
      throw MediaError(
        "it is a Motion Photo, whose movie is inside the photo and would not be edited",
        remedy: "make a Live Photo of it with liveedit create --from", isUnsupported: true)
    }
    guard !file.atoms.contains(where: { $0.kind == "moov" }) else {
      throw MediaError(
        "it is an image sequence, which would not be edited with its picture", isUnsupported: true)
    }
  }
}

extension HEIFComposition {
  /// Takes over the new data of metadata items.
  fileprivate mutating func apply(_ metadata: HEIFMetadataRewrite) throws {
    for (id, bytes) in metadata.contents { replace(id, with: bytes) }
    if let exif = metadata.newExif { try add("Exif", exif, describing: file.primaryItem) }
  }
}

/// The new data of the photo's metadata items when it is turned by its properties. Places in stored pixels stay true.
struct HEIFMetadataRewrite {
  /// The new data of items that change.
  private(set) var contents: [UInt32: [UInt8]] = [:]
  /// The data of an Exif item, for a file that had none.
  private(set) var newExif: [UInt8]?
  /// The metadata that was taken out.
  private(set) var removals: [Removal] = []
  /// True if thumbnails in Exif and XMP show another picture.
  var isNewPicture = false
  /// From places of the stored picture to places of the new one.
  var projection: PictureProjection?
  /// Stored size of the new picture, where it is another one.
  var newSize: PixelSize?

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

  private mutating func name(_ names: [String], _ reason: String = "describes places in the picture") {
    removals += names.map { Removal(half: .photo, name: $0, reason: reason) }
  }

  private static let stale = "shows the picture as it was before the edit"

  /// Orientation, sizes, thumbnail and identifier.
  ///
  /// - Parameters:
  ///   - identifier: the content identifier; nil leaves it as it is.
  ///   - thumbnail: a JPEG to stand in for the thumbnail, if the picture is new.
  ///   - source: the file.
  /// - Throws: ``MediaError`` when the block cannot take `identifier`.
  mutating func rewriteExif(
    identifier: String?, thumbnail: [UInt8]? = nil, _ source: some ByteSource
  ) throws {
    guard let item = file.exifItem else {
      if let identifier {
        newExif = HEIFExif(block: .minimal(orientation: new, contentIdentifier: identifier)).bytes
      }
      return
    }
    let data = try file.data(of: item, most: HEIFFile.largestMetadata, from: source)
    guard var exif = HEIFExif(data) else {
      guard identifier == nil else { throw TIFFBlock.takesNoIdentifier }
      return
    }
    if isNewPicture {
      let isReplaced =
        thumbnail.map { exif.block.thumbnail != nil && exif.block.replaceThumbnail($0) } ?? false
      if !isReplaced, exif.block.removeThumbnail() { name(["ThumbnailImage"], Self.stale) }
    }
    name(
      exif.block.turn(
        by: .identity, then: projection, leaving: new, from: size, to: newSize ?? size))
    if let identifier { try exif.block.setContentIdentifier(identifier) }
    if exif.bytes != data { contents[item] = exif.bytes }
  }

  /// Orientation and sizes, and regions that count in the displayed picture.
  mutating func rewriteXMP(_ source: some ByteSource) throws {
    for item in file.xmpItems.prefix(16) {
      let data = try file.data(of: item, most: HEIFFile.largestMetadata, from: source)
      guard var packet = XMPPacket(data) else { continue }
      if let projection {
        let change = PictureChange(
          transform: .identity, projection: projection, orientation: new, old: size, new: newSize ?? size,
          isNewPicture: true, keepsGainMap: true)
        name(packet.turnPlaces(change))
      }
      packet.describe(size: newSize ?? size, orientation: new)
      if isNewPicture, !packet.thumbnails.isEmpty {
        for property in packet.thumbnails { packet.remove(property) }
        name(["xmp:Thumbnails"], Self.stale)
      }
      if turn != .identity, projection == nil { turnDisplayedRegions(&packet) }
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
