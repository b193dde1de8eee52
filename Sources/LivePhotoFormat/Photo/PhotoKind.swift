public import Basics

/// What kind of photo a file is, by its content.
public enum PhotoKind: Hashable, Sendable {
  /// A JPEG.
  case jpeg
  /// A HEIF still picture (ISO/IEC 23008-12): HEIC and its relatives.
  case heif
  /// Anything else.
  case other

  /// A photo's name with an extension of this kind: its own, where that fits.
  ///
  /// - Parameter name: the name, with or without an extension.
  public func fitting(_ name: String) -> String {
    // A leading dot begins no extension.
    let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil } ?? name.endIndex
    let own = String(name[dot...].dropFirst())
    guard self != .other, PhotoKind(fileExtension: own) != self else { return name }
    let right = self == .jpeg ? "JPG" : "HEIC"
    let isLowerCase = own.last?.isLowercase ?? false
    return String(name[..<dot]) + "." + (isLowerCase ? right.lowercased() : right)
  }

  /// Major and compatible brands of HEIF still pictures and sequences.
  private static let heifBrands: Set<String> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2", "msf1",
  ]

  /// Looks at the first bytes of a file.
  ///
  /// - Parameter source: the file.
  /// - Throws: what `source` throws.
  public static func detect(_ source: some ByteSource) throws -> PhotoKind {
    detect(try source.read(at: 0, count: min(source.count, 256)))
  }

  /// Looks at the first bytes of a file.
  ///
  /// - Parameter bytes: the file, or its first 256 bytes.
  public static func detect(_ bytes: [UInt8]) -> PhotoKind {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    guard let size = ByteOrder.big.number(bytes, at: 0, width: 4), size >= 16, bytes.count >= 16,
      bytes[4..<8].elementsEqual("ftyp".utf8)
    else { return .other }
    let end = min(size, bytes.count)
    let isHEIF = stride(from: 8, through: end - 4, by: 4).contains { at in
      at != 12 && heifBrands.contains(String(decoding: bytes[at..<at + 4], as: UTF8.self))
    }
    return isHEIF ? .heif : .other
  }
}
