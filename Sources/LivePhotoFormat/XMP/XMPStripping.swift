/// Takes private properties out of XMP.
extension XMPPacket {
  static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
  private static let core = "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
  private static let further = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"

  /// True if a property, or a part of its value, says where the photo was taken.
  func tellsPlace(_ property: Property) -> Bool {
    if Self.tellsPlace(property.name) { return true }
    guard case .element(let element) = property else { return false }
    return descendants(of: element).contains { part in
      Self.tellsPlace(part.name) || part.attributes.contains { Self.tellsPlace($0.name) }
    }
  }

  /// True if a name is one of properties that say where the photo was taken.
  static func tellsPlace(_ name: XMLTree.Name) -> Bool {
    switch name.namespace {
    case Namespace.exif: name.local.hasPrefix("GPS")
    case photoshop: ["City", "State", "Country"].contains(name.local)
    case core: ["Location", "CountryCode"].contains(name.local)
    case further: ["LocationCreated", "LocationShown"].contains(name.local)
    case DynamicDepth.device: name.local.hasPrefix("EarthPos")
    // Those of makers, as DJI's GpsLatitude.
    default: coordinates.contains { name.local.hasPrefix($0) }
    }
  }

  private static let coordinates = ["GPS", "Gps", "gps", "Latitude", "latitude", "Longitude", "longitude"]

  /// Namespaces of which every property describes pixels or how they are laid down, and none a capture, with the prefixes by
  /// which programs know them: exiv2 takes one prefix for one namespace.
  private static let harmless = [
    Namespace.gainMap: "hdrgm", Namespace.appleGainMap: "HDRGainMap", Namespace.pixelData: "apdi",
  ]

  /// True if bytes of a packet, or a part of one, may say where the photo was taken.
  static func mayTellPlace(_ bytes: [UInt8]) -> Bool {
    // In UTF-16 no name would be found.
    bytes.contains(0) || namesPlace(bytes)
  }

  /// True if a name of a property or a namespace stands in some bytes that is about where the photo was taken.
  static func namesPlace(_ bytes: [UInt8]) -> Bool {
    (coordinates + [photoshop, core, further, "EarthPos"]).contains { bytes.firstIndex(of: $0) != nil }
  }

  /// A packet without where the photo was taken; every other property keeps its bytes.
  ///
  /// - Returns: nil when it cannot be read and may say so.
  static func withoutLocation(_ bytes: [UInt8]) throws -> [UInt8]? {
    guard mayTellPlace(bytes) else { return bytes }
    guard var packet = try XMPPacket(bytes) else { return nil }
    for property in packet.properties where packet.tellsPlace(property) { packet.remove(property) }
    return packet.rewritten(limit: bytes.count)
  }

  /// A packet with nothing but what describes pixels.
  ///
  /// - Returns: nil when nothing is left.
  static func withoutPrivate(_ bytes: [UInt8]) throws -> [UInt8]? {
    guard let packet = try XMPPacket(bytes) else { return nil }
    var kept: [String] = []
    for property in packet.properties {
      guard let prefix = harmless[property.name.namespace], let value = packet.text(of: property)?.range
      else { continue }
      let text = String(decoding: packet.tree.bytes[value], as: UTF8.self)
      let name = prefix + ":" + property.name.local
      kept.append("<\(name) xmlns:\(prefix)=\"\(property.name.namespace)\">\(text)</\(name)>")
    }
    guard !kept.isEmpty else { return nil }
    let description = "<rdf:Description rdf:about=\"\">" + kept.joined() + "</rdf:Description>"
    return wrapped(description)
  }
}
