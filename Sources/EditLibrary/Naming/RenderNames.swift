package import Basics
import EditModel
import FileSystem
package import LivePhotoFormat

/// The names that renders and adjustment data get beside their originals, as iPhones and Image Capture
/// give them.
package enum RenderNames {
  /// A file name cut at its last dot.
  package struct Parts: Hashable, Sendable {
    /// The part before the dot.
    package var stem: String
    /// The part behind it; empty without a dot.
    package var fileExtension: String

    /// - Parameter name: a file name without folder. A leading dot begins no extension.
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

  /// The stem of the render of an original: `AAA_0000` becomes `AAA_E0000` (any three ASCII letters, any
  /// four digits), every other name gets `_edited`.
  package static func renderStem(of stem: String) -> String {
    isCameraStem(stem) ? String(stem.prefix(4)) + "E" + String(stem.suffix(4)) : stem + "_edited"
  }

  /// True for the stems that cameras give, `AAA_0000`. Photos knows renders of these alone: an edit that is to be imported
  /// as one needs such a name.
  package static func isCameraStem(_ stem: String) -> Bool {
    let bytes = Array(stem.utf8)
    return bytes.count == 8 && isCameraPrefix(bytes) && bytes[4...].allSatisfy(isDigit)
  }

  /// The stem of the camera's own recipe for an original, `AAA_O0000`; nil for names that cameras do not give.
  package static func recipeStem(of stem: String) -> String? {
    isCameraStem(stem) ? String(stem.prefix(4)) + "O" + String(stem.suffix(4)) : nil
  }

  /// The render's name for an original's. The extension stays as it is, case included; that of another kind of photo is
  /// of the same case.
  ///
  /// The renders of both halves have the asset's stem, so that they belong together by name even where the originals do
  /// not: `IMG_7943_HEVC.MOV` of the photo `IMG_7943.HEIC` becomes `IMG_E7943.MOV`.
  ///
  /// - Parameters:
  ///   - name: the original's name.
  ///   - stem: the asset's stem; nil where the original is the whole asset.
  ///   - kind: what the render is; nil leaves the extension as it is.
  package static func render(
    of name: String, ofAsset stem: String? = nil, as kind: PhotoKind? = nil
  ) -> String {
    let parts = Parts(name)
    let stem = renderStem(of: stem ?? parts.stem)
    let old = parts.fileExtension
    guard let new = kind?.extensions[0] else { return old.isEmpty ? stem : stem + "." + old }
    return stem + "." + (old == old.uppercased() ? new.uppercased() : new)
  }

  /// True if a name is that of a render of an original: a photo's may have another extension.
  ///
  /// - Parameters:
  ///   - name: the name in question.
  ///   - original: the original's name.
  ///   - stem: the asset's stem; nil where the original is the whole asset. Earlier builds named a movie's render after the
  ///     movie, which is a render's name as well.
  package static func isRender(_ name: String, of original: String, ofAsset stem: String? = nil) -> Bool {
    let (parts, others) = (Parts(name), Parts(original))
    let stems = stem == original ? [original] : [others.stem, stem ?? others.stem]
    if stems.contains(where: { name == render(of: original, ofAsset: $0) }) { return true }
    return stems.map(renderStem).contains(parts.stem)
      && (!HalfKind.standsAlone(name) || HalfKind.standsAlone(original))
      && HalfKind(fileExtension: parts.fileExtension) == .photo
      && HalfKind(fileExtension: others.fileExtension) == .photo
  }

  /// The kind of photo that a render is, if it is another one than its original's.
  ///
  /// - Parameters:
  ///   - original: path of the original photo.
  ///   - kind: the render's; nil for that of the original.
  package static func otherKind(
    thanOriginal original: String, _ kind: PhotoKind?
  ) throws(EditError) -> PhotoKind? {
    guard let kind else { return nil }
    return try self.kind(of: original) == kind ? nil : kind
  }

  /// The kind of a photo by its content; nil for what is none.
  static func kind(of path: String) throws(EditError) -> PhotoKind? {
    try whileReading(path) { try Photo(FileByteSource(path: path)).kind }
  }

  /// The name of the adjustment data that belongs to an original's stem.
  package static func adjustments(of stem: String) -> String { stem + ".AAE" }

  /// The name of the sidecar of a render.
  package static func sidecar(of render: String) -> String { render + ".xmp" }

  /// True if a name is one that renders, their sidecars and adjustment data of an asset have, under any extension of their
  /// kind.
  ///
  /// - Parameters:
  ///   - originals: the names of the asset's originals.
  ///   - stem: the asset's stem.
  ///   - name: the name in question.
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

  /// The original's stem, if a stem has the form of a render's.
  ///
  /// - Parameters:
  ///   - stem: the stem in question.
  ///   - ignoresCase: whether `img_e0001` is one as `IMG_E0001` is: the folder cannot have both.
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

  /// A stem with the parts that make it a render's as ``renderStem(of:)`` writes them, whatever their case.
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
