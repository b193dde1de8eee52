import Basics
import EditModel

/// The kinds of photo files, recognised by their content.
package enum PhotoKind: CaseIterable, Hashable, Sendable {
  /// A JPEG photo.
  case jpeg
  /// A HEIF still picture (ISO/IEC 23008-12), such as a HEIC photo.
  case heif
  /// A PNG (ISO/IEC 15948), which cannot be part of a Live Photo.
  case png

  /// The beginning of a sentence about a file that is not a photo of any kind.
  static let none: Message = "not a JPEG, HEIC or PNG"

  /// The name of the kind in messages.
  package var name: String {
    switch self {
    case .jpeg: "JPEG"
    case .heif: "HEIC"
    case .png: "PNG"
    }
  }

  /// The lowercase file extensions of the kind, the most common one first.
  package var extensions: [String] {
    switch self {
    case .jpeg: ["jpg", "jpeg", "jpe"]
    case .heif: ["heic", "heif", "hif"]
    case .png: ["png"]
    }
  }

  /// The type that reads and rewrites files of this kind.
  var container: any PhotoContainer.Type {
    switch self {
    case .jpeg: JPEGHeader.self
    case .heif: HEIFFile.self
    case .png: PNGFile.self
    }
  }

  /// Whether files of this kind can be part of Live Photos.
  package var isOfLivePhotos: Bool { self != .png }

  /// Creates the kind in which a photo is rendered, or nil if the photo keeps its own kind.
  package init?(_ format: RenderSettings.PhotoFormat) {
    switch format {
    case .same: return nil
    case .heic: self = .heif
    case .jpeg: self = .jpeg
    }
  }

  /// Recognises the kind of a file. Returns nil if the file is not a photo.
  ///
  /// - Parameter bytes: The file, or its first 256 bytes.
  init?(beginning bytes: [UInt8]) {
    guard let kind = Self.allCases.first(where: { $0.container.begins(bytes) }) else { return nil }
    self = kind
  }

  /// Creates the kind that corresponds to a file extension, or nil if the extension is not that of a photo.
  package init?(fileExtension: String) {
    let lowered = fileExtension.lowercased()
    guard let kind = Self.allCases.first(where: { $0.extensions.contains(lowered) }) else { return nil }
    self = kind
  }

  /// Returns a photo's name with an extension for this kind. A matching extension is kept.
  ///
  /// - Parameter name: The name, with or without an extension.
  package func fitting(_ name: String) -> String {
    // A leading dot does not begin an extension.
    let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil } ?? name.endIndex
    let own = String(name[dot...].dropFirst())
    guard PhotoKind(fileExtension: own) != self else { return name }
    let isLowerCase = own.last?.isLowercase ?? false
    return String(name[..<dot]) + "." + (isLowerCase ? extensions[0] : extensions[0].uppercased())
  }
}
