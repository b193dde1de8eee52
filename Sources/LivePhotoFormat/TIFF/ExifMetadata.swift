import Basics
import EditModel

/// Keeps a picture's Exif metadata accurate when the picture is rotated.
extension TIFFBlock {
  /// The tags used in this project (Exif 2.32 section 4.6).
  enum Tag {
    static let latitudeReference = 1
    static let latitude = 2
    static let longitudeReference = 3
    static let longitude = 4
    static let altitudeReference = 5
    static let altitude = 6
    static let imageWidth = 0x0100
    static let imageLength = 0x0101
    static let make = 0x010F
    static let model = 0x0110
    static let orientation = 0x0112
    static let xResolution = 0x011A
    static let yResolution = 0x011B
    static let resolutionUnit = 0x0128
    static let software = 0x0131
    static let dateTime = 0x0132
    static let yCbCrPositioning = 0x0213
    static let exifVersion = 0x9000
    static let dateTimeOriginal = 0x9003
    static let dateTimeDigitized = 0x9004
    static let offsetTimeOriginal = 0x9011
    static let offsetTimeDigitized = 0x9012
    static let componentsConfiguration = 0x9101
    static let makerNote = 0x927C
    static let userComment = 0x9286
    static let subSecTime = 0x9290
    static let subSecTimeOriginal = 0x9291
    static let subSecTimeDigitized = 0x9292
    static let subjectArea = 0x9214
    static let flashpixVersion = 0xA000
    static let colorSpace = 0xA001
    static let pixelXDimension = 0xA002
    static let pixelYDimension = 0xA003
    static let focalPlaneXResolution = 0xA20E
    static let focalPlaneYResolution = 0xA20F
    static let subjectLocation = 0xA214
    /// The tag CustomRendered, which Apple sets to values above 1 to state the kind of picture.
    static let customRendered = 0xA401
    /// The tag WhiteBalance. The value is 0 if the camera determined the white balance automatically.
    static let whiteBalance = 0xA403
    static let lensModel = 0xA434
    static let exifDirectory = 0x8769
    static let gpsDirectory = 0x8825
  }

  /// The orientation in which the stored picture is displayed, or nil if the block has no valid orientation tag.
  var orientation: Orientation? { number(Tag.orientation, in: .main).flatMap(Orientation.init) }
  /// The content identifier in Apple's maker note.
  var contentIdentifier: String? {
    data(Tag.makerNote, in: .exif).flatMap { AppleMakerNote($0) }?.contentIdentifier
  }

  /// The JPEG thumbnail in IFD1.
  var thumbnail: [UInt8]? {
    guard let range = thumbnailRange, bytes[range].starts(with: [0xFF, 0xD8]) else { return nil }
    return Array(bytes[range])
  }

  /// Updates the orientation, sizes and positions to describe the rewritten picture.
  ///
  /// - Returns: The names of the tags that were removed because the positions in them could not be updated.
  mutating func turn(_ change: PictureChange) -> [String] {
    let (orientation, new) = (change.orientation, change.new)
    for directory in [Directory.main, .thumbnail] {
      let isSaid = setNumber(orientation.rawValue, Tag.orientation, in: directory)
      if !isSaid, directory == .main, orientation != .identity {
        _ = set(
          Tag.orientation, type: 3, count: 1, data: order.bytes(of: orientation.rawValue, width: 2),
          in: directory)
      }
      if change.transform.swapsAxes { swapValues(Tag.xResolution, Tag.yResolution, in: directory) }
    }
    if change.transform.swapsAxes {
      swapValues(Tag.focalPlaneXResolution, Tag.focalPlaneYResolution, in: .exif)
    }
    let removed = turnSubject(change)
    setNumber(new.width, Tag.imageWidth, in: .main)
    setNumber(new.height, Tag.imageLength, in: .main)
    setNumber(new.width, Tag.pixelXDimension, in: .exif)
    setNumber(new.height, Tag.pixelYDimension, in: .exif)
    return removed
  }

  /// Updates SubjectArea and SubjectLocation, which are in stored pixels and refer to a picture of the size stated in
  /// Exif.
  private mutating func turnSubject(_ change: PictureChange) -> [String] {
    let exifWidth = number(Tag.pixelXDimension, in: .exif).flatMap { $0 > 0 ? $0 : nil }
    let exifHeight = number(Tag.pixelYDimension, in: .exif).flatMap { $0 > 0 ? $0 : nil }
    let from = PixelSize(width: exifWidth ?? change.old.width, height: exifHeight ?? change.old.height)
    guard change.transform != .identity || change.isReframed || from != change.new else { return [] }
    var removed: [String] = []
    for (tag, name) in [(Tag.subjectArea, "SubjectArea"), (Tag.subjectLocation, "SubjectLocation")] {
      guard let entry = listing(.exif)?.entry(tag) else { continue }
      guard let values = numbers(entry), values.count == entry.count,
        let turned = from.turnedArea(values, change),
        setNumbers(turned, tag, in: .exif)
      else {
        remove(tag, from: .exif)
        removed.append(name)
        continue
      }
    }
    return removed
  }

  static let takesNoIdentifier = MediaError(
    "the Exif block is damaged, so no Live Photo identifier can be written to it",
    remedy: "copy the file from the phone again")

  /// Sets the identifier in Apple's maker note. A missing maker note or Exif IFD is created. The block becomes
  /// big-endian if an exact conversion is possible. See ``makeBigEndian()``.
  ///
  /// - Throws: ``MediaError`` if another manufacturer's maker note exists, or if the block is damaged.
  mutating func setContentIdentifier(_ identifier: String) throws {
    let damaged = Self.takesNoIdentifier
    let note: AppleMakerNote
    if let entry = listing(.exif)?.entry(Tag.makerNote) {
      guard let range = entry.value else { throw damaged }
      guard var apple = AppleMakerNote(Array(bytes[range])) else {
        throw MediaError(
          "the photo contains another manufacturer's maker note, but a Live Photo identifier needs an Apple maker note",
          remedy: "use a photo taken with an iPhone, or a photo without a maker note", isUnsupported: true)
      }
      guard apple.contentIdentifier != identifier else { return }
      try apple.setContentIdentifier(identifier)
      note = apple
    } else {
      note = AppleMakerNote(contentIdentifier: identifier)
    }
    guard makeDirectory(.exif) else { throw damaged }
    // Parts of a damaged block may overlap, so the identifier is read back to verify that it was written.
    guard set(Tag.makerNote, type: 7, count: note.bytes.count, data: note.bytes, in: .exif),
      contentIdentifier == identifier
    else { throw damaged }
    makeBigEndian()
  }

  /// Removes the identifier from Apple's maker note. If the maker note contains no other data, the entire maker note is
  /// removed.
  mutating func removeContentIdentifier() {
    guard let bytes = data(Tag.makerNote, in: .exif), var note = AppleMakerNote(bytes),
      note.contentIdentifier != nil
    else { return }
    note.removeContentIdentifier()
    if note.tags.isEmpty {
      remove(Tag.makerNote, from: .exif)
    } else {
      _ = set(Tag.makerNote, type: 7, count: note.bytes.count, data: note.bytes, in: .exif)
    }
  }

  /// Removes another manufacturer's maker note.
  ///
  /// - Returns: Whether the block contained such a maker note.
  mutating func removeForeignMakerNote() -> Bool {
    guard let bytes = data(Tag.makerNote, in: .exif), AppleMakerNote(bytes) == nil else { return false }
    remove(Tag.makerNote, from: .exif)
    return true
  }
}
