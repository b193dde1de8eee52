import Basics
import EditModel

/// What shows the photo in a HEIF file besides the pictures that belong to it.
extension HEIFFile {
  /// The pictures that are neither the photo, nor parts of it or made of it, nor among ``relatedPictures``: thumbnails of gain
  /// maps, other photos of a burst and the like, in file order.
  ///
  /// - Throws: ``MediaError`` when there are more than any photo has.
  package var otherPictures: [UInt32] {
    get throws {
      var kept = Set([primaryItem, pixelItem] + (try relatedPictures.map(\.item)))
      let derived = references.filter { $0.kind == "dimg" }
      // What is made of the photo, then what all these are made of.
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
        throw MediaError("it has more than \(Self.mostOthers) other pictures", isUnsupported: true)
      }
      return others
    }
  }

  /// More than the tiles of another photo in the file.
  private static let mostOthers = 1024

  /// The boxes whose content is rewritten item by item, or left out.
  private static let rewritten: Set<FourCC> = [
    "ftyp", "meta", "mdat", "free", "skip", "wide", "hdlr", "dinf", "pitm", "iinf", "iref", "iprp", "iloc",
    "idat", "grpl",
  ]

  /// Removes items and boxes that are no pictures of HEIF, and hold a JPEG: those of Canon's cameras, for instance, which show
  /// the picture as it was.
  ///
  /// - Returns: what was removed.
  func removePreviews(from composition: inout HEIFComposition) throws -> [Removal] {
    var names: [String] = []
    let known = Set([exifItem].compactMap { $0 } + xmpItems)
    let own = Set([primaryItem, pixelItem] + (try relatedPictures.map(\.item)))
    for id in itemOrder where !known.contains(id) {
      guard let item = composition.item(id), !item.isCodedImage, !item.isDerivedImage,
        location(of: id)?.dataReference == 0
      else { continue }
      // What describes another photo is true as long as that stays.
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
