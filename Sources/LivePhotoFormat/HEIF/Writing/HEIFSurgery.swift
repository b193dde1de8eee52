import Basics
import EditModel

/// Rotates a HEIC photo by its properties, and replaces its pixels. The metadata is rewritten. Everything else is
/// copied unchanged.
extension HEIFFile {
  /// Reads the boxes of a photo.
  ///
  /// - Throws: ``MediaError`` if the photo is not a HEIF file or if the file is damaged.
  package init(_ photo: Photo) throws {
    guard let file = try photo.container as? HEIFFile else {
      throw MediaError("the file is not a HEIC photo")
    }
    self = file
  }

  /// Writes the photo with a rotation or mirroring applied.
  ///
  /// The thumbnail, gain map, depth map and other pictures that belong to the photo are also rotated. In a spatial
  /// photo, the other eye's picture is rotated as well. An image sequence is rotated by the matrices of its tracks.
  /// Exif is updated to match the properties. A changed item keeps its position if no other item uses its bytes. The
  /// offsets of moved data are updated.
  ///
  /// - Parameters:
  ///   - turn: The rotation or mirroring to apply to the displayed picture.
  ///   - identifier: The content identifier to write into Apple's maker note, or nil to keep the existing identifier.
  /// - Returns: The metadata that the photo no longer contains.
  /// - Throws: ``MediaError`` if the file contains a movie, if the structure of the items or tracks is not supported,
  ///   or if `identifier` cannot be stored, or any error that the source or the sink throws.
  package func write(
    turn: Orientation, identifier: String? = nil, to sink: some ByteSink
  ) throws -> [Removal] {
    try checkIsNoMotionPhoto()
    let metadata = try HEIFMetadataRewrite(self, turn: turn, identifier: identifier)
    let turned = try HEIFTurn(self, by: turn)
    var composition = HEIFComposition(self, properties: turned.properties, groups: turned.groups)
    composition.sequenceTurn = turn
    let manifests = try composition.removeManifests()
    try composition.apply(metadata)
    try composition.writeInPlace(to: sink)
    return manifests + metadata.removals + turned.removals
  }

  /// Writes the photo with new pixels and a rotation or mirroring applied.
  ///
  /// The new pixels are stored in the same orientation as the old pixels, and the properties state the rotation for
  /// display. Coordinates in stored pixels therefore remain valid. The output does not contain any data of the old
  /// pixels.
  ///
  /// - Parameters:
  ///   - turn: The rotation or mirroring to apply to the displayed picture.
  ///   - identifier: The content identifier to write into Apple's maker note, or nil to keep the existing identifier.
  /// - Returns: The metadata that the photo no longer contains.
  /// - Throws: The errors of ``write(turn:identifier:to:)``, and ``MediaError`` if the file contains an image sequence.
  package func write(
    _ edit: HEIFEdit, turn: Orientation, identifier: String? = nil, to sink: some ByteSink
  ) throws -> [Removal] {
    try checkIsOnePicture()
    guard stereoPair == nil else {
      throw MediaError(
        "the file is a spatial photo, and only the picture for one eye would be edited",
        remedy: "apply only a rotation, or save the picture for one eye as a JPEG with --photo-format jpeg",
        isUnsupported: true)
    }
    try HEIFComposition(self).checkItemsAreApart()
    let metadata = try HEIFMetadataRewrite(self, edit, turn: turn, identifier: identifier)
    var composition = HEIFComposition(self, properties: try HEIFTurn(self, by: turn).properties)
    for (id, picture) in edit.pictures.sorted(by: { $0.key < $1.key }) {
      if edit.cutsAperture || id != pixelItem { composition.removeAperture(of: id) }
      try composition.replacePicture(id, with: picture)
    }
    composition.resizeDerivedPictures()
    try composition.apply(metadata)
    let removals =
      try composition.removeManifests() + remove(edit.removed, from: &composition)
      + composition.keepSamsungBlocks(after: metadata.change)
      + removePreviews(from: &composition)
    try composition.writeAnew(to: sink)
    return metadata.removals + removals
  }

  /// Removes pictures, and returns the names of these pictures and of the metadata that described them.
  private func remove(_ pictures: [UInt32: Message], from composition: inout HEIFComposition) throws
    -> [Removal]
  {
    let names = Dictionary(try relatedPictures.map { ($0.item, $0.name) }) { first, _ in first }
    var removals: [Removal] = []
    for (id, reason) in pictures.sorted(by: { $0.key < $1.key }) {
      let name = names[id] ?? "picture"
      let before = Set(composition.items.map(\.id))
      composition.remove(id)
      removals.append(Removal(half: .photo, name: name, reason: reason))
      let gone = before.subtracting(composition.items.map(\.id))
      for item in gone.sorted() where items[item]?.isXMP ?? false {
        removals += try groups(ofXMP: item)
          .map { Removal(half: .photo, name: $0, reason: "describes the \(name)") }
      }
      if gone.contains(where: { items[$0]?.type == "tmap" }) {
        removals.append(Removal(half: .photo, name: "tmap", reason: "depends on the \(name)"))
      }
    }
    return removals
  }

  /// Returns the distinct prefixes of an XMP item's properties, or “XMP” if the item cannot be read.
  func groups(ofXMP item: UInt32) throws -> [String] {
    try (XMPPacket(data(of: item))?.properties.map(\.prefix) ?? ["XMP"]).unique
  }

  /// Checks that the file contains a single picture.
  ///
  /// - Throws: ``MediaError`` if the file contains a movie or an image sequence.
  func checkIsOnePicture() throws {
    try checkIsNoMotionPhoto()
    try checkHasNoSequence()
  }

  private func checkIsNoMotionPhoto() throws {
    guard try !isMotionPhoto() else {
      throw MediaError(
        "the photo is a Motion Photo, and its embedded movie would not be edited",
        remedy: "create a Live Photo from it with liveedit create --from", isUnsupported: true)
    }
  }
}

extension HEIFComposition {
  /// Applies the new data of metadata items.
  fileprivate mutating func apply(_ metadata: HEIFMetadataRewrite) throws {
    for (id, bytes) in metadata.contents { replace(id, with: bytes) }
    if let exif = metadata.newExif { try add("Exif", exif, describing: file.primaryItem) }
  }
}
