import Basics
import EditModel

/// The properties of a HEIF file after the displayed photo and all dependent items have been rotated. Pixels do not
/// change, because `irot` and `imir` specify the orientation of each picture (ISO/IEC 23008-12 sections 6.5.10 and
/// 6.5.12).
struct HEIFTurn {
  /// The properties of the file after the rotation.
  private(set) var properties: HEIFProperties
  /// The groups of the file after the rotation.
  private(set) var groups: [HEIFGroup]
  /// The parts that the file no longer contains.
  private(set) var removals: [Removal] = []

  private let file: HEIFFile
  private let turn: Orientation
  /// The pictures that are rotated by their own properties.
  private var turned: Set<UInt32> = []
  /// The pictures derived from rotated pictures. These pictures need no rotation of their own.
  private var following: Set<UInt32> = []

  /// A place in an item's property list: the old property, if any, and the new property. The new property is nil if the
  /// old number does not refer to a property.
  ///
  /// This type is a struct because Swift 6.3.1 crashes when it optimises arrays of such tuples.
  private struct Slot {
    let old: HEIFProperties.Association?
    let wanted: Atom?
  }

  /// An item's new property list.
  private struct Wish {
    let item: UInt32
    let properties: [Slot]
  }

  /// Rotates the photo and the pictures that belong to it.
  ///
  /// - Parameter turn: The rotation or mirroring to apply to the displayed picture.
  /// - Throws: ``MediaError`` if the dependencies between the file's pictures are not supported.
  init(_ file: HEIFFile, by turn: Orientation) throws {
    self.file = file
    self.turn = turn
    properties = file.properties
    groups = file.groups
    guard turn != .identity else { return }
    // A new property must not get a number that an item already uses for a missing property.
    let last = properties.properties.count
    for (id, associations) in properties.boxes.flatMap(\.entries) {
      guard associations.allSatisfy({ $0.index <= last }) else {
        throw MediaError("item \(id) has a property that does not exist")
      }
    }
    try collect()
    try apply(turned.sorted().map(wishOfTurned) + following.sorted().map(wishOfFollowing))
    if let index = file.stereoPair { try turnPair(index) }
  }

  /// Updates a stereo pair after rotation. The left eye's picture comes first (ISO/IEC 23008-12, stereo pair entity
  /// group). After a 180° rotation or a horizontal flip, the two eyes' pictures are exchanged. After a 90° rotation,
  /// the pair no longer shows depth and is removed.
  private mutating func turnPair(_ index: Int) throws {
    let pair = groups[index]
    guard pair.members.count == 2 else { throw Self.entangled }
    if turn.swapsAxes {
      groups.remove(at: index)
      removals.append(
        Removal(
          half: .photo, name: pair.kind.description, reason: "stereo pairs are not valid after a 90° rotation"
        ))
    } else if turn.matrix.a < 0 {
      groups[index].members.reverse()
    }
  }

  /// Finds the photo's thumbnails, auxiliary images and alternatives, the pictures that belong to these pictures, and
  /// the pictures derived from any of them.
  private mutating func collect() throws {
    turned = [file.primaryItem]
    if let pair = file.stereoPair { turned.formUnion(file.groups[pair].members.filter(isPicture)) }
    var (isGrowing, rounds) = (true, 0)
    // Stores the derived pictures that were already found, because many groups may contain a picture that is derived
    // from many other pictures.
    var derived: Set<UInt32> = []
    while isGrowing {
      let count = turned.count + following.count
      rounds += 1
      guard rounds <= Self.deepest, count <= Self.most else { throw Self.entangled }
      for reference in file.references {
        if reference.kind == "dimg" {
          try collect(derived: reference)
        } else if reference.kind == "thmb" || reference.kind == "auxl",
          reference.to.contains(where: isTurned), !isTurned(reference.from), isPicture(reference.from)
        {
          turned.insert(reference.from)
        }
      }
      for group in file.groups where group.kind == "altr" && group.members.contains(where: isTurned) {
        let others = Set(group.members).filter { isPicture($0) && !isTurned($0) && !derived.contains($0) }
        let made = others.filter(isDerivedFromTurned)
        derived.formUnion(made)
        turned.formUnion(others.subtracting(made))
      }
      isGrowing = turned.count + following.count > count
    }
    let both = file.references.contains { reference in
      reference.kind == "dimg" && turned.contains(reference.from) && reference.to.contains(where: isTurned)
    }
    guard !both else { throw Self.entangled }
  }

  /// The maximum number of references on the path from the photo to a picture that belongs to it.
  private static let deepest = 8
  /// The maximum number of pictures that may belong to a photo.
  private static let most = 256

  private static let entangled = MediaError(
    "the picture is part of another picture in a way that prevents rotation", isUnsupported: true)

  private mutating func collect(derived reference: HEIFReference) throws {
    guard reference.to.contains(where: isTurned), !isTurned(reference.from) else { return }
    switch file.items[reference.from]?.type {
    case "tmap":
      // The gain map must have the same orientation as the base picture, whether or not the gain map is an auxiliary
      // image of that picture.
      guard let base = reference.to.first, isTurned(base) else { throw Self.entangled }
      turned.formUnion(reference.to.dropFirst().filter { !isTurned($0) })
    case "iden": break
    default: throw Self.entangled
    }
    following.insert(reference.from)
  }

  private func isTurned(_ id: UInt32) -> Bool { turned.contains(id) || following.contains(id) }

  private func isPicture(_ id: UInt32) -> Bool {
    file.items[id].map { $0.isCodedImage || $0.isDerivedImage } ?? false
  }

  private func isDerivedFromTurned(_ id: UInt32) -> Bool {
    file.targets("dimg", from: id).contains(where: isTurned)
  }

  /// Returns an item's properties as slots. If a property number does not refer to a property, the slot contains no
  /// property.
  private func list(_ id: UInt32) -> [Slot] {
    file.associations(of: id).map { association in
      Slot(old: association, wanted: file.properties.property(association))
    }
  }

  private func wishOfTurned(_ id: UInt32) throws -> Wish {
    Wish(item: id, properties: try laidDown(list(id), as: file.orientation(of: id).then(turn)))
  }

  /// Returns the new properties of a picture that is derived from rotated pictures. The derived picture inherits the
  /// new size and orientation of these pictures, and then applies its own properties. These properties are adjusted so
  /// that their effect does not change and the picture is not rotated twice.
  private func wishOfFollowing(_ id: UInt32) throws -> Wish {
    let list = try list(id).map { slot in
      guard let atom = slot.wanted else { return slot }
      if let size = atom.spatialExtents, turn.swapsAxes {
        return Slot(old: slot.old, wanted: Atom.spatialExtents(size.turned(by: turn)))
      }
      guard atom.kind == "clap" else { return slot }
      return Slot(old: slot.old, wanted: try CleanAperture(atom).turned(by: turn).atom)
    }
    let orientation = turn.inverse.then(file.orientation(of: id)).then(turn)
    return Wish(item: id, properties: try laidDown(list, as: orientation))
  }

  /// Returns a list of properties with new rotation and mirror properties. The new properties replace the old rotation
  /// and mirror properties, or are added at the end if the list had none.
  private func laidDown(_ list: [Slot], as orientation: Orientation) throws -> [Slot] {
    let isTurn = { (slot: Slot) in slot.wanted?.pictureTurn != nil }
    var kept = list.filter { !isTurn($0) }
    var place = list.firstIndex(where: isTurn) ?? kept.count
    if let aperture = kept.firstIndex(where: { $0.wanted?.kind == "clap" }), aperture >= place {
      let turns = list.prefix { $0.wanted?.kind != "clap" }.compactMap { $0.wanted?.pictureTurn }
      guard turns.reduce(Orientation.identity, { $0.then($1) }) == .identity else {
        throw MediaError(
          "the picture is cropped after rotation, an order that is not supported", isUnsupported: true)
      }
      place = aperture + 1
    }
    let hasTurn = list.contains { $0.wanted?.kind == "irot" }
    let turns = Atom.pictureTurns(orientation, keepsTurn: hasTurn).map { atom in
      Slot(old: list.first { $0.wanted?.kind == atom.kind }?.old, wanted: atom)
    }
    kept.insert(contentsOf: turns, at: place)
    return kept
  }

  /// Changes a property in place if all items that use the property need the same change. Otherwise, each item that
  /// needs a different property gets a new property.
  private mutating func apply(_ wishes: [Wish]) throws {
    var users: [Int: Int] = [:]
    for (_, associations) in properties.boxes.flatMap(\.entries) {
      for association in associations { users[association.index, default: 0] += 1 }
    }
    var wanted: [Int: [Atom]] = [:]
    for slot in wishes.flatMap(\.properties) {
      if let old = slot.old, let atom = slot.wanted { wanted[old.index, default: []].append(atom) }
    }
    for (index, atoms) in wanted {
      if atoms.count == users[index], let first = atoms.first, atoms.allSatisfy({ $0 == first }) {
        properties.properties[index - 1] = first
      }
    }
    for wish in wishes {
      let associations = wish.properties.compactMap { slot -> HEIFProperties.Association? in
        guard let atom = slot.wanted else { return slot.old }
        if let old = slot.old, properties.properties[old.index - 1] == atom { return old }
        return HEIFProperties.Association(
          index: properties.number(of: atom), isEssential: slot.old?.isEssential ?? true)
      }
      if associations != file.associations(of: wish.item) {
        properties.setAssociations(associations, of: wish.item)
      }
    }
  }
}
