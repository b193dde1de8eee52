/// Removes private properties from XMP packets.
extension XMPPacket {
  static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
  private static let core = "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
  private static let further = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"

  /// Returns whether a property or part of its value reveals the photo's location.
  func tellsPlace(_ property: Property) -> Bool {
    if Self.tellsPlace(property.name) { return true }
    guard case .element(let element) = property else { return false }
    return descendants(of: element).contains { part in
      Self.tellsPlace(part.name) || part.attributes.contains { Self.tellsPlace($0.name) }
    }
  }

  /// Returns whether a property with a given name reveals the photo's location.
  static func tellsPlace(_ name: XMLTree.Name) -> Bool {
    switch name.namespace {
    case Namespace.exif: name.local.hasPrefix("GPS")
    case photoshop: ["City", "State", "Country"].contains(name.local)
    case core: ["Location", "CountryCode"].contains(name.local)
    case further: ["LocationCreated", "LocationShown"].contains(name.local)
    case DynamicDepth.device: name.local.hasPrefix("EarthPos")
    // The remaining names are properties of individual manufacturers, such as DJI's GpsLatitude.
    default: coordinates.contains { name.local.hasPrefix($0) }
    }
  }

  private static let coordinates = ["GPS", "Gps", "gps", "Latitude", "latitude", "Longitude", "longitude"]

  /// The namespaces in which all properties describe pixels or their orientation, and no property describes the
  /// capture. Each namespace has the prefix that programs expect, because exiv2 accepts only a single prefix per
  /// namespace.
  private static let harmless = [
    Namespace.gainMap: "hdrgm", Namespace.appleGainMap: "HDRGainMap", Namespace.pixelData: "apdi",
  ]

  /// Returns whether the bytes of a packet, or of part of a packet, may reveal the photo's location.
  static func mayTellPlace(_ bytes: [UInt8]) -> Bool {
    // In UTF-16 text, a search for names would fail.
    bytes.contains(0) || namesPlace(bytes)
  }

  /// Returns whether the bytes contain the name of a property or a namespace that is used for locations.
  static func namesPlace(_ bytes: [UInt8]) -> Bool {
    (coordinates + [photoshop, core, further, "EarthPos"]).contains { bytes.firstIndex(of: $0) != nil }
  }

  /// Removes the photo's location from a packet and returns the packet. The bytes of all other properties do not
  /// change.
  ///
  /// - Returns: The packet, or nil if the packet may contain a location but cannot be read.
  static func withoutLocation(_ bytes: [UInt8]) throws -> [UInt8]? {
    guard mayTellPlace(bytes) else { return bytes }
    guard var packet = try XMPPacket(bytes) else { return nil }
    for property in packet.properties where packet.tellsPlace(property) { packet.remove(property) }
    return packet.rewritten(limit: bytes.count)
  }

  /// Removes all properties that do not describe pixels from a packet and returns the packet.
  ///
  /// - Returns: The packet, or nil if no properties remain.
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
