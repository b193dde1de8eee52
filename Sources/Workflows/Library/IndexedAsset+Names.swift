import EditLibrary
import EditModel

extension IndexedAsset {
  /// A word that stands for the asset and tells nothing of it: the same as long as its folder and its files keep their
  /// names.
  package var opaqueIdentifier: String { Self.opaqueIdentifier(name: name, in: folder) }

  /// The word for something by its name.
  ///
  /// - Parameters:
  ///   - name: the name of the file that stands for an asset.
  ///   - folder: the path of its folder.
  package static func opaqueIdentifier(name: String, in folder: String) -> String {
    // SHA-1 fails only where the library of cryptography is broken; the words themselves are as good then.
    let word = (try? NameBasedUUID.name(of: [folder, name])) ?? folder + name
    return word.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  /// The stem of a file's name, see ``stem``.
  package static func stem(ofName name: String) -> String { RenderNames.Parts(name).stem }

  /// True for the name of a photo or a movie.
  package static func isHalf(named name: String) -> Bool {
    HalfKind(fileExtension: RenderNames.Parts(name).fileExtension) != nil
  }

  /// The stem of the asset that a stem of a render may belong to; nil for any other stem.
  package static func originalStem(ofRender stem: String) -> String? {
    RenderNames.originalStem(ofRender: stem)
  }
}
