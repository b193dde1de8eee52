import EditLibrary
import EditModel

extension IndexedAsset {
  /// An identifier that reveals nothing about the asset. The identifier does not change as long as the folder and the
  /// files keep their names.
  package var opaqueIdentifier: String { Self.opaqueIdentifier(name: name, in: folder) }

  /// Returns the opaque identifier for a name.
  ///
  /// - Parameters:
  ///   - name: The name of the file that represents an asset.
  ///   - folder: The path of the file's folder.
  package static func opaqueIdentifier(name: String, in folder: String) -> String {
    // SHA-1 can fail only if the cryptography library is broken. In that case, the plain path serves as the identifier.
    let word = (try? NameBasedUUID.name(of: [folder, name])) ?? folder + name
    return word.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  /// Returns the stem of a file's name, see ``stem``.
  package static func stem(ofName name: String) -> String { RenderNames.Parts(name).stem }

  /// Returns whether the name belongs to a photo or a movie.
  package static func isHalf(named name: String) -> Bool {
    HalfKind(fileExtension: RenderNames.Parts(name).fileExtension) != nil
  }

  /// Returns the stem of the asset that a render's stem may belong to, or nil for any other stem.
  package static func originalStem(ofRender stem: String) -> String? {
    RenderNames.originalStem(ofRender: stem)
  }
}
