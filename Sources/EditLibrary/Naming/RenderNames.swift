package import Basics
import EditModel
import FileSystem
package import LivePhotoFormat

/// The names of renders and adjustment data beside their originals. These names follow the conventions of iPhones and
/// Image Capture.
package enum RenderNames {
  /// A file name split at its last dot.
  package struct Parts: Hashable, Sendable {
    /// The part before the last dot.
    package var stem: String
    /// The part after the last dot; empty if the name has no dot.
    package var fileExtension: String

    /// Splits a file name. A leading dot does not start an extension.
    ///
    /// - Parameter name: The file name without its folder.
    package init(_ name: String) {
      if let dot = name.lastIndex(of: "."), dot != name.startIndex {
        stem = String(name[..<dot])
        fileExtension = String(name[name.index(after: dot)...])
      } else {
        stem = name
        fileExtension = ""
      }
    }
  }

  /// Returns the stem of an original's render: `AAA_0000` becomes `AAA_E0000` (any three ASCII letters, any four
  /// digits), and `_edited` is appended to every other name.
  package static func renderStem(of stem: String) -> String {
    isCameraStem(stem) ? String(stem.prefix(4)) + "E" + String(stem.suffix(4)) : stem + "_edited"
  }

  /// Whether a stem has the form that cameras use, `AAA_0000`. Photos recognises renders only for such stems, so an
  /// edit must have such a name to be imported as an edit.
  package static func isCameraStem(_ stem: String) -> Bool {
    let bytes = Array(stem.utf8)
    return bytes.count == 8 && isCameraPrefix(bytes) && bytes[4...].allSatisfy(isDigit)
  }

  /// Returns the stem of the camera's own recipe for an original, `AAA_O0000`, or nil for names that cameras do not
  /// use.
  package static func recipeStem(of stem: String) -> String? {
    isCameraStem(stem) ? String(stem.prefix(4)) + "O" + String(stem.suffix(4)) : nil
  }

  /// Returns the name of an original's render. The extension is unchanged, including its case. If the render is another
  /// kind of photo, its extension has the same case as the original's.
  ///
  /// The renders of both halves have the asset's stem, so the renders' names match even if the originals' names do not:
  /// for the photo `IMG_7943.HEIC`, the render of `IMG_7943_HEVC.MOV` is `IMG_E7943.MOV`.
  ///
  /// - Parameters:
  ///   - name: The original's name.
  ///   - stem: The asset's stem, or nil if the asset has no other original.
  ///   - kind: The kind of the render, or nil to keep the extension.
  package static func render(
    of name: String, ofAsset stem: String? = nil, as kind: PhotoKind? = nil
  ) -> String {
    let parts = Parts(name)
    let stem = renderStem(of: stem ?? parts.stem)
    let old = parts.fileExtension
    guard let new = kind?.extensions[0] else { return old.isEmpty ? stem : stem + "." + old }
    return stem + "." + (old == old.uppercased() ? new.uppercased() : new)
  }

  /// Whether a name belongs to a render of an original. The render of a photo may have another extension.
  ///
  /// - Parameters:
  ///   - name: The name to check.
  ///   - original: The original's name.
  ///   - stem: The asset's stem, or nil if the asset has no other original. Earlier builds named a movie's render after
  ///     the movie; such names are also accepted.
  package static func isRender(_ name: String, of original: String, ofAsset stem: String? = nil) -> Bool {
    let (parts, others) = (Parts(name), Parts(original))
    let stems = stem == original ? [original] : [others.stem, stem ?? others.stem]
    if stems.contains(where: { name == render(of: original, ofAsset: $0) }) { return true }
    return stems.map(renderStem).contains(parts.stem)
      && (!HalfKind.standsAlone(name) || HalfKind.standsAlone(original))
      && HalfKind(fileExtension: parts.fileExtension) == .photo
      && HalfKind(fileExtension: others.fileExtension) == .photo
  }

  /// Returns the kind of a rendered photo if it differs from the original's kind.
  ///
  /// - Parameters:
  ///   - original: The path of the original photo.
  ///   - kind: The kind of the render, or nil to use the original's kind.
  package static func otherKind(
    thanOriginal original: String, _ kind: PhotoKind?
  ) throws(EditError) -> PhotoKind? {
    guard let kind else { return nil }
    return try self.kind(of: original) == kind ? nil : kind
  }

  /// Returns the kind of a photo, judging by its content, or nil if the file is not a photo.
  static func kind(of path: String) throws(EditError) -> PhotoKind? {
    try whileReading(path) { try Photo(FileByteSource(path: path)).kind }
  }

  /// Returns the name of the adjustment data for an original's stem.
  package static func adjustments(of stem: String) -> String { stem + ".AAE" }

  /// Returns the name of a render's sidecar.
  package static func sidecar(of render: String) -> String { render + ".xmp" }

  /// Whether a name can belong to an asset's render, to a render's sidecar or to the adjustment data, with any
  /// extension of the same kind.
  ///
  /// - Parameters:
  ///   - originals: The names of the asset's originals.
  ///   - stem: The asset's stem.
  ///   - name: The name to check.
  static func canStandBeside(_ originals: [String], ofAsset stem: String, _ name: String) -> Bool {
    let parts = Parts(name)
    guard !originals.contains(name) else { return false }
    let stems = stems(ofAsset: stem, originals: originals)
    return originals.contains { original in
      if parts.fileExtension.lowercased() == "aae" { return stems.contains(parts.stem) }
      if parts.fileExtension == "xmp" {
        return stems.contains { isRender(parts.stem, of: original, ofAsset: $0) }
      }
      return stems.contains { name == render(of: original, ofAsset: $0) }
        || stems.map(renderStem).contains(parts.stem) && HalfKind(fileExtension: parts.fileExtension) != nil
          && (!HalfKind.standsAlone(name) || HalfKind.standsAlone(original))
    }
  }

  /// Returns the original's stem if a stem has the form of a render's stem.
  ///
  /// - Parameters:
  ///   - stem: The stem to check.
  ///   - ignoresCase: Whether `img_e0001` counts as a render's stem just like `IMG_E0001`, because the folder cannot
  ///     contain both.
  package static func originalStem(ofRender stem: String, ignoringCase ignoresCase: Bool = false) -> String? {
    let stem = ignoresCase ? renderMarksAsGiven(stem) : stem
    let bytes = Array(stem.utf8)
    if bytes.count == 9, isCameraPrefix(bytes), bytes[4] == UInt8(ascii: "E"), bytes[5...].allSatisfy(isDigit)
    {
      return String(stem.prefix(4)) + String(stem.suffix(4))
    }
    guard stem.hasSuffix("_edited") else { return nil }
    let original = String(stem.dropLast("_edited".count))
    return !original.isEmpty && renderStem(of: original) == stem ? original : nil
  }

  /// Returns a stem in which the parts that mark a render have the case that ``renderStem(of:)`` writes.
  private static func renderMarksAsGiven(_ stem: String) -> String {
    if stem.lowercased().hasSuffix("_edited") { return stem.dropLast("_edited".count) + "_edited" }
    guard stem.utf8.count == 9, stem.utf8.dropFirst(4).first == UInt8(ascii: "e") else { return stem }
    return stem.prefix(4) + "E" + stem.dropFirst(5)
  }

  private static func isCameraPrefix(_ bytes: [UInt8]) -> Bool {
    bytes[..<3].allSatisfy { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }
      && bytes[3] == UInt8(ascii: "_")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
