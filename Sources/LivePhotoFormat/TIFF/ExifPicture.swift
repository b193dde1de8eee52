import EditModel

/// The facts about a picture that must be stated in an Exif block created for the picture.
struct ExifPicture {
  /// The stored width and height in pixels.
  let size: PixelSize
  /// Whether the picture's colours are sRGB.
  var isSRGB: Bool
  /// The meaning of each coded component: 1 to 3 mean Y′, Cb and Cr, 4 to 6 mean R, G and B, and 0 means that the
  /// component does not exist. The value is nil for containers for which Exif is not specified.
  var components: [UInt8]?
}

extension JPEGParts {
  /// The description of the original file's picture. The colours are determined from these parts.
  var exifPicture: ExifPicture { exifPicture(of: file.header.frame.size) }

  /// Returns the description of a picture that is coded in the same way as the original file's picture. The colours are
  /// determined from these parts.
  ///
  /// - Parameter size: The stored width and height in pixels.
  func exifPicture(of size: PixelSize) -> ExifPicture {
    ExifPicture(size: size, isSRGB: ICCProfile.isSRGB(profile), components: file.exifComponents)
  }

  /// The ICC profile in the parts, or nil if the parts do not contain a profile.
  private var profile: [UInt8]? {
    let segments = list.filter {
      !$0.isRemoved && $0.marker == 0xE2 && $0.content.starts(with: ICCProfile.signature)
    }
    let profile = segments.flatMap { $0.content.dropFirst(ICCProfile.partHead) }
    return profile.isEmpty ? nil : profile
  }
}

extension JPEGFile {
  /// The components in the format of ComponentsConfiguration. If the file has no Adobe segment, three components are
  /// treated as Y′CbCr, unless their identifiers spell “RGB”.
  fileprivate var exifComponents: [UInt8] {
    let components = header.frame.components
    guard components.count >= 3 else { return [1, 0, 0, 0] }
    // The segment contains “Adobe”, a version, two words of flags, and the transform. A transform of 0 means no
    // transform.
    let adobe = header.segments.lazy.filter { $0.marker == 0xEE }.map(payload)
      .first { $0.hasPrefix("Adobe") && $0.count >= 12 }
    let isRGB = adobe.map { $0[11] == 0 } ?? components.map(\.identifier).elementsEqual("RGB".utf8)
    return isRGB ? [4, 5, 6, 0] : [1, 2, 3, 0]
  }
}

extension HEIFFile {
  /// The description of the photo. An unreadable profile is ignored.
  var exifPicture: ExifPicture {
    let profile = try? iccProfile()
    // The code points are either those of BT.709 primaries with sRGB's transfer function, or unspecified (ITU-T H.273
    // tables 2 and 3).
    let isSRGB = properties(of: pixelItem).lazy.compactMap(\.codePoints).first.map {
      [1, 2].contains($0.primaries) && [2, 13].contains($0.transfer)
    }
    return ExifPicture(
      size: shownExtents ?? PixelSize(width: 0, height: 0),
      isSRGB: profile.map { ICCProfile.isSRGB($0) } ?? isSRGB ?? true, components: [1, 2, 3, 0])
  }
}

extension PNGFile {
  /// Returns the description of a picture of the given size with the photo's colours.
  func exifPicture(of size: PixelSize) -> ExifPicture {
    ExifPicture(size: size, isSRGB: chunk("cICP") == nil && (try? ICCProfile.isSRGB(iccProfile())) ?? false)
  }
}

extension ICCProfile {
  /// Returns whether a colour profile describes sRGB. The profile is identified by its name. If the profile is missing,
  /// the colours are sRGB.
  static func isSRGB(_ profile: [UInt8]?) -> Bool {
    profile.map { ICCProfile($0).name?.contains("sRGB") ?? false } ?? true
  }
}

extension TIFFBlock {
  /// Returns a new big-endian block. iPhones use this byte order, and Apple's LivePhotosKit JS does not read any other
  /// byte order.
  ///
  /// - Parameters:
  ///   - picture: The picture that the block describes.
  ///   - orientation: The orientation in which the picture is displayed.
  ///   - contentIdentifier: The identifier of a Live Photo, which is stored in Apple's maker note, or nil to store no
  ///     identifier.
  static func made(
    for picture: ExifPicture, orientation: Orientation, contentIdentifier: String? = nil
  ) -> TIFFBlock {
    let block = blank(orientation: orientation)
    let required = block.required(for: picture)
    var main = required.main
    main.append(
      NewEntry(
        tag: Tag.orientation, type: 3, count: 1, data: ByteOrder.big.bytes(of: orientation.rawValue, width: 2)
      ))
    var exif = required.exif
    if let contentIdentifier {
      let note = AppleMakerNote(contentIdentifier: contentIdentifier).bytes
      exif.append(NewEntry(tag: Tag.makerNote, type: 7, count: note.count, data: note))
    }
    return TIFFBlock(main: main, exif: exif) ?? block
  }

  /// Returns a new block that contains only an orientation. The caller must complete the block.
  static func blank(orientation: Orientation) -> TIFFBlock {
    let flag = ByteOrder.big.entry(
      Tag.orientation, type: 3, count: 1, value: [0, UInt8(orientation.rawValue), 0, 0])
    return TIFFBlock(bytes: head + [0, 1] + flag + [0, 0, 0, 0], order: .big)
  }

  /// The header of a block: “MM”, 42, and 8 as the offset of IFD0.
  private static let head: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8]

  /// Creates a block from two directories. Each directory is followed by its values at even offsets (TIFF 6.0 section
  /// 2).
  private init?(main: [NewEntry], exif: [NewEntry]) {
    let big = ByteOrder.big
    var bytes = Self.head
    func add(_ entries: [NewEntry]) {
      var values: [UInt8] = []
      let start = bytes.count + 2 + 12 * entries.count + 4
      bytes += big.bytes(of: entries.count, width: 2)
      for entry in entries.sorted(by: { $0.tag < $1.tag }) {
        var value = entry.data + [UInt8](repeating: 0, count: max(0, 4 - entry.data.count))
        if value.count > 4 {
          values += value + (value.count % 2 == 0 ? [] : [0])
          value = big.bytes(of: start + values.count - value.count - value.count % 2, width: 4)
        }
        bytes += big.entry(entry.tag, type: entry.type, count: entry.count, value: value)
      }
      bytes += [0, 0, 0, 0] + values
    }
    let pointer = NewEntry(tag: Tag.exifDirectory, type: 4, count: 1, data: [0, 0, 0, 0])
    add(main + [pointer])
    let place = bytes.count
    add(exif)
    self.init(exif: bytes)
    setNumber(place, Tag.exifDirectory, in: .main)
  }

  /// Adds the entries that Exif requires and that are missing from the block.
  ///
  /// - Parameter picture: The picture that the block describes.
  mutating func complete(describing picture: ExifPicture) {
    let required = required(for: picture)
    addMissing(required.main, in: .main)
    addMissing(required.exif, in: .exif)
    if listing(.gps) != nil { addMissing([Self.gpsVersion], in: .gps) }
  }

  /// Changes the block. If the change creates an Exif IFD, the entries that Exif requires are added to the new IFD.
  ///
  /// - Parameter picture: The picture that the block describes.
  mutating func change<Result>(
    describing picture: ExifPicture, _ body: (inout TIFFBlock) throws -> Result
  ) rethrows -> Result {
    let isNew = listing(.exif) == nil
    let result = try body(&self)
    if isNew, listing(.exif) != nil { addMissing(required(for: picture).exif, in: .exif) }
    return result
  }

  private mutating func addMissing(_ entries: [NewEntry], in directory: Directory) {
    let present = Set(listing(directory)?.entries.map(\.tag) ?? [])
    let new = entries.filter { !present.contains($0.tag) }
    if !new.isEmpty, makeDirectory(directory) { _ = add(new, in: directory) }
  }

  /// The version of the tags in the GPS directory. Exif requires this version in every GPS directory (section 4.6.7).
  static let gpsVersion = NewEntry(tag: 0, type: 1, count: 4, data: [2, 3, 0, 0])

  /// Returns the entries that Exif requires (CIPA DC-008-2019 section 4.6.8, tables 17 and 18), except for entries that
  /// depend on a camera. An unknown resolution is stated as 72 dots per inch (section 4.6.4.A).
  private func required(for picture: ExifPicture) -> (main: [NewEntry], exif: [NewEntry]) {
    func short(_ tag: Int, _ value: Int) -> NewEntry {
      NewEntry(tag: tag, type: 3, count: 1, data: order.bytes(of: value, width: 2))
    }
    func long(_ tag: Int, _ value: Int) -> NewEntry {
      NewEntry(tag: tag, type: 4, count: 1, data: order.bytes(of: value, width: 4))
    }
    func undefined(_ tag: Int, _ data: [UInt8]) -> NewEntry {
      NewEntry(tag: tag, type: 7, count: data.count, data: data)
    }
    let resolution = order.bytes(of: 72, width: 4) + order.bytes(of: 1, width: 4)
    var main = [Tag.xResolution, Tag.yResolution].map {
      NewEntry(tag: $0, type: 5, count: 1, data: resolution)
    }
    main.append(short(Tag.resolutionUnit, 2))
    var exif = [
      undefined(Tag.exifVersion, Array("0232".utf8)), undefined(Tag.flashpixVersion, Array("0100".utf8)),
      short(Tag.colorSpace, picture.isSRGB ? 1 : 0xFFFF), long(Tag.pixelXDimension, picture.size.width),
      long(Tag.pixelYDimension, picture.size.height),
    ]
    if let components = picture.components {
      exif.append(undefined(Tag.componentsConfiguration, components))
      // Chroma samples are centred between luma samples, as specified by JFIF.
      if components.starts(with: [1, 2]) { main.append(short(Tag.yCbCrPositioning, 1)) }
    }
    return (main.sorted { $0.tag < $1.tag }, exif.sorted { $0.tag < $1.tag })
  }
}
