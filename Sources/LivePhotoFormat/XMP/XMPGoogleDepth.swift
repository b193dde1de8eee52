import EditModel
import FoundationEssentials

/// Google's depth metadata in XMP (the GDepth, GFocus and GImage namespaces of “Depth Map Metadata”,
/// developers.google.com/depthmap-metadata): the depth at each position in the stored picture, the confidence of the
/// depth values, and the parameters of a focus effect.
extension XMPPacket {
  /// Google's namespaces for depth metadata.
  enum Google {
    static let depth = "http://ns.google.com/photos/1.0/depthmap/"
    static let image = "http://ns.google.com/photos/1.0/image/"
    static let focus = "http://ns.google.com/photos/1.0/focus/"
    /// The groups of the namespaces, as printed by exiftool.
    static let groups = ["GDepth", "GImage", "GFocus"]
    /// The properties in the depth namespace that contain pictures. The keys are the names under which removals are
    /// reported.
    static let pictures = ["GDepth": "Data", "GDepth:Confidence": "Confidence"]
    /// The properties that remain valid for any part of the picture: how depth values are interpreted, and the device
    /// and software that created them.
    static let independentOfPlaces: Set<String> = [
      "Format", "Near", "Far", "Units", "MeasureType", "Mime", "ConfidenceMime", "Manufacturer", "Model",
      "Software",
    ]
    /// The maximum number of characters in an encoded picture. Pictures from phones have less than a hundredth of this
    /// number.
    static let longest = 1 << 26
  }

  /// The readable depth and confidence pictures, each as a PNG or JPEG.
  var depthPictures: [JPEGMap] {
    Google.pictures.sorted { $0.key < $1.key }.compactMap { name, local in
      guard let text = text(local, in: Google.depth), text.range.count <= Google.longest,
        let bytes = [UInt8](base64: text.text),
        bytes.starts(with: [0xFF, 0xD8, 0xFF]) || bytes.starts(with: PNGFile.signature)
      else { return nil }
      return JPEGMap(bytes: bytes, name: name)
    }
  }

  /// Removes all properties of a namespace.
  ///
  /// - Returns: Whether the packet contained any of these properties.
  mutating func removeAll(in namespace: String) -> Bool {
    let properties = properties(in: namespace)
    for property in properties { remove(property) }
    return !properties.isEmpty
  }

  /// Inserts edited depth pictures, each of them once, and updates the pictures' properties to describe the new photo.
  ///
  /// - Parameters:
  ///   - maps: The depth map, and the confidence map if it could be edited.
  ///   - change: The change to the photo.
  ///   - placed: The names of the maps that have already been inserted into the photo. The names of newly inserted maps
  ///     are added.
  /// - Returns: The names of the removed properties.
  mutating func setDepth(
    _ maps: [JPEGMap], _ change: PictureChange, placed: inout Set<String>
  ) -> [String] {
    let pictures = Dictionary(
      maps.compactMap { map in Google.pictures[map.name].map { ($0, map) } }, uniquingKeysWith: { $1 })
    let moved = change.pixelsMoved
    let hasConfidence = pictures["Confidence"] != nil
    var removed: [String] = []
    for property in properties(in: Google.depth) {
      let local = property.name.local
      if let map = pictures[local], let old = text(of: property), placed.insert(map.name).inserted {
        if [UInt8](base64: old.text) != map.bytes {
          replace(old.range, with: Data(map.bytes).base64EncodedString())
        }
      } else if ["Confidence", "ConfidenceMime"].contains(local), !hasConfidence {
        remove(property)
        removed.append("GDepth:Confidence")
      } else if moved, !["ImageWidth", "ImageHeight"].contains(local),
        !Google.independentOfPlaces.contains(local)
      {
        remove(property)
        removed.append("GDepth:\(local)")
      }
    }
    if !setDepthImageSize(change) { removed.append("GDepth:ImageWidth") }
    if moved, !moveFocus(change), removeAll(in: Google.focus) { removed.append("GFocus") }
    return removed.unique
  }

  /// Updates the size of the photo to which the depth map belongs. That photo may be larger than the photo in the file.
  ///
  /// - Returns: False if the size was removed because it could not be updated.
  private mutating func setDepthImageSize(_ change: PictureChange) -> Bool {
    let sides = ["ImageWidth", "ImageHeight"].map { text($0, in: Google.depth) }
    guard change.old != change.new, sides.contains(where: { $0 != nil }) else { return true }
    let old = [change.old.width, change.old.height]
    let numbers = sides.map { side in side.flatMap { Int($0.text) }.flatMap { 1...1_000_000 ~= $0 ? $0 : nil }
    }
    guard let width = numbers[0], let height = numbers[1], let first = sides[0], let second = sides[1],
      old[0] > 0, old[1] > 0
    else {
      for property in properties(in: Google.depth)
      where ["ImageWidth", "ImageHeight"].contains(property.name.local) { remove(property) }
      return false
    }
    let scale = [Double(width) / Double(old[0]), Double(height) / Double(old[1])]
    let factors = change.transform.swapsAxes ? [scale[1], scale[0]] : scale
    replace(first.range, with: String(Int((factors[0] * Double(change.new.width)).rounded())))
    replace(second.range, with: String(Int((factors[1] * Double(change.new.height)).rounded())))
    return true
  }

  /// Updates the point of focus, which is in fractions of width and height, and the blur at infinity, which is in
  /// fractions of the diagonal.
  ///
  /// - Returns: False if the packet was not changed, because the point is cropped away or a value is not a number.
  private mutating func moveFocus(_ change: PictureChange) -> Bool {
    func number(_ local: String) -> (value: Double, range: Range<Int>)? {
      text(local, in: Google.focus).flatMap { text in
        Double(text.text).flatMap { abs($0) <= 1e6 ? ($0, text.range) : nil }
      }
    }
    var changes: [(range: Range<Int>, value: Double)] = []
    let hasPoint = ["FocalPointX", "FocalPointY"].contains { text($0, in: Google.focus) != nil }
    if hasPoint {
      guard let x = number("FocalPointX"), let y = number("FocalPointY"),
        let place = change.places.apply([x.value, y.value]), 0...1 ~= place.x, 0...1 ~= place.y
      else { return false }
      changes += [(x.range, place.x), (y.range, place.y)]
    }
    if text("BlurAtInfinity", in: Google.focus) != nil, change.isReframed {
      guard let blur = number("BlurAtInfinity"), let factor = change.blurFactor else { return false }
      changes.append((blur.range, blur.value * factor))
    }
    guard changes.allSatisfy({ abs($0.value) <= 1e6 }) else { return false }
    for (range, value) in changes {
      replace(range, with: Self.decimal(Int((value * 1e6).rounded()), places: 6))
    }
    return true
  }
}

extension PictureChange {
  /// The factor by which to multiply a length in fractions of the picture's diagonal, or nil if the factor depends on
  /// the position.
  fileprivate var blurFactor: Double? {
    let places = places
    guard places.w.x == 0, places.w.y == 0, places.w.z != 0 else { return nil }
    let area = abs(places.x.x * places.y.y - places.x.y * places.y.x) / (places.w.z * places.w.z)
    func shape(_ size: PixelSize) -> Double {
      let (width, height) = (Double(size.width), Double(size.height))
      return width * height / (width * width + height * height)
    }
    guard old.width > 0, old.height > 0 else { return nil }
    // Lengths in pixels scale with the square root of area · new pixels / old pixels. The results are then divided by
    // the diagonals.
    return (area * shape(new) / shape(old)).squareRoot()
  }
}

extension JPEGSurgery {
  /// The depth and confidence maps in XMP, to which the caller can apply the photo's edits. The maps correspond to the
  /// stored picture and are PNGs or JPEGs.
  package var depthInXMP: [JPEGMap] { get throws { try JPEGParts(original).depthInXMP } }
}

extension JPEGParts {
  /// The depth and confidence maps in the main packet or in extended packets.
  var depthInXMP: [JPEGMap] {
    get throws {
      let extended = extendedPackets.compactMap(\.bytes).filter {
        $0.firstIndex(of: XMPPacket.Google.depth) != nil
      }
      let all = try packets + extended.compactMap { try XMPPacket($0) }
      var seen: Set<String> = []
      return all.flatMap(\.depthPictures).filter { seen.insert($0.name).inserted }
    }
  }
}

extension [UInt8] {
  /// Decodes the Base64 text of a picture in XMP (RFC 4648 section 4). White space is skipped, and the padding may be
  /// missing.
  ///
  /// - Returns: nil if the text contains invalid characters or ends within a byte.
  init?(base64 text: String) {
    var characters = text.utf8.filter { !XMLScanner.isSpace($0) }
    let padding = characters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    characters.removeLast(padding)
    let excess = characters.count % 4
    guard padding <= 2, excess != 1, !characters.contains(UInt8(ascii: "=")) else { return nil }
    characters += [UInt8](repeating: UInt8(ascii: "="), count: (4 - excess) % 4)
    guard let data = Data(base64Encoded: Data(characters)) else { return nil }
    self.init(data)
  }
}
