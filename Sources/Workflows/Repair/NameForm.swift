import EditLibrary
import EditModel

/// The origin of a file according to its name: the camera's name for the file and the additions by programs.
///
/// `IMG_0001_HEVC.MOV`, `IMG_0001 (1).JPG`, `IMG_0001-edited.jpg`, `IMG_E0001.JPG` and `IMG_0001.HEIC.MOV` all derive
/// from `IMG_0001`. A name is not proof; names only suggest which files to compare.
package struct NameForm: Hashable, Sendable {
  /// The camera's name for the file in lower case, without an extension.
  package private(set) var root: String
  /// Whether an addition to the name marks the file as edited.
  package private(set) var isEdited = false
  /// Whether an addition to the name marks the file as one of several copies.
  package private(set) var isCopy = false

  /// The additions by programs that export or convert movies, such as icloudpd.
  private static let kinds = ["_hevc", "_live", "-live", "_video", "-video"]
  /// The words that Google Takeout, in each of its languages, and other programs add to the names of edited photos.
  private static let edited = [
    "-edited", "_edited", "-bearbeitet", "-modifié", "-editado", "-editada", "-bewerkt", "-modificato",
    "-edytowane", "-редактировано", "-編集済み", "-已修改",
  ]
  private static let copied = [" copy", "-copy", "_copy", " - copy", " kopie", " - kopie", " copie"]

  /// - Parameter stem: The file's name without its extension.
  package init(stem: String) {
    root = stem.lowercased()
    // Each pass removes one addition. Names rarely have more than a few additions.
    for _ in 0..<4 {
      guard let (shorter, isEdit, isCopy) = Self.shortened(root), !shorter.isEmpty else { break }
      root = shorter
      isEdited = isEdited || isEdit
      self.isCopy = self.isCopy || isCopy
    }
    if let original = RenderNames.originalStem(ofRender: root.uppercased()) {
      (root, isEdited) = (original.lowercased(), true)
    }
  }

  private static func shortened(_ name: String) -> (String, isEdit: Bool, isCopy: Bool)? {
    func without(_ endings: [String]) -> String? {
      endings.first { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) }
    }
    if let rest = without(kinds) { return (rest, false, false) }
    if let rest = without(edited) { return (rest, true, false) }
    if let rest = without(copied) { return (rest, false, true) }
    if let rest = withoutCounter(name) { return (rest, false, true) }
    // The other half's name, including its extension, can be the stem of this name.
    let parts = RenderNames.Parts(name)
    return HalfKind(fileExtension: parts.fileExtension) == nil ? nil : (parts.stem, false, false)
  }

  /// Returns a name without the number that programs add if a name is taken: `(1)`, ` (1)`, ` 2`, `~2`.
  private static func withoutCounter(_ name: String) -> String? {
    if name.hasSuffix(")"), let bracket = name.lastIndex(of: "(") {
      let digits = name[name.index(after: bracket)...].dropLast()
      guard isCounter(digits) else { return nil }
      return String(name[..<bracket].reversed().drop { $0 == " " }.reversed())
    }
    guard let mark = name.lastIndex(where: { $0 == " " || $0 == "~" }),
      isCounter(name[name.index(after: mark)...])
    else { return nil }
    return String(name[..<mark])
  }

  private static func isCounter(_ text: Substring) -> Bool {
    1...3 ~= text.count && text.allSatisfy { $0.isASCII && $0.isNumber }
  }
}
