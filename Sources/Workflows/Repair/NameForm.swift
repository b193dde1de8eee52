import EditLibrary
import EditModel

/// The origin of a file by its name: the name that a camera gave it, and what programs added.
///
/// `IMG_0001_HEVC.MOV`, `IMG_0001 (1).JPG`, `IMG_0001-edited.jpg`, `IMG_E0001.JPG` and `IMG_0001.HEIC.MOV` all come from
/// `IMG_0001`. A name proves nothing: it says only which files to compare.
package struct NameForm: Hashable, Sendable {
  /// The camera's name in lower case, without an extension.
  package private(set) var root: String
  /// True if an addition says that the file was edited.
  package private(set) var isEdited = false
  /// True if an addition says that the file is one of several copies.
  package private(set) var isCopy = false

  /// The additions of programs that export or convert movies: icloudpd among them.
  private static let kinds = ["_hevc", "_live", "-live", "_video", "-video"]
  /// The words that Google Takeout adds to edited photos, in its languages, and other programs to theirs.
  private static let edited = [
    "-edited", "_edited", "-bearbeitet", "-modifié", "-editado", "-editada", "-bewerkt", "-modificato",
    "-edytowane", "-редактировано", "-編集済み", "-已修改",
  ]
  private static let copied = [" copy", "-copy", "_copy", " - copy", " kopie", " - kopie", " copie"]

  /// - Parameter stem: a file's name without its extension.
  package init(stem: String) {
    root = stem.lowercased()
    // Each round takes one addition away; names are short, and nobody adds more than a few.
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
    // The name of one half with its extension, as the stem of the other.
    let parts = RenderNames.Parts(name)
    return HalfKind(fileExtension: parts.fileExtension) == nil ? nil : (parts.stem, false, false)
  }

  /// A name without the number that programs give to what has a name already: `(1)`, ` (1)`, ` 2`, `~2`.
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
