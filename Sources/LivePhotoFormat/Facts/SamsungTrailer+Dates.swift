import Basics
import EditModel

extension SamsungTrailer {
  /// The header of the block that contains the capture time in milliseconds since 1970, written as decimal digits. The
  /// header consists of the block's type, the length of the block's name, and the name (ExifTool, `Samsung.pm`).
  private static let moment: [UInt8] = {
    let name = Array("Image_UTC_Data".utf8)
    return [0, 0, 0x01, 0x0A] + ByteOrder.little.bytes(of: name.count, width: 4) + name
  }()

  /// Changes the capture time in Samsung's data blocks after a photo, whether or not these blocks include a movie. The
  /// positions of all bytes stay the same.
  ///
  /// - Parameters:
  ///   - bytes: The data after the picture, or the content of a `sefd` box.
  ///   - dates: The date change.
  static func change(_ bytes: inout [UInt8], dates: DateRewrite) {
    var start = 0
    // The data may include a movie. Foundation's search would need additional memory for every byte of the movie.
    while let found = bytes.firstIndex(of: moment, in: start..<bytes.count) {
      start = found + moment.count
      let end = bytes[start...].firstIndex { !(0x30...0x39 ~= $0) } ?? bytes.count
      let digits = start..<min(end, start + 16)
      if let new = moved(bytes[digits], by: dates) { bytes.replaceSubrange(digits, with: new) }
    }
  }

  /// Changes the capture time in the data blocks of a Motion Photo.
  mutating func change(dates: DateRewrite) {
    changeContents { kind, name, content in
      guard kind + ByteOrder.little.bytes(of: name.count, width: 4) + name == Self.moment,
        let new = Self.moved(content[...], by: dates)
      else { return }
      content = new
    }
  }

  /// Applies a date change to a capture time, and returns the new time with the same number of digits.
  ///
  /// - Returns: The new digits, or nil if the old digits are not a time or the new time needs more digits.
  private static func moved(_ digits: ArraySlice<UInt8>, by dates: DateRewrite) -> [UInt8]? {
    guard digits.allSatisfy({ 0x30...0x39 ~= $0 }), digits.count <= 16,
      let old = Int(String(decoding: digits, as: UTF8.self))
    else { return nil }
    let text = String(dates.moved(milliseconds: old))
    guard text.first != "-", text.utf8.count <= digits.count else { return nil }
    return Array(String(repeating: "0", count: digits.count - text.utf8.count).utf8) + Array(text.utf8)
  }
}

extension MotionPhoto.Dialect {
  /// Changes the information that is stored in the file outside its metadata.
  ///
  /// - Parameters:
  ///   - edit: The edit of the photo.
  ///   - photo: The photo before the edit.
  /// - Returns: The removed parts.
  /// - Throws: ``MediaError`` if the photo is damaged.
  package mutating func state(_ edit: Edit, of photo: Photo) throws -> [Removal] {
    guard trailer != nil else { return [] }
    var removals: [Removal] = []
    var other = edit
    other.facts = .neutral
    if !other.isIdentity {
      let isMoved =
        edit.orientation != .identity || !edit.geometry.isNeutral || edit.motion.keyPhoto != nil
      removals +=
        trailer?.remove { name, content in
          SamsungBlocks.isOfMovie(name)
            ? nil : SamsungBlocks.staleness(of: name, content, pixelsMoved: isMoved)
        } ?? []
    }
    if edit.facts.place != nil {
      removals +=
        trailer?.remove { name, _ in name == SamsungBlocks.country ? FactsRewrite.reason : nil } ?? []
    }
    guard edit.facts.date != nil else { return removals }
    let rewrite = FactsRewrite(edit.facts, captured: try photo.metadata().created)
    if let dates = rewrite.dates { trailer?.change(dates: dates) }
    return removals
  }
}
