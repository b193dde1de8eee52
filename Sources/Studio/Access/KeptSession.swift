internal import Basics
internal import FileSystem
internal import FoundationEssentials
internal import Workflows

/// The port and the secrets of a server with a page. If the server is killed, the next server for the same folders
/// reuses the port and the secrets, so that open tabs continue to work. The session is stored in a file that only this
/// user can read. The file is removed when the server stops.
final class KeptSession {
  /// The parts of an address, and the secrets of the session.
  struct Session: Codable {
    /// The port of the server.
    var port: UInt16
    /// The random path.
    var base: String
    /// The secret in the address.
    var token: String
    /// The secret in the cookie.
    var cookie: String
    /// The secret for changes.
    var key: String
  }

  /// The session of a server that was killed; nil if the previous server stopped normally.
  let last: Session?

  private let folder: HeldFolder
  private let name: String
  /// A lock that is held while the server runs. A second server for the same folders gets its own session.
  private let lock: FileLock

  /// - Parameters:
  ///   - options: The server options.
  ///   - roots: The paths of the folders that the user named.
  /// - Returns: Nil if no runtime folder is available, or if another server is using the session.
  init?(_ options: ServerOptions, of roots: [String]) {
    let words = [options.address, "\(options.isRecursive)", options.library ?? ""] + roots
    name =
      "liveedit-studio-\(IndexedAsset.opaqueIdentifier(name: words.joined(separator: "\n"), in: "session")).json"
    guard options.hasPage, let path = RuntimeFolder.path, let folder = try? HeldFolder(path: path),
      case .locked(let lock)? = try? FileLock.attempt(name, in: folder, creating: true),
      (try? folder.setPermissions(0o600, of: name)) != nil
    else { return nil }
    (self.folder, self.lock) = (folder, lock)
    let bytes = (try? folder.bytes(of: name, atMost: 4096)) ?? nil
    last = bytes.flatMap { try? JSONText.decode(Session.self, from: $0) }
  }

  /// Writes the session to the file.
  func keep(_ session: Session) {
    guard let json = try? JSONEncoder().encode(session) else { return }
    _ = try? lock.record(String(decoding: json, as: UTF8.self))
  }

  /// Removes the file, because its secrets are no longer valid.
  func remove() { _ = try? folder.remove(name) }
}
