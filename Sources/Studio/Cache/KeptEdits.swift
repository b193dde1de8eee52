internal import Synchronization

/// Edits that are too long for an address, such as those with a table of colours, kept for a while under short names.
final class KeptEdits: Sendable {
  private let edits = Mutex<[(name: String, json: String)]>([])
  /// The number of edits that are kept; each is no longer than a body may be.
  private static let most = 16

  /// Keeps the JSON of an edit.
  ///
  /// - Returns: its name, which is the same for the same edit as long as it is kept.
  func keep(_ json: String) -> String {
    edits.withLock { edits in
      if let index = edits.firstIndex(where: { $0.json == json }) {
        let known = edits.remove(at: index)
        edits.append(known)
        return known.name
      }
      let name = String(Secret().text.prefix(12))
      edits.append((name, json))
      if edits.count > Self.most { edits.removeFirst() }
      return name
    }
  }

  /// The JSON of an edit; nil where it is forgotten.
  subscript(name: String) -> String? { edits.withLock { edits in edits.first { $0.name == name }?.json } }
}
