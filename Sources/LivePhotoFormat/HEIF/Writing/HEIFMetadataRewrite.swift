import Basics
import EditModel

/// The new data of a photo's metadata items after the photo is rotated by its properties. Coordinates in stored pixels
/// remain valid.
struct HEIFMetadataRewrite {
  /// The new data of changed items.
  private(set) var contents: [UInt32: [UInt8]] = [:]
  /// The data of a new Exif item, if the file did not contain an Exif item.
  private(set) var newExif: [UInt8]?
  /// The metadata that was removed.
  private(set) var removals: [Removal] = []

  private let file: HEIFFile
  private let turn: Orientation
  private let old: Orientation
  /// The change to the stored picture. The picture's size excludes the parts that the clean aperture cuts off.
  let change: PictureChange

  /// Rewrites Exif and XMP.
  ///
  /// - Parameters:
  ///   - edit: The new pixels, or nil if the pixels do not change.
  ///   - turn: The rotation or mirroring to apply to the displayed picture.
  ///   - identifier: The content identifier, or nil to keep the existing identifier.
  /// - Throws: ``MediaError`` if `identifier` cannot be stored in Exif.
  init(_ file: HEIFFile, _ edit: HEIFEdit? = nil, turn: Orientation, identifier: String?) throws {
    self.file = file
    self.turn = turn
    old = file.photoOrientation
    let size = file.shownExtents ?? PixelSize(width: 0, height: 0)
    let newSize = edit.flatMap { $0.cutsAperture ? $0.pictures[file.pixelItem]?.grid.size : nil }
    change = PictureChange(
      transform: .identity, projection: edit?.projection, orientation: old.then(turn), old: size,
      new: newSize ?? size, isNewPicture: edit != nil, keepsGainMap: true)
    try rewriteExif(identifier: identifier, thumbnail: edit?.exifThumbnail)
    for item in try file.xmpPackets() { try rewriteXMP(item) }
    for (item, projection) in (edit?.projections ?? [:]).sorted(by: { $0.key < $1.key }) {
      try rewriteXMP(describing: item, projection)
    }
  }

  private mutating func name(_ names: [String], _ reason: Message = PictureChange.places) {
    removals += names.map { Removal(half: .photo, name: $0, reason: reason) }
  }

  /// Rewrites the orientation, sizes, thumbnail and identifier in Exif.
  private mutating func rewriteExif(identifier: String?, thumbnail: [UInt8]?) throws {
    let picture = ExifPicture(
      size: change.new, isSRGB: file.exifPicture.isSRGB, components: [1, 2, 3, 0])
    guard let item = file.exifItem else {
      newExif = identifier.map {
        HEIFExif(block: .made(for: picture, orientation: change.orientation, contentIdentifier: $0)).bytes
      }
      return
    }
    let data = try file.data(of: item)
    guard var exif = HEIFExif(data) else {
      guard identifier == nil else { throw TIFFBlock.takesNoIdentifier }
      return
    }
    if change.isNewPicture {
      name(exif.removePreviews(), PictureChange.stale)
      if exif.block.putThumbnail(thumbnail) { name(["ThumbnailImage"], PictureChange.stale) }
    }
    name(exif.block.turn(change))
    if let identifier {
      try exif.block.change(describing: picture) { try $0.setContentIdentifier(identifier) }
    }
    if exif.bytes != data { contents[item] = exif.bytes }
  }

  /// Rewrites the orientation and sizes in XMP, as well as regions whose coordinates refer to the displayed picture.
  private mutating func rewriteXMP(_ item: UInt32) throws {
    let data = try file.data(of: item)
    guard var packet = try XMPPacket(data) else { return }
    // Photos with an embedded movie have already been rejected at this point.
    if packet.isMotionPhoto {
      packet.removeMotionPhoto()
      name(["MotionPhoto"], MotionPhoto.lostMovie)
    }
    if change.isReframed { name(packet.turnPlaces(change)) }
    packet.describe(change)
    if change.isNewPicture { name(packet.removePictures(), PictureChange.stale) }
    if turn != .identity, !change.isReframed { turnDisplayedRegions(&packet) }
    let bytes = packet.rewritten()
    if bytes != data { contents[item] = bytes }
  }

  /// Rewrites the XMP items that describe an auxiliary image but not the photo.
  private mutating func rewriteXMP(describing picture: UInt32, _ projection: PictureProjection) throws {
    let own = file.sources("cdsc", to: picture).filter { file.items[$0]?.isXMP ?? false }
    for item in try HEIFFile.checked(own) where contents[item] == nil && !file.xmpItems.contains(item) {
      guard var packet = try XMPPacket(file.data(of: item)) else { continue }
      name(packet.moveCamera(projection))
      contents[item] = packet.rewritten()
    }
  }

  /// Rewrites regions in displayed coordinates, which some programs use. Regions are usually in stored coordinates.
  /// AppliedToDimensions shows which coordinates the program used.
  private mutating func turnDisplayedRegions(_ packet: inout XMPPacket) {
    let shown = change.old.turned(by: old)
    guard shown != change.old else { return }
    let turned = PictureChange(
      transform: turn, orientation: .identity, old: shown, new: shown.turned(by: turn), isNewPicture: false)
    for property in packet.properties(in: XMPPacket.Namespace.regions) {
      guard case .element(let regions) = property,
        let applied = packet.descendants(of: regions).first(where: { $0.name.local == "AppliedToDimensions" })
      else { continue }
      let size = packet.fields(of: applied).mapValues { Double($0.text) }
      guard size["w"] == Double(shown.width), size["h"] == Double(shown.height) else { continue }
      if let unturned = packet.turnRegions(regions, turned) {
        name(unturned)
      } else {
        packet.remove(property)
        name(["mwg-rs"])
      }
    }
  }
}
