import EditModel

/// The item properties that this project reads (ISO/IEC 23008-12 section 6.5, ISO/IEC 14496-12 section 12.1.5).
extension Atom {
  /// The size of a picture (`ispe`): version and flags, width, height.
  var spatialExtents: PixelSize? {
    guard kind == "ispe", let width = ByteOrder.big.number(bytes, at: 4, width: 4),
      let height = ByteOrder.big.number(bytes, at: 8, width: 4)
    else { return nil }
    return PixelSize(width: width, height: height)
  }

  /// Returns the size property for a picture.
  static func spatialExtents(_ size: PixelSize) -> Atom {
    Atom(
      "ispe",
      [0, 0, 0, 0] + ByteOrder.big.bytes(of: size.width, width: 4)
        + ByteOrder.big.bytes(of: size.height, width: 4))
  }

  /// The number of bits per channel (`pixi`): version and flags, number of channels, bits of each channel.
  var bitsPerChannel: [Int]? {
    guard kind == "pixi", bytes.count > 4, bytes.count - 5 >= Int(bytes[4]) else { return nil }
    return bytes[5..<5 + Int(bytes[4])].map(Int.init)
  }

  /// The type of an auxiliary image (`auxC`): version and flags, followed by a NUL-terminated URN. The value is nil if
  /// the URN is implausibly long.
  var auxiliaryType: String? {
    guard kind == "auxC", bytes.count > 4 else { return nil }
    let urn = bytes[4...].prefix(Self.longestType + 1).prefix { $0 != 0 }
    return urn.count > Self.longestType ? nil : String(decoding: urn, as: UTF8.self)
  }

  private static let longestType = 1024

  /// The four-character code in a colour property (`colr`) that states the form of the colour description.
  private var colorType: FourCC? {
    guard kind == "colr", let code = ByteOrder.big.number(bytes, at: 0, width: 4) else { return nil }
    return FourCC(rawValue: UInt32(truncatingIfNeeded: code))
  }

  /// The ICC profile in a colour property.
  var iccProfile: [UInt8]? {
    colorType == "prof" || colorType == "rICC" ? Array(bytes[4...]) : nil
  }

  /// The code points in a colour property.
  var codePoints: HEIFPicture.CodePoints? {
    guard colorType == "nclx", bytes.count >= 11 else { return nil }
    func point(_ at: Int) -> Int { Int(bytes[at]) << 8 | Int(bytes[at + 1]) }
    return HEIFPicture.CodePoints(
      primaries: point(4), transfer: point(6), matrix: point(8), isFullRange: bytes[10] & 0x80 != 0)
  }

  /// The orientation that a rotation or mirror property describes, or nil for all other properties.
  ///
  /// `irot` counts 90° rotations counter-clockwise. `imir` flips the picture vertically (0, Exif orientation 4) or
  /// horizontally (1, Exif orientation 2), as the amended text of ISO/IEC 23008-12:2022 section 6.5.12 specifies.
  var pictureTurn: Orientation? {
    guard let value = bytes.first else { return nil }
    switch kind {
    case "irot": return [.up, .left, .down, .right][Int(value & 3)]
    case "imir": return value & 1 == 0 ? .downMirrored : .upMirrored
    default: return nil
    }
  }

  /// Returns the properties that produce an orientation: `irot`, then `imir`. ISO/IEC 23000-22 section 7.3.6.7 requires
  /// this order.
  ///
  /// - Parameter keepsTurn: Whether `irot` is included even if it has no effect.
  static func pictureTurns(_ orientation: Orientation, keepsTurn: Bool) -> [Atom] {
    let (turns, mirror): (UInt8, UInt8?) =
      switch orientation {
      case .up: (0, nil)
      case .upMirrored: (0, 1)
      case .down: (2, nil)
      case .downMirrored: (0, 0)
      case .leftMirrored: (1, 0)
      case .right: (3, nil)
      case .rightMirrored: (3, 0)
      case .left: (1, nil)
      }
    var atoms: [Atom] = []
    if turns != 0 || keepsTurn { atoms.append(Atom("irot", [turns])) }
    if let mirror { atoms.append(Atom("imir", [mirror])) }
    return atoms
  }
}

extension HEIFFile {
  /// Returns an item's orientation, which results from applying the item's rotation and mirror properties one after
  /// another.
  func orientation(of id: UInt32) -> Orientation {
    properties(of: id).compactMap(\.pictureTurn).reduce(.identity) { $0.then($1) }
  }

  /// The items that form the photo: the primary item, preceded by its source items if the primary item is an identity
  /// derivation (`iden`).
  private var photoItems: [UInt32] {
    var chain = [primaryItem]
    while chain.count < 4, let id = chain.first, items[id]?.type == "iden",
      let made = targets("dimg", from: id).first
    {
      chain.insert(made, at: 0)
    }
    return chain
  }

  /// The item that contains the photo's pixels: the primary item, or its source item if the primary item is an identity
  /// derivation (`iden`).
  package var pixelItem: UInt32 { photoItems.first ?? primaryItem }

  /// The photo's orientation, including the source item's orientation if the photo is an identity derivation (`iden`).
  var photoOrientation: Orientation { photoItems.map(orientation).reduce(.identity) { $0.then($1) } }

  /// Returns an item's size according to its properties, before cropping and rotation.
  func spatialExtents(of id: UInt32) -> PixelSize? {
    properties(of: id).lazy.compactMap(\.spatialExtents).first
  }

  /// Returns an item's displayed size according to its properties.
  func displayedExtents(of id: UInt32) -> PixelSize? {
    spatialExtents(of: id)?.turned(by: orientation(of: id))
  }

  /// Returns a descriptive name for the kind of an auxiliary image, or nil if the item is not an auxiliary image.
  func auxiliaryName(of id: UInt32) -> String? {
    guard let urn = properties(of: id).lazy.compactMap(\.auxiliaryType).first else { return nil }
    // HEVC and MPEG identify the kinds of auxiliary images by number (ISO/IEC 23008-12 section B.2.3.4, 23000-22
    // section 7.3.5).
    switch urn {
    case "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha": return "alpha"
    case "urn:mpeg:hevc:2015:auxid:2", "urn:mpeg:mpegB:cicp:systems:auxiliary:depth": return "depth"
    case "urn:com:apple:photo:2020:aux:hdrgainmap": return "gain map"
    default: return urn.split(separator: ":").last.map { String($0) } ?? urn
    }
  }

  /// The size of the stored photo, limited to its clean aperture.
  var shownExtents: PixelSize? {
    guard let size = spatialExtents(of: pixelItem) else { return nil }
    guard let clap = photoItems.lazy.flatMap({ properties(of: $0) }).first(where: { $0.kind == "clap" }),
      let aperture = try? HEIFPicture.Aperture(CleanAperture(clap), in: size)
    else { return size }
    return PixelSize(width: aperture.width, height: aperture.height)
  }
}
