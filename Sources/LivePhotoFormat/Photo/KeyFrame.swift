import Basics
import EditModel

/// The frame of the movie that a photo is made of, as far as the photo's metadata tell of it.
package struct KeyFrame: Sendable {
  /// How long after the photo that was taken it is shown, in millionths of a second; negative before.
  package var distance: Int
  /// The ICC profile of its colours; nil for sRGB.
  package var profile: [UInt8]?
  /// The ICC profile of sRGB, which takes the place of a JPEG's profile where its new colours are those of sRGB; nil takes
  /// the profile out.
  package var profileOfSRGB: [UInt8]?
  /// When the photo was taken, by its Exif block: date and time to the second, and the digits behind.
  private var taken: (date: String, fraction: String) = ("", "")

  /// - Parameters:
  ///   - distance: how long after the photo that was taken it is shown, in millionths of a second.
  ///   - profile: the ICC profile of its colours; nil for sRGB.
  ///   - profileOfSRGB: the ICC profile of sRGB, for a photo that has a profile already; nil for none.
  package init(distance: Int, profile: [UInt8]?, profileOfSRGB: [UInt8]? = nil) {
    (self.distance, self.profile, self.profileOfSRGB) = (distance, profile, profileOfSRGB)
  }

  /// Why metadata of the photo that was taken are taken out.
  static let reason: Message = "describes the photo that the camera took"

  /// The same with the moment that an Exif block says.
  fileprivate func knowing(_ block: TIFFBlock?) -> KeyFrame {
    var frame = self
    let date = block?.text(TIFFBlock.Tag.dateTimeOriginal, in: .exif)
    frame.taken = (date ?? "", block?.text(TIFFBlock.Tag.subSecTimeOriginal, in: .exif) ?? "")
    return frame
  }

  /// A date that lies as far from another as the frame from the photo that was taken.
  ///
  /// - Parameters:
  ///   - date: date and time to the second, as Exif or ISO 8601 writes them.
  ///   - fraction: the digits behind the second; none where there are none.
  /// - Returns: the new date, written alike, and the digits behind its second, at least three where they are not all zero;
  ///   nil for what is no date. A date without digits that is the second at which the photo was taken stays without.
  func moved(_ date: String, fraction: String) -> (date: String, fraction: String)? {
    let isTaken =
      fraction.isEmpty && !taken.fraction.isEmpty
      && CaptureDate(date, source: .exif) == CaptureDate(taken.date, source: .exif)
    return precisely(date, fraction: isTaken ? taken.fraction : fraction).map {
      ($0.date, isTaken ? "" : $0.fraction)
    }
  }

  private func precisely(_ date: String, fraction: String) -> (date: String, fraction: String)? {
    // Thirty thousand years from the photo is no date.
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
  /// Writes the photo with metadata that is true of a frame of its movie: its dates are moved, its colour profile is the
  /// frame's, and whatever describes the picture that was taken is gone. The coded picture stays until another takes its
  /// place, and sizes change with that.
  ///
  /// - Returns: what it does not carry any more.
  /// - Throws: ``MediaError`` when it is no photo or damaged.
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
      // What describes a picture goes with it.
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
    // sRGB by code points, with the matrix and the range of what is coded: ITU-T H.273.
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
  /// Gives a picture other colours, and 8 bits a sample.
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
  /// Makes dates and colours true of a frame, and takes out what describes the photo that was taken.
  ///
  /// - Returns: names of the tags that are gone.
  fileprivate mutating func describe(_ frame: KeyFrame) -> [String] {
    let taken = text(Tag.dateTimeOriginal, in: .exif)
    let isChangedThen = taken != nil && text(Tag.dateTime, in: .main) == taken
    move(Tag.dateTimeOriginal, Tag.subSecTimeOriginal, by: frame)
    move(Tag.dateTimeDigitized, Tag.subSecTimeDigitized, by: frame)
    if isChangedThen { move(Tag.dateTime, Tag.subSecTime, in: .main, by: frame) }
    setSRGB(frame.profile == nil)
    var removed: [String] = []
    for (tag, name) in Self.tagsOfPhoto where listing(.exif)?.entry(tag) != nil {
      // 0 and 1 tell no kind of picture.
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

  /// Tags that are true of the photo that was taken, and their names.
  private static let tagsOfPhoto = [
    (Tag.subjectArea, "SubjectArea"), (Tag.subjectLocation, "SubjectLocation"), (0x9206, "SubjectDistance"),
    (0xA40C, "SubjectDistanceRange"), (Tag.customRendered, "CustomRendered"), (0xA460, "CompositeImage"),
    (0xA461, "CompositeImageCount"), (0xA462, "CompositeImageExposureTimes"),
  ]

  /// Moves a date.
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

  /// Makes dates and colours true of a frame, and takes out what describes the photo that was taken.
  ///
  /// - Parameter dropsExtension: whether the packet that extends this one is gone.
  /// - Returns: names of the groups that are gone.
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
