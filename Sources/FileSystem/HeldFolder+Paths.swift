extension HeldFolder {
  /// The beginning of the names of liveedit's own folders.
  package static let ownPrefix = ".liveedit"

  /// Opens the folder from which on a path is walked without following links: the one that holds the first of
  /// liveedit's own folders on the way, or else the last folder of the path.
  ///
  /// - Returns: the folder, and the rest of the path.
  package static func leading(to path: String) throws(SystemError) -> (folder: HeldFolder, place: String) {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)[...]
    var place: [Substring] = []
    while parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
    let own = parts.dropLast().firstIndex { $0.hasPrefix(ownPrefix) } ?? parts.endIndex - 1
    place = parts[own...].filter { !$0.isEmpty && $0 != "." }
    parts = parts[..<own]
    // An empty first part stands for the root.
    let folder = parts.count == 1 && parts.first == "" ? "/" : parts.joined(separator: "/")
    return (try HeldFolder(path: folder), place.joined(separator: "/"))
  }
}
