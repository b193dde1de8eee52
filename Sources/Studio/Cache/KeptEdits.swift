internal import Synchronization

/// A temporary store for edits that are too long for an address, such as edits with a colour table. Each edit gets a
/// short name.
final class KeptEdits: Sendable {
  private let edits = Mutex<[(name: String, json: String)]>([])
  /// The maximum number of stored edits. Each edit is no longer than the maximum size of a request body.
  private static let most = 16

  /// Stores the JSON of an edit.
  ///
  /// - Returns: The name of the edit. An edit that is still stored keeps its name.
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

  /// Returns the JSON of an edit; nil if the edit is no longer stored.
  subscript(name: String) -> String? { edits.withLock { edits in edits.first { $0.name == name }?.json } }
}
