/// Changes the dates in an XMP packet.
extension XMPPacket {

  /// The properties that contain the date of the capture or the date of a file written by the camera or a program.
  private static let dates: [String: Set<String>] = [
    basic: ["CreateDate", "ModifyDate", "MetadataDate"],
    photoshop: ["DateCreated"],
    Namespace.exif: ["DateTimeOriginal", "DateTimeDigitized", "GPSTimeStamp"],
    Namespace.tiff: ["DateTime"],
    "http://ns.adobe.com/xmp/1.0/DynamicMedia/": ["shotDate"],
    "http://cipa.jp/exif/1.0/": ["DateTimeOriginal", "DateTimeDigitized"],
  ]

  /// Returns whether bytes of a packet, or of part of a packet, may contain a date.
  static func mayTellDate(_ bytes: [UInt8]) -> Bool {
    let names = [
      "CreateDate", "ModifyDate", "MetadataDate", "DateCreated", "DateTimeOriginal", "DateTimeDigitized",
      "GPSTimeStamp", "shotDate",
    ]
    return names.contains { bytes.firstIndex(of: $0) != nil }
  }

  /// Changes all dates in the packet.
  mutating func change(dates rewrite: DateRewrite) {
    for property in properties
    where Self.dates[property.name.namespace]?.contains(property.name.local) == true {
      guard let old = text(of: property),
        let new = rewrite.moved(old.text, isUTC: property.name.local == "GPSTimeStamp")
      else { continue }
      replace(old.range, with: new)
    }
  }
}
