import Basics
import EditModel

/// The kinds of photo files, which are recognised by their content.
package enum PhotoKind: CaseIterable, Hashable, Sendable {
  /// A JPEG photo.
  case jpeg
  /// A HEIF still picture (ISO/IEC 23008-12), such as a HEIC photo.
  case heif
  /// A PNG (ISO/IEC 15948), which cannot be part of a Live Photo.
  case png

  /// The beginning of a sentence about a file that is not a supported photo.
  static let none: Message = "not a JPEG, HEIC or PNG"

  /// The name of the kind in messages.
  package var name: String {
    switch self {
    case .jpeg: "JPEG"
    case .heif: "HEIC"
    case .png: "PNG"
    }
  }

  /// The lowercase file extensions for this kind. The most common extension comes first.
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

  /// Whether files of this kind can be part of a Live Photo.
  package var isOfLivePhotos: Bool { self != .png }

  /// Creates the kind of photo that a render format requires, or nil if the photo keeps its own kind.
  package init?(_ format: RenderSettings.PhotoFormat) {
    switch format {
    case .same: return nil
    case .heic: self = .heif
    case .jpeg: self = .jpeg
    }
  }

  /// Determines a file's kind. Returns nil if the file is not a photo.
  ///
  /// - Parameter bytes: The complete file or its first 256 bytes.
  init?(beginning bytes: [UInt8]) {
    guard let kind = Self.allCases.first(where: { $0.container.begins(bytes) }) else { return nil }
    self = kind
  }

  /// Creates the kind that corresponds to a file extension, or nil if the extension does not belong to a photo.
  package init?(fileExtension: String) {
    let lowered = fileExtension.lowercased()
    guard let kind = Self.allCases.first(where: { $0.extensions.contains(lowered) }) else { return nil }
    self = kind
  }

  /// Returns a photo's file name with an extension for this kind. An existing extension that matches the kind is kept.
  ///
  /// - Parameter name: The name, with or without an extension.
  package func fitting(_ name: String) -> String {
    // A leading dot is not the beginning of an extension.
    let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil } ?? name.endIndex
    let own = String(name[dot...].dropFirst())
    guard PhotoKind(fileExtension: own) != self else { return name }
    let isLowerCase = own.last?.isLowercase ?? false
    return String(name[..<dot]) + "." + (isLowerCase ? extensions[0] : extensions[0].uppercased())
  }
}
