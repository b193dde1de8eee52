import Basics
import EditModel

/// The kinds of photo, told by a file's content.
package enum PhotoKind: CaseIterable, Hashable, Sendable {
  /// A JPEG.
  case jpeg
  /// A HEIF still picture (ISO/IEC 23008-12): HEIC and its relatives.
  case heif
  /// A PNG (ISO/IEC 15948), which stands alone: it is no photo of a Live Photo.
  case png

  /// The beginning of a sentence about a file that is of no kind.
  static let none: Message = "neither a JPEG nor a HEIC nor a PNG"

  /// Its name in messages.
  package var name: String {
    switch self {
    case .jpeg: "JPEG"
    case .heif: "HEIC"
    case .png: "PNG"
    }
  }

  /// The extensions of its files in lower case, the usual one first.
  package var extensions: [String] {
    switch self {
    case .jpeg: ["jpg", "jpeg", "jpe"]
    case .heif: ["heic", "heif", "hif"]
    case .png: ["png"]
    }
  }

  /// The type that reads and rewrites its files.
  var container: any PhotoContainer.Type {
    switch self {
    case .jpeg: JPEGHeader.self
    case .heif: HEIFFile.self
    case .png: PNGFile.self
    }
  }

  /// True if its files can be the photos of Live Photos.
  package var isOfLivePhotos: Bool { self != .png }

  /// The kind that a photo is rendered to; nil for its own.
  package init?(_ format: RenderSettings.PhotoFormat) {
    switch format {
    case .same: return nil
    case .heic: self = .heif
    case .jpeg: self = .jpeg
    }
  }

  /// Tells the kind of a file; nil for a file that is no photo.
  ///
  /// - Parameter bytes: the file, or its first 256 bytes.
  init?(beginning bytes: [UInt8]) {
    guard let kind = Self.allCases.first(where: { $0.container.begins(bytes) }) else { return nil }
    self = kind
  }

  /// The kind that a file of this extension should be; nil for an extension that does not say.
  package init?(fileExtension: String) {
    let lowered = fileExtension.lowercased()
    guard let kind = Self.allCases.first(where: { $0.extensions.contains(lowered) }) else { return nil }
    self = kind
  }

  /// A photo's name with an extension of this kind: its own, where that fits.
  ///
  /// - Parameter name: the name, with or without an extension.
  package func fitting(_ name: String) -> String {
    // A leading dot begins no extension.
    let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil } ?? name.endIndex
    let own = String(name[dot...].dropFirst())
    guard PhotoKind(fileExtension: own) != self else { return name }
    let isLowerCase = own.last?.isLowercase ?? false
    return String(name[..<dot]) + "." + (isLowerCase ? extensions[0] : extensions[0].uppercased())
  }
}
