import EditModel
import FoundationEssentials

/// Google's depth in XMP (the GDepth, GFocus and GImage namespaces of “Depth Map Metadata”, developers.google.com/depthmap-metadata):
/// how near each place of the stored picture is, how sure that is, and what an effect of focus asks for.
extension XMPPacket {
  /// Google's namespaces.
  enum Google {
    static let depth = "http://ns.google.com/photos/1.0/depthmap/"
    static let image = "http://ns.google.com/photos/1.0/image/"
    static let focus = "http://ns.google.com/photos/1.0/focus/"
    /// Their groups, as exiftool prints them.
    static let groups = ["GDepth", "GImage", "GFocus"]
    /// Pictures in the namespace of depth, by the names that removals have.
    static let pictures = ["GDepth": "Data", "GDepth:Confidence": "Confidence"]
    /// Properties that hold of any part of the picture: how codes are to be read, and who made them.
    static let independentOfPlaces: Set<String> = [
      "Format", "Near", "Far", "Units", "MeasureType", "Mime", "ConfidenceMime", "Manufacturer", "Model",
      "Software",
    ]
    /// Characters of the longest picture; a phone's have less than a hundredth of that.
    static let longest = 1 << 26
  }

  /// The pictures of depth and confidence, PNG or JPEG, as far as they can be read.
  var depthPictures: [JPEGMap] {
    Google.pictures.sorted { $0.key < $1.key }.compactMap { name, local in
      guard let text = text(local, in: Google.depth), text.range.count <= Google.longest,
        let bytes = [UInt8](base64: text.text),
        bytes.starts(with: [0xFF, 0xD8, 0xFF]) || bytes.starts(with: PNGFile.signature)
      else { return nil }
      return JPEGMap(bytes: bytes, name: name)
    }
  }

  /// Takes the properties of a namespace out.
  ///
  /// - Returns: whether there were any.
  mutating func removeAll(in namespace: String) -> Bool {
    let properties = properties(in: namespace)
    for property in properties { remove(property) }
    return !properties.isEmpty
  }

  /// Puts edited pictures in, each once, and makes what is said of them true of the new photo.
  ///
  /// - Parameters:
  ///   - maps: depth, and confidence where it could be edited.
  ///   - change: how the photo changes.
  ///   - placed: the names of the maps that the photo has already; those that are put in join them.
  /// - Returns: names of what was taken out.
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

  /// The size of the photo that depth belongs to, which may be a larger one than the file holds.
  ///
  /// - Returns: false when it could not be made true and was taken out.
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

  /// The point in focus, in fractions of width and height, and the blur of what is infinitely far, in fractions of the
  /// diagonal.
  ///
  /// - Returns: false when the point is cut off, or a number is none; then nothing is changed.
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
  /// Factor of a length in fractions of the picture's diagonal; nil where that depends on the place.
  fileprivate var blurFactor: Double? {
    let places = places
    guard places.w.x == 0, places.w.y == 0, places.w.z != 0 else { return nil }
    let area = abs(places.x.x * places.y.y - places.x.y * places.y.x) / (places.w.z * places.w.z)
    func shape(_ size: PixelSize) -> Double {
      let (width, height) = (Double(size.width), Double(size.height))
      return width * height / (width * width + height * height)
    }
    guard old.width > 0, old.height > 0 else { return nil }
    // Pixels grow by the root of area · new pixels / old pixels; the diagonals divide that.
    return (area * shape(new) / shape(old)).squareRoot()
  }
}

extension JPEGSurgery {
  /// Depth and its confidence in XMP, for the caller to edit along; they are pictures of the stored one, PNG or JPEG.
  package var depthInXMP: [JPEGMap] { get throws { try JPEGParts(original).depthInXMP } }
}

extension JPEGParts {
  /// Depth and its confidence, in the main packet or in extended ones.
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
  /// Decodes Base64 (RFC 4648 section 4) as XMP holds pictures: white space is skipped, and the padding may be missing.
  ///
  /// - Returns: nil if the text has another character, or ends within a byte.
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
