import Basics

/// A picture, movie or archive format that liveedit does not edit, recognised by a file's first bytes.
package enum ForeignFormat: Hashable, Sendable {
  /// A picture in the named format.
  case picture(String)
  /// Raw data from a camera's sensor in the named format.
  case raw(String)
  /// A movie in the named container.
  case movie(String)
  /// A ZIP archive. Some phones and programs export Live Photos in this format (`.livp`).
  case archive

  /// The number of bytes at the beginning of a file that are examined.
  private static let headSize = 4096

  /// Examines the first bytes of a file.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - rawFormat: The name of the raw format that the file's extension indicates, or nil if the extension does not
  ///     indicate a raw format. Many raw files are TIFF files that can be identified only by their extension.
  /// - Returns: The format, or nil if liveedit edits the format or if the format is not recognised.
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
      // The major brand (ISO/IEC 14496-12 section 4.3).
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
    // The size of a bitmap's header is stored after the 14-byte file header.
    if has("BM"), head.count > 18, [12, 40, 52, 56, 108, 124].contains(head[14]), head[15] == 0 {
      return .picture("BMP")
    }
    if has("FUJIFILMCCD-RAW") { return .raw("RAF") }
    if head.starts(with: [0x49, 0x49, 0x55, 0]) { return .raw("RW2") }
    if has("IIRO") || has("IIRS") || has("MMOR") { return .raw("ORF") }
    if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
      // The EBML header (RFC 8794) contains the document type (DocType).
      let isWebM = String(decoding: head.prefix(64), as: UTF8.self).contains("webm")
      return .movie(isWebM ? "WebM" : "Matroska")
    }
    if head.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) { return .movie("WMV") }
    if has("FLV\u{1}") { return .movie("FLV") }
    if has("OggS") { return .movie("Ogg") }
    if head.starts(with: [0, 0, 1, 0xBA]) { return .movie("MPEG") }
    // Packets are 188 bytes long, or 192 bytes if each packet is preceded by a timestamp (AVCHD).
    for (start, step) in [(0, 188), (4, 192)] where head.count > start + 4 * step {
      if (0..<5).allSatisfy({ head[start + $0 * step] == 0x47 }) { return .movie("MPEG") }
    }
    if head.starts(with: [0x50, 0x4B, 3, 4]) { return .archive }
    return nil
  }

  /// Recognises TIFF files (TIFF 6.0 section 2), and raw formats based on TIFF.
  private static func tiff(
    _ head: [UInt8], _ source: any ByteSource, _ rawFormat: String?
  ) -> ForeignFormat? {
    guard head.starts(with: [0x49, 0x49, 0x2A, 0]) || head.starts(with: [0x4D, 0x4D, 0, 0x2A]) else {
      return nil
    }
    if head.dropFirst(8).starts(with: [0x43, 0x52, 2]) { return .raw("CR2") }
    // Every DNG file has the tag DNGVersion in its first directory (DNG 1.7).
    let dngVersion = 0xC612
    if (try? TIFFFile(source)?.main.contains { $0.tag == dngVersion }) == true { return .raw("DNG") }
    return rawFormat.map { .raw($0) } ?? .picture("TIFF")
  }

  /// The error that explains why the file cannot be edited.
  package var error: MediaError { MediaError(problem, remedy: remedy, isUnsupported: true) }

  private var problem: Message {
    switch self {
    case .picture(let name): "is a picture in \(name) format, which liveedit cannot edit"
    case .raw(let name): "is a raw photo in \(name) format, which liveedit cannot edit"
    case .movie(let name): "is a movie in \(name) format, which liveedit cannot edit"
    case .archive: "is a ZIP archive, which liveedit cannot open"
    }
  }

  private var remedy: Message {
    switch self {
    case .picture: "convert it to JPEG, HEIC or PNG"
    case .raw: "develop it to JPEG or HEIC in another program"
    case .movie: "convert it to MOV or MP4"
    case .archive: "unpack the archive and specify the photo and the movie inside"
    }
  }
}
