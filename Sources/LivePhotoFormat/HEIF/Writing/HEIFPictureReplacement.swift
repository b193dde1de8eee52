import Basics
import EditModel

extension HEIFComposition {
  /// Replaces a picture's pixels: its tiles, their coding parameters and the picture's size. The picture's orientation,
  /// colours and references are kept.
  ///
  /// - Parameter id: The picture's item, which is a grid or a coded picture.
  /// - Throws: ``MediaError`` if another picture shares the tiles, or if the file cannot contain any more tiles.
  mutating func replacePicture(_ id: UInt32, with picture: HEIFCodedPicture) throws {
    guard 1...256 ~= picture.grid.columns, 1...256 ~= picture.grid.rows,
      picture.tiles.count == picture.grid.count
    else { throw MediaError("the picture has more tiles than a grid allows", isUnsupported: true) }
    guard let item = item(id) else { throw Self.entangled }
    if item.isCodedImage, let whole = picture.whole {
      replace(id, with: whole, as: "hvc1")
      setList(Self.coded(list(of: id), picture, size: picture.grid.size), of: id)
      return
    }
    guard item.isCodedImage || item.type == "grid" else { throw Self.entangled }
    let tiles = item.type == "grid" ? references.targets("dimg", from: id) : []
    let others = Set(references.lazy.filter { $0.kind == "dimg" && $0.from != id }.flatMap(\.to))
    let isAlone = Set(tiles).count == tiles.count && others.isDisjoint(with: tiles)
    guard isAlone, !tiles.contains(file.primaryItem) else { throw Self.entangled }
    let old = list(of: tiles.first ?? id)
    // A tile does not have a role or an orientation of its own.
    let tileList = Self.coded(
      old.filter { ["ispe", "hvcC", "colr", "pixi"].contains($0.atom.kind) }, picture,
      size: picture.grid.tile)
    let tileAssociations = properties.associations(
      for: tileList, from: properties.associationsByItem[tiles.first ?? id] ?? [])
    var numbers: [UInt32] = []
    for (index, bytes) in picture.tiles.enumerated() {
      let number: UInt32
      if index < tiles.count {
        number = tiles[index]
        replace(number, with: bytes, as: "hvc1")
      } else {
        number = try add("hvc1", bytes)
      }
      properties.setAssociations(tileAssociations, of: number)
      numbers.append(number)
    }
    let own = list(of: id).filter { !Self.configurations.contains($0.atom.kind) }
    setList(Self.resized(own, to: picture.grid.size), of: id)
    references.removeAll { $0.kind == "dimg" && $0.from == id }
    references.append(HEIFReference(kind: "dimg", from: id, to: numbers))
    remove(Array(tiles.dropFirst(picture.tiles.count)))
    let grid =
      [0, 0] + [picture.grid.rows - 1, picture.grid.columns - 1].map { UInt8(truncatingIfNeeded: $0) }
      + ByteOrder.big.bytes(of: picture.grid.size.width, width: 2)
      + ByteOrder.big.bytes(of: picture.grid.size.height, width: 2)
    replace(id, with: grid, as: "grid", inItemData: true)
  }

  /// Removes the clean aperture of a picture.
  mutating func removeAperture(of id: UInt32) {
    let old = list(of: id)
    if old.contains(where: { $0.atom.kind == "clap" }) {
      setList(old.filter { $0.atom.kind != "clap" }, of: id)
    }
  }

  /// Sets the size of every picture derived from the photo to the photo's displayed size. This size applies before the
  /// derived picture's own rotation. The clean apertures of derived pictures are removed, because they applied to the
  /// old size.
  mutating func resizeDerivedPictures() {
    let base = list(of: file.pixelItem)
    guard let size = base.lazy.compactMap(\.atom.spatialExtents).first,
      size != file.spatialExtents(of: file.pixelItem)
    else { return }
    func orientation(_ list: [(atom: Atom, isEssential: Bool)]) -> Orientation {
      list.compactMap(\.atom.pictureTurn).reduce(.identity) { $0.then($1) }
    }
    for id in references.sources("dimg", to: file.pixelItem) where ["tmap", "iden"].contains(item(id)?.type) {
      removeAperture(of: id)
      let list = list(of: id)
      let turned = size.turned(by: orientation(base)).turned(by: orientation(list))
      setList(Self.resized(list, to: turned), of: id)
    }
  }

  private static let configurations: Set<FourCC> = ["hvcC", "av1C", "avcC", "vvcC", "lhvC"]

  /// Returns a list of properties in which the picture size is changed.
  private static func resized(
    _ list: [(atom: Atom, isEssential: Bool)], to size: PixelSize
  ) -> [(atom: Atom, isEssential: Bool)] {
    list.map { atom, isEssential in
      (atom.kind == "ispe" ? Atom.spatialExtents(size) : atom, isEssential)
    }
  }

  /// Returns a list of properties with the size and decoder configuration of a coded picture.
  private static func coded(
    _ list: [(atom: Atom, isEssential: Bool)], _ picture: HEIFCodedPicture, size: PixelSize
  ) -> [(atom: Atom, isEssential: Bool)] {
    let configuration = Atom("hvcC", picture.configuration)
    let result = resized(list, to: size).map { atom, isEssential in
      (configurations.contains(atom.kind) ? configuration : atom, isEssential)
    }
    let isSaid = result.contains { $0.0 == configuration }
    return isSaid ? result : result + [(configuration, true)]
  }
}
