import Basics
import EditModel

/// A movie frame that is used as the key photo, with the details that the photo's metadata needs.
package struct KeyFrame: Sendable {
  /// The time from the original photo to the frame, in microseconds. The value is negative if the frame is earlier.
  package var distance: Int
  /// The ICC profile of the frame's colours, or nil for sRGB.
  package var profile: [UInt8]?
  /// The sRGB ICC profile, which replaces a JPEG's profile if the frame's colours are sRGB. If nil, the JPEG's profile
  /// is removed.
  package var profileOfSRGB: [UInt8]?
  /// The capture time in the photo's Exif block: the date and time to the second, and the fractional digits.
  private var taken: (date: String, fraction: String) = ("", "")

  /// Creates a description of a movie frame.
  ///
  /// - Parameters:
  ///   - distance: The time from the original photo to the frame, in microseconds.
  ///   - profile: The ICC profile of the frame's colours, or nil for sRGB.
  ///   - profileOfSRGB: The sRGB ICC profile, which replaces the profile of a JPEG if the frame's colours are sRGB. If
  ///     nil, the JPEG's profile is removed.
  package init(distance: Int, profile: [UInt8]?, profileOfSRGB: [UInt8]? = nil) {
    (self.distance, self.profile, self.profileOfSRGB) = (distance, profile, profileOfSRGB)
  }

  /// The reason given when metadata that describes the original photo is removed.
  static let reason: Message = "describes the original key photo"

  /// Returns the frame, with the capture time taken from an Exif block.
  fileprivate func knowing(_ block: TIFFBlock?) -> KeyFrame {
    var frame = self
    let date = block?.text(TIFFBlock.Tag.dateTimeOriginal, in: .exif)
    frame.taken = (date ?? "", block?.text(TIFFBlock.Tag.subSecTimeOriginal, in: .exif) ?? "")
    return frame
  }

  /// Shifts a date by the time from the original photo to the frame.
  ///
  /// - Parameters:
  ///   - date: The date and time to the second, in the format of Exif or ISO 8601.
  ///   - fraction: The fractional digits of the second, or an empty string.
  /// - Returns: The new date in the same format, with its fractional digits, or nil if the text is not a date. The
  ///   result has at least three fractional digits, unless all digits are zero. If a date without fractional digits
  ///   equals the original photo's date to the second, the new date has no fractional digits either.
  func moved(_ date: String, fraction: String) -> (date: String, fraction: String)? {
    let isTaken =
      fraction.isEmpty && !taken.fraction.isEmpty
      && CaptureDate(date, source: .exif) == CaptureDate(taken.date, source: .exif)
    return precisely(date, fraction: isTaken ? taken.fraction : fraction).map {
      ($0.date, isTaken ? "" : $0.fraction)
    }
  }

  private func precisely(_ date: String, fraction: String) -> (date: String, fraction: String)? {
    // A time that is 30,000 years away from the photo cannot be a valid date.
    guard date.utf8.count == 19, distance.magnitude < 1 << 60, let old = CaptureDate(date, source: .exif),
      fraction.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
    else { return nil }
    let places = max(3, min(fraction.utf8.count, 6))
    let unit = (places..<6).reduce(1) { unit, _ in unit * 10 }
    let digits = fraction.prefix(6) + String(repeating: "0", count: max(0, 6 - fraction.utf8.count))
    guard let part = Int(digits) else { return nil }
    let units = Int((Double(old.wallClock * 1000 + part + distance) / Double(unit)).rounded())
    let each = 1_000_000 / unit
    let seconds = units >= 0 ? units / each : (units - each + 1) / each
    guard let new = CivilDate(secondsSince1970: seconds) else { return nil }
    let text = zip(new.text, date).map { $0.isNumber ? $0 : $1 }
    let rest = units - seconds * each
    guard rest != 0 || !fraction.isEmpty else { return (String(text), "") }
    let zeros = String(repeating: "0", count: max(0, fraction.utf8.count - places))
    return (String(text), CivilDate.pad(rest, places) + zeros)
  }
}

extension Photo {
  /// Writes the photo with metadata that describes a frame of its movie. The dates are shifted, the frame's colour
  /// profile replaces the photo's profile, and metadata that describes the original picture is removed. The coded
  /// picture and its stored width and height remain unchanged until another picture replaces the coded picture.
  ///
  /// - Returns: The parts that were not copied.
  /// - Throws: ``MediaError`` if the file is not a photo or is damaged.
  package func write(describing frame: KeyFrame, to sink: any ByteSink) throws -> [Removal] {
    try container.write(describing: frame, to: sink)
  }
}

extension JPEGHeader {
  func write(describing frame: KeyFrame, to sink: any ByteSink) throws -> [Removal] {
    var parts = JPEGParts(try wholeFile())
    let manifests = parts.removeManifests()
    var removed: [String] = []
    let frame = frame.knowing(parts.exifBlocks.first)
    for index in parts.indices(of: .exif) {
      guard var block = TIFFBlock(exif: parts.list[index].content) else { continue }
      removed += block.describe(frame)
      parts.setContent(block.bytes, at: index)
    }
    let tellsMore = try parts.contents(of: .extendedXMP).contains {
      try !XMPPacket.staleGroups(of: $0, pixelsMoved: true).isEmpty
    }
    if tellsMore {
      parts.remove(.extendedXMP)
      removed.append("extended XMP")
    }
    for index in parts.indices(of: .xmp) {
      guard var packet = try XMPPacket(parts.list[index].content) else { continue }
      removed += packet.describe(frame, dropsExtension: tellsMore)
      if let bytes = packet.rewritten(limit: parts.list[index].limit) { parts.setContent(bytes, at: index) }
    }
    for index in parts.indices(of: .photoshop) {
      let resources = PhotoshopResources.changingDatasets(parts.list[index].content) { datasets in
        datasets.changeDates { date in
          frame.moved(String(date.prefix(19)), fraction: "").map { $0.date + date.dropFirst(19) }
        }
      }
      parts.setContent(resources, at: index)
    }
    let hasProfile = parts.list.contains {
      $0.marker == 0xE2 && $0.content.starts(with: ICCProfile.signature)
    }
    parts.setProfile(frame.profile ?? (hasProfile ? frame.profileOfSRGB : nil))
    try sink.write(parts.assembled())
    return manifests + removed.unique.map { Removal(half: .photo, name: $0, reason: KeyFrame.reason) }
  }
}

extension HEIFFile {
  func write(describing frame: KeyFrame, to sink: any ByteSink) throws -> [Removal] {
    var composition = HEIFComposition(self)
    try composition.checkItemsAreApart()
    let manifests = try composition.removeManifests()
    let frame = frame.knowing(try exif())
    var removed: [String] = []
    for related in try relatedPictures where related.role != .thumbnail {
      let before = Set(composition.items.map(\.id))
      composition.remove(related.item)
      removed.append(related.name)
      // Items that describe a picture are removed together with the picture.
      let gone = before.subtracting(composition.items.map(\.id)).sorted()
      removed += try gone.filter { items[$0]?.isXMP ?? false }.flatMap(groups)
      if gone.contains(where: { items[$0]?.type == "tmap" }) { removed.append("tmap") }
    }
    if let item = exifItem, var exif = HEIFExif(try data(of: item)) {
      removed += exif.block.describe(frame)
      composition.replace(item, with: exif.bytes)
    }
    for item in try xmpPackets() {
      guard var packet = try XMPPacket(data(of: item)) else { continue }
      removed += packet.describe(frame, dropsExtension: false)
      composition.replace(item, with: packet.rewritten())
    }
    // These code points describe sRGB (ITU-T H.273), with the coded picture's matrix and range.
    let color =
      frame.profile.map { Atom("colr", Array("prof".utf8) + $0) }
      ?? Atom("colr", Array("nclx".utf8) + [0, 1, 0, 13, 0, 6, 0x80])
    for id in coloredItems { composition.describe(id, color: color) }
    composition.removeAperture(of: pixelItem)
    try composition.writeAnew(to: sink)
    return manifests + removed.unique.map { Removal(half: .photo, name: $0, reason: KeyFrame.reason) }
  }
}

extension HEIFComposition {
  /// Sets a picture's colour property, and sets its depth to 8 bits per sample.
  fileprivate mutating func describe(_ id: UInt32, color: Atom) {
    let old = list(of: id)
    let hasColor = old.contains { $0.atom.kind == "colr" }
    var new = old.filter { !["colr", "mdcv", "clli", "cclv", "amve"].contains($0.atom.kind) }
    if hasColor || id == file.primaryItem || id == file.pixelItem { new.append((color, false)) }
    for index in new.indices where new[index].atom.kind == "pixi" {
      guard let bits = new[index].atom.bitsPerChannel else { continue }
      new[index].atom = Atom("pixi", [0, 0, 0, 0, UInt8(bits.count)] + bits.map { _ in 8 })
    }
    setList(new, of: id)
  }
}

extension TIFFBlock {
  /// Updates dates and colours to describe a frame, and removes metadata that describes the original photo.
  ///
  /// - Returns: The names of the removed tags.
  fileprivate mutating func describe(_ frame: KeyFrame) -> [String] {
    let taken = text(Tag.dateTimeOriginal, in: .exif)
    let isChangedThen = taken != nil && text(Tag.dateTime, in: .main) == taken
    move(Tag.dateTimeOriginal, Tag.subSecTimeOriginal, by: frame)
    move(Tag.dateTimeDigitized, Tag.subSecTimeDigitized, by: frame)
    if isChangedThen { move(Tag.dateTime, Tag.subSecTime, in: .main, by: frame) }
    setSRGB(frame.profile == nil)
    var removed: [String] = []
    for (tag, name) in Self.tagsOfPhoto where listing(.exif)?.entry(tag) != nil {
      // The values 0 and 1 do not indicate a special kind of picture.
      if tag == Tag.customRendered, (number(tag, in: .exif) ?? 0) <= 1 { continue }
      remove(tag, from: .exif)
      removed.append(name)
    }
    guard let bytes = data(Tag.makerNote, in: .exif) else { return removed }
    guard var note = AppleMakerNote(bytes) else {
      remove(Tag.makerNote, from: .exif)
      return removed + ["MakerNote"]
    }
    let tags = note.removeTagsOfPhoto()
    if !tags.isEmpty { removed.append("MakerNotes (\(tags.joined(separator: ", ")))") }
    if note.tags.isEmpty {
      remove(Tag.makerNote, from: .exif)
    } else {
      _ = set(Tag.makerNote, type: 7, count: note.bytes.count, data: note.bytes, in: .exif)
    }
    return removed
  }

  /// The tags that are valid only for the original photo, with their names.
  private static let tagsOfPhoto = [
    (Tag.subjectArea, "SubjectArea"), (Tag.subjectLocation, "SubjectLocation"), (0x9206, "SubjectDistance"),
    (0xA40C, "SubjectDistanceRange"), (Tag.customRendered, "CustomRendered"), (0xA460, "CompositeImage"),
    (0xA461, "CompositeImageCount"), (0xA462, "CompositeImageExposureTimes"),
  ]

  /// Shifts a date.
  private mutating func move(
    _ date: Int, _ fraction: Int, in directory: Directory = .exif, by frame: KeyFrame
  ) {
    guard let old = text(date, in: directory),
      let new = frame.moved(old, fraction: text(fraction, in: .exif) ?? "")
    else { return }
    func put(_ text: String, _ tag: Int, _ directory: Directory) {
      let data = Array(text.utf8) + [0]
      _ = set(tag, type: 2, count: data.count, data: data, in: directory)
    }
    put(new.date, date, directory)
    if !new.fraction.isEmpty { put(new.fraction, fraction, .exif) }
  }
}

extension XMPPacket {
  static let basic = "http://ns.adobe.com/xap/1.0/"

  /// Updates dates and colours to describe a frame, and removes metadata that describes the original photo.
  ///
  /// - Parameter dropsExtension: Whether the extended packet that belongs to this packet has been removed.
  /// - Returns: The names of the removed property groups.
  fileprivate mutating func describe(_ frame: KeyFrame, dropsExtension: Bool) -> [String] {
    let dates = [
      (Namespace.exif, "DateTimeOriginal"), (Namespace.exif, "DateTimeDigitized"), (Self.basic, "CreateDate"),
      ("http://ns.adobe.com/photoshop/1.0/", "DateCreated"),
    ]
    for (namespace, local) in dates {
      guard let old = text(local, in: namespace) else { continue }
      let tail = old.text.dropFirst(19)
      let fraction = tail.first == "." ? String(tail.dropFirst().prefix { "0"..."9" ~= $0 }) : ""
      guard let new = frame.moved(String(old.text.prefix(19)), fraction: fraction) else { continue }
      let zone = tail.dropFirst(fraction.isEmpty ? 0 : fraction.count + 1)
      replace(old.range, with: new.date + (new.fraction.isEmpty ? "" : "." + new.fraction) + zone)
    }
    setSRGB(frame.profile == nil)
    var removed: [String] = []
    for property in properties {
      let name = property.name
      if let group = Self.placeGroup(name, prefix: property.prefix) {
        removed.append(group)
      } else if name.namespace == Namespace.exif, ["SubjectArea", "SubjectLocation"].contains(name.local) {
        removed.append("exif:" + name.local)
      } else if !(dropsExtension && name.namespace == Namespace.note && name.local == "HasExtendedXMP") {
        continue
      }
      remove(property)
    }
    return removed
  }
}
