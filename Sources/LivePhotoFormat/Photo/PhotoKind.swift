/// The kind of photo that a file is, by its content.
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
  package func fitting(_ name: String) -> String {
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

  /// Tells the kind of a file.
  ///
  /// - Parameter bytes: the file, or its first 256 bytes.
  init(beginning bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
      return
    }
    guard let size = ByteOrder.big.number(bytes, at: 0, width: 4), size >= 16, bytes.count >= 16,
      bytes[4..<8].elementsEqual("ftyp".utf8)
    else {
      self = .other
      return
    }
    let end = min(size, bytes.count)
    let isHEIF = stride(from: 8, through: end - 4, by: 4).contains { at in
      at != 12 && Self.heifBrands.contains(String(decoding: bytes[at..<at + 4], as: UTF8.self))
    }
    self = isHEIF ? .heif : .other
  }
}

extension PhotoKind {
  /// The kind that a file of this extension should be; nil for an extension that does not say.
  init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "jpg", "jpeg", "jpe": self = .jpeg
    case "heic", "heif", "hif": self = .heif
    default: return nil
    }
  }
}
