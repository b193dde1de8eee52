import Basics

/// A format of pictures, movies or archives that liveedit does not edit, told by a file's first bytes.
package enum ForeignFormat: Hashable, Sendable {
  /// A picture; its format's name.
  case picture(String)
  /// Data of a camera's sensor; its format's name.
  case raw(String)
  /// A movie; its container's name.
  case movie(String)
  /// A ZIP archive, as which some phones and programs hand on a Live Photo (`.livp`).
  case archive

  /// The number of first bytes that tell.
  private static let headSize = 4096

  /// Looks at the first bytes of a file.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - rawFormat: the name of the raw format that the file's extension names: many of them are TIFF files in which
  ///     nothing else tells them apart; nil for any other extension.
  /// - Returns: nil for what liveedit edits, and for what is not known.
  package init?(_ source: any ByteSource, rawFormat: String? = nil) throws {
    let head = try source.read(at: 0, count: min(Self.headSize, source.count))
    guard let format = Self.named(head) ?? Self.tiff(head, source, rawFormat) else { return nil }
    self = format
  }

  private static func named(_ head: [UInt8]) -> ForeignFormat? {
    func has(_ text: String, at place: Int = 0) -> Bool {
      head.dropFirst(place).starts(with: text.utf8)
    }
    if has("ftyp", at: 4) {
      // ISO/IEC 14496-12 section 4.3: the major brand.
      if has("avif", at: 8) || has("avis", at: 8) { return .picture("AVIF") }
      if has("crx ", at: 8) { return .raw("CR3") }
      return nil
    }
    if has("RIFF") {
      if has("WEBP", at: 8) { return .picture("WebP") }
      if has("AVI ", at: 8) { return .movie("AVI") }
    }
    if has("GIF8") { return .picture("GIF") }
    if has("8BPS") { return .picture("PSD") }
    if has("jP  ", at: 4) || head.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) { return .picture("JPEG 2000") }
    if has("JXL ", at: 4) || head.starts(with: [0xFF, 0x0A]) { return .picture("JPEG XL") }
    // The size of a bitmap's header follows its file header of 14 bytes.
    if has("BM"), head.count > 18, [12, 40, 52, 56, 108, 124].contains(head[14]), head[15] == 0 {
      return .picture("BMP")
    }
    if has("FUJIFILMCCD-RAW") { return .raw("RAF") }
    if head.starts(with: [0x49, 0x49, 0x55, 0]) { return .raw("RW2") }
    if has("IIRO") || has("IIRS") || has("MMOR") { return .raw("ORF") }
    if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
      // EBML (RFC 8794): the document's type stands in the header.
      let isWebM = String(decoding: head.prefix(64), as: UTF8.self).contains("webm")
      return .movie(isWebM ? "WebM" : "Matroska")
    }
    if head.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) { return .movie("WMV") }
    if has("FLV\u{1}") { return .movie("FLV") }
    if has("OggS") { return .movie("Ogg") }
    if head.starts(with: [0, 0, 1, 0xBA]) { return .movie("MPEG") }
    // Packets of 188 bytes, or of 192 with a time before each (AVCHD).
    for (start, step) in [(0, 188), (4, 192)] where head.count > start + 4 * step {
      if (0..<5).allSatisfy({ head[start + $0 * step] == 0x47 }) { return .movie("MPEG") }
    }
    if head.starts(with: [0x50, 0x4B, 3, 4]) { return .archive }
    return nil
  }

  /// TIFF 6.0 section 2, and the raw formats that are built as TIFF files are.
  private static func tiff(
    _ head: [UInt8], _ source: any ByteSource, _ rawFormat: String?
  ) -> ForeignFormat? {
    guard head.starts(with: [0x49, 0x49, 0x2A, 0]) || head.starts(with: [0x4D, 0x4D, 0, 0x2A]) else {
      return nil
    }
    if head.dropFirst(8).starts(with: [0x43, 0x52, 2]) { return .raw("CR2") }
    // DNG 1.7: DNGVersion is in the first directory of every DNG file.
    let dngVersion = 0xC612
    if (try? TIFFFile(source)?.main.contains { $0.tag == dngVersion }) == true { return .raw("DNG") }
    return rawFormat.map { .raw($0) } ?? .picture("TIFF")
  }

  /// The error that says why such a file is not edited.
  package var error: MediaError { MediaError(problem, remedy: remedy, isUnsupported: true) }

  private var problem: Message {
    switch self {
    case .picture(let name): "is a picture in the format \(name), which liveedit does not edit"
    case .raw(let name): "is a raw picture in the format \(name), which liveedit does not edit"
    case .movie(let name): "is a movie in the format \(name), which liveedit does not edit"
    case .archive: "is a ZIP archive, which liveedit does not open"
    }
  }

  private var remedy: Message {
    switch self {
    case .picture: "convert it to JPEG, HEIC or PNG"
    case .raw: "develop it to JPEG or HEIC in another program"
    case .movie: "convert it to MOV or MP4"
    case .archive: "unpack it, and name the photo and the movie in it"
    }
  }
}
