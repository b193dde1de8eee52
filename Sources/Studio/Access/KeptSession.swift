internal import Basics
internal import FileSystem
internal import FoundationEssentials
internal import Workflows

/// The port and the secrets of a server with a page, for the next one of the same folders should this one be killed: its
/// tabs then go on. They stand in a file for this user alone, which goes away when the server ends.
final class KeptSession {
  /// The parts of an address, and the secrets behind it.
  struct Session: Codable {
    /// The port.
    var port: UInt16
    /// The random path.
    var base: String
    /// The secret of the address.
    var token: String
    /// The secret in the cookie.
    var cookie: String
    /// The secret for changes.
    var key: String
  }

  /// The session of a server that was killed; nil where the last one ended well.
  let last: Session?

  private let folder: HeldFolder
  private let name: String
  /// Held as long as the server runs: a second server of the same folders has a session of its own.
  private let lock: FileLock

  /// - Parameters:
  ///   - options: what was asked for.
  ///   - roots: the paths of the folders that were named.
  /// - Returns: nil where there is no place for it, or another server has it.
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

  /// Writes the session down.
  func keep(_ session: Session) {
    guard let json = try? JSONEncoder().encode(session) else { return }
    _ = try? lock.record(String(decoding: json, as: UTF8.self))
  }

  /// Takes the file away: the secrets are good no longer.
  func remove() { _ = try? folder.remove(name) }
}
