import EditModel

/// Finds XMP properties with positions in the picture, and XMP properties with embedded pictures. When the picture is
/// rotated, these properties are updated or removed.
extension XMPPacket {
  /// The namespaces in which all properties describe positions, with the names of their groups as printed by exiftool.
  private static let placeGroups = [
    Namespace.regions: "mwg-rs", "http://ns.apple.com/depthData/1.0/": "depthData",
    Namespace.pixelData: "apdi", Namespace.appleGainMap: "HDRGainMap", Google.depth: "GDepth",
    Google.image: "GImage", Google.focus: "GFocus", Namespace.panorama: "GPano",
    "http://ns.acdsee.com/regions/": "acdsee-rs",
  ]

  private static let apple = "http://ns.apple.com/"
  private static let microsoft = "http://ns.microsoft.com/photo/1.2/"
  private static let cameraRaw = "http://ns.adobe.com/camera-raw-settings/1.0/"

  /// Returns the group name, as printed by exiftool, of a property that describes positions, or nil for any other
  /// property.
  static func placeGroup(_ name: XMLTree.Name, prefix: String) -> String? {
    if let group = placeGroups[name.namespace] { return group }
    let local = name.local
    switch name.namespace {
    case microsoft: return local == "RegionInfo" ? "MP" : nil
    case "http://iptc.org/std/Iptc4xmpExt/2008-02-29/": return local == "ImageRegion" ? "iptcExt" : nil
    case cameraRaw:
      let isPlace =
        ["Crop", "Retouch", "RedEye"].contains(where: local.hasPrefix) || local.hasSuffix("BasedCorrections")
      return isPlace ? "crs" : nil
    case let namespace where namespace.hasPrefix(apple):
      let subject = namespace.dropFirst(apple.count).lowercased()
      return ["depth", "portrait", "matte"].contains(where: subject.contains) ? prefix : nil
    case let namespace: return namespace.hasPrefix(DynamicDepth.root) ? prefix : nil
    }
  }

  /// The namespaces to search for in a packet that cannot be read as XML.
  private static let placeNamespaces = placeGroups.keys + [apple, DynamicDepth.root, microsoft, cameraRaw]

  /// Returns the names of a packet's property groups that do not match a new picture.
  ///
  /// - Parameter pixelsMoved: Whether groups that describe positions are included.
  /// - Returns: The names of the groups, or `["XMP"]` if the packet is not XML but contains the name of a relevant
  ///   namespace.
  /// - Throws: ``Basics/MediaError`` if the packet may contain outdated groups but exceeds a limit.
  static func staleGroups(of bytes: [UInt8], pixelsMoved: Bool) throws -> [String] {
    func names(_ words: [String]) -> Bool { words.contains { bytes.firstIndex(of: $0) != nil } }
    let read: XMPPacket?
    do {
      read = try XMPPacket(bytes)
    } catch  where !(pixelsMoved && names(placeNamespaces)) && !names(["Thumbnails", "/9j/"]) {
      return []
    }
    guard let packet = read else { return pixelsMoved && names(placeNamespaces) ? ["XMP"] : [] }
    let places = packet.properties.compactMap { placeGroup($0.name, prefix: $0.prefix) }
    return ((pixelsMoved ? places : []) + packet.pictures.map(pictureName)).unique
  }

  /// Reads an extended packet.
  ///
  /// - Returns: nil if the packet is not XML, or if the packet exceeds a limit but does not contain any data that an
  ///   edit changes.
  /// - Throws: ``Basics/MediaError`` if the packet may have to be changed but exceeds a limit.
  static func extended(_ bytes: [UInt8]) throws -> XMPPacket? {
    let changing = [
      Namespace.tiff, Namespace.exif, Namespace.container, Namespace.gainMap, Namespace.note,
      Namespace.camera,
      "Thumbnails", "/9j/",
    ]
    do {
      return try XMPPacket(bytes)
    } catch  where !(placeNamespaces + changing).contains(where: { bytes.firstIndex(of: $0) != nil }) {
      return nil
    }
  }

  /// Removes the thumbnails and all other properties that contain a base64-encoded JPEG. Depth maps are kept, because
  /// they do not show the scene and are updated by other code.
  ///
  /// - Returns: The names of the removed properties.
  mutating func removePictures() -> [String] {
    let pictures = pictures
    for property in pictures { remove(property) }
    return pictures.map(Self.pictureName).unique
  }

  /// The thumbnails and all other properties that contain a base64-encoded JPEG.
  private var pictures: [Property] {
    let (base, depth) = ("http://ns.adobe.com/xap/1.0/", [Google.depth, DynamicDepth.root, Self.apple])
    return properties.filter { property in
      if property.name.namespace == base, property.name.local == "Thumbnails" { return true }
      guard !depth.contains(where: property.name.namespace.hasPrefix) else { return false }
      return tree.bytes[property.range].count > 256 && Array(tree.bytes[property.range]).spellsJPEG
    }
  }

  private static func pictureName(_ property: Property) -> String {
    if property.name.local == "Thumbnails" { return "xmp:Thumbnails" }
    return placeGroup(property.name, prefix: property.prefix) ?? "\(property.prefix):\(property.name.local)"
  }

  /// Updates the orientation, width and height to describe the rewritten picture.
  mutating func describe(_ change: PictureChange) {
    set("Orientation", in: Namespace.tiff, to: String(change.orientation.rawValue))
    set("ImageWidth", in: Namespace.tiff, to: String(change.new.width))
    set("ImageLength", in: Namespace.tiff, to: String(change.new.height))
    set("PixelXDimension", in: Namespace.exif, to: String(change.new.width))
    set("PixelYDimension", in: Namespace.exif, to: String(change.new.height))
  }

  /// Updates the properties that describe positions. Properties that cannot be updated are removed.
  ///
  /// - Returns: The names of the removed groups.
  mutating func turnPlaces(_ change: PictureChange) -> [String] {
    let transform = change.transform
    var removed: [String] = []
    for property in properties {
      if property.name == .regions("Regions"),
        case .element(let regions) = property,
        let unturned = turnRegions(regions, change)
      {
        removed += unturned
        continue
      }
      guard let group = Self.placeGroup(property.name, prefix: property.prefix),
        !change.keepsGainMap || !["HDRGainMap", "apdi"].contains(group),
        !change.keepsDepth || !Google.groups.contains(group),
        !change.keepsDynamicDepth || !property.name.namespace.hasPrefix(DynamicDepth.root)
      else { continue }
      remove(property)
      removed.append(group)
    }
    removed += turnSubjects(change)
    if transform.swapsAxes, let x = text("XResolution", in: Namespace.tiff),
      let y = text("YResolution", in: Namespace.tiff), x.text != y.text
    {
      replace(x.range, with: y.text)
      replace(y.range, with: x.text)
    }
    return removed.unique
  }

  /// Updates exif:SubjectArea and exif:SubjectLocation, which are sequences of integers in stored pixels.
  private mutating func turnSubjects(_ change: PictureChange) -> [String] {
    let width = text("PixelXDimension", in: Namespace.exif).flatMap { Int($0.text) } ?? change.old.width
    let height = text("PixelYDimension", in: Namespace.exif).flatMap { Int($0.text) } ?? change.old.height
    var removed: [String] = []
    for property in properties(in: Namespace.exif)
    where ["SubjectArea", "SubjectLocation"].contains(property.name.local) {
      var places: [Range<Int>] = []
      var values: [Int] = []
      if case .element(let element) = property {
        for item in descendants(of: element) where item.name.local == "li" {
          guard let text = tree.simpleText(of: item), let value = Int(text.text) else { continue }
          places.append(text.range)
          values.append(value)
        }
      }
      let size = PixelSize(width: width, height: height)
      guard let turned = size.turnedArea(values, change) else {
        remove(property)
        removed.append("exif:" + property.name.local)
        continue
      }
      for (place, value) in zip(places, turned) { replace(place, with: String(value)) }
    }
    return removed
  }
}

extension [String] {
  /// The distinct strings, in order of their first occurrence.
  var unique: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
