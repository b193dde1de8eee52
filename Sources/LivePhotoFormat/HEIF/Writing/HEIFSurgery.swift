import Basics
import EditModel

/// Turning a HEIC photo by its properties, and putting new pixels into it: its metadata is rewritten, and everything else
/// is copied as it is.
extension HEIFFile {
  /// Takes the boxes of a photo.
  ///
  /// - Throws: ``MediaError`` when it is no HEIF file or damaged.
  package init(_ photo: Photo) throws {
    guard let file = try photo.container as? HEIFFile else { throw MediaError("it is not a HEIC photo") }
    self = file
  }

  /// Writes the photo, turned.
  ///
  /// Thumbnail, gain map, depth and other pictures that belong to the photo turn along, and so does the picture of a
  /// spatial photo for the other eye; an image sequence by the matrices of its tracks. Exif says what the properties say. Items
  /// whose bytes change keep their place if nothing else uses it; offsets follow what moves.
  ///
  /// - Parameters:
  ///   - turn: how the displayed picture is turned or mirrored further.
  ///   - identifier: the content identifier to write into Apple's maker note; nil leaves it as it is.
  /// - Returns: what it does not carry any more.
  /// - Throws: ``MediaError`` when a movie is in the file, when its items or tracks cannot be followed, or when it has no
  ///   place for `identifier`; what source and sink throw.
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

  /// Writes the photo with other pixels, turned.
  ///
  /// Pixels stay as they are stored, and what lays them down says where up is: so everything that counts in stored
  /// pixels stays true. No byte of the old pixels is in what is written.
  ///
  /// - Parameters:
  ///   - turn: how the displayed picture is turned or mirrored further.
  ///   - identifier: the content identifier to write into Apple's maker note; nil leaves it as it is.
  /// - Returns: what it does not carry any more.
  /// - Throws: as ``write(turn:identifier:to:)``, and for an image sequence.
  package func write(
    _ edit: HEIFEdit, turn: Orientation, identifier: String? = nil, to sink: some ByteSink
  ) throws -> [Removal] {
    try checkIsOnePicture()
    guard stereoPair == nil else {
      throw MediaError(
        "it is a spatial photo, and only the picture for one eye would be edited",
        remedy: "turn it only, or make a JPEG of the one picture with --photo-format jpeg",
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

  /// Takes pictures out, and names them and what described them.
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
        removals.append(Removal(half: .photo, name: "tmap", reason: "is made by the \(name)"))
      }
    }
    return removals
  }

  /// The prefixes of an XMP item's properties, each once; “XMP” where they cannot be read.
  func groups(ofXMP item: UInt32) throws -> [String] {
    try (XMPPacket(data(of: item))?.properties.map(\.prefix) ?? ["XMP"]).unique
  }

  /// - Throws: ``MediaError`` when a movie or an image sequence is in the file.
  func checkIsOnePicture() throws {
    try checkIsNoMotionPhoto()
    try checkHasNoSequence()
  }

  private func checkIsNoMotionPhoto() throws {
    guard try !isMotionPhoto() else {
      throw MediaError(
        "it is a Motion Photo, whose movie is inside the photo and would not be edited",
        remedy: "make a Live Photo of it with liveedit create --from", isUnsupported: true)
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
