import Basics
import EditModel

/// Pictures in a HEIF file other than the photo and the pictures that belong to the photo.
extension HEIFFile {
  /// The other pictures in the file, in file order: all pictures except the photo, its parts, pictures derived from the
  /// photo, and ``relatedPictures``. Examples are other photos in a burst and thumbnails of gain maps.
  ///
  /// - Throws: ``MediaError`` if the file contains more such pictures than any real file has.
  package var otherPictures: [UInt32] {
    get throws {
      var kept = Set([primaryItem, pixelItem] + (try relatedPictures.map(\.item)))
      let derived = references.filter { $0.kind == "dimg" }
      // Collects the pictures derived from the photo, and then the parts of all collected pictures.
      for reference in derived where reference.to.contains(where: [primaryItem, pixelItem].contains) {
        kept.insert(reference.from)
      }
      for _ in 0..<4 {
        for reference in derived where kept.contains(reference.from) { kept.formUnion(reference.to) }
      }
      let others = itemOrder.filter { id in
        !kept.contains(id) && (items[id].map { $0.isCodedImage || $0.isDerivedImage } ?? false)
      }
      guard others.count <= Self.mostOthers else {
        throw MediaError("the file has more than \(Self.mostOthers) other pictures", isUnsupported: true)
      }
      return others
    }
  }

  /// The maximum number of other pictures, large enough to include all tiles of another photo in the file.
  private static let mostOthers = 1024

  /// The boxes that are rewritten item by item or omitted.
  private static let rewritten: Set<FourCC> = [
    "ftyp", "meta", "mdat", "free", "skip", "wide", "hdlr", "dinf", "pitm", "iinf", "iref", "iprp", "iloc",
    "idat", "grpl",
  ]

  /// Removes items and boxes that are not HEIF pictures but contain a JPEG. For example, Canon cameras add JPEGs, which
  /// would still show the unedited picture.
  ///
  /// - Returns: The removed parts.
  func removePreviews(from composition: inout HEIFComposition) throws -> [Removal] {
    var names: [String] = []
    let known = Set([exifItem].compactMap { $0 } + xmpItems)
    let own = Set([primaryItem, pixelItem] + (try relatedPictures.map(\.item)))
    for id in itemOrder where !known.contains(id) {
      guard let item = composition.item(id), !item.isCodedImage, !item.isDerivedImage,
        location(of: id)?.dataReference == 0
      else { continue }
      // An item that describes another photo remains accurate as long as that photo is kept.
      let described = targets("cdsc", from: id)
      guard described.isEmpty || described.contains(where: own.contains),
        try data(of: id, most: size).holdsJPEG
      else { continue }
      composition.remove(id)
      names.append("item \(item.type)")
    }
    for atom in atoms + metaAtoms
    where !Self.rewritten.contains(atom.kind) && !composition.droppedAtoms.contains(atom.offset) {
      let content = try source.read(at: atom.contentOffset, count: atom.contentSize)
      guard content.holdsJPEG else { continue }
      composition.droppedAtoms.insert(atom.offset)
      names.append("box \(atom.kind)")
    }
    return names.unique.map { Removal(half: .photo, name: $0, reason: PictureChange.stale) }
  }
}
