internal import CLinux
import EditModel
import FileSystem
internal import Glibc

/// Uses Landlock to restrict the files that the process may open. See landlock(7).
enum FileRules {
  /// A right to access files (linux/landlock.h), and the version of the Landlock interface that introduced this right.
  private struct Right {
    let bit: UInt64
    let version: Int

    init(_ place: UInt64, since version: Int = 1) { (bit, self.version) = (1 << place, version) }

    static let writeFile = Right(1)
    static let readFile = Right(2)
    static let readFolder = Right(3)
    static let removeFile = Right(5)
    static let makeFile = Right(8)
    static let truncate = Right(14, since: 3)

    /// All access rights: executing, writing, reading, listing, removing and creating files of every kind (0 to 12),
    /// moving files between folders, truncating files, and controlling devices.
    static let all = (0...12).map { Right($0) } + [Right(13, since: 2), truncate, Right(15, since: 5)]

    static func bits(_ rights: [Right], _ version: Int) -> UInt64 {
      rights.filter { $0.version <= version }.reduce(0) { $0 | $1.bit }
    }
  }

  /// Restricts the process to the files that it needs. The process also loses the right to use TCP connections (from
  /// interface version 4), and to use abstract sockets and send signals to other processes (from version 6).
  ///
  /// The corresponding system calls are `landlock_create_ruleset`, `landlock_add_rule` and `landlock_restrict_self`. No
  /// rules are added for missing files and folders, because they cannot be opened anyway.
  ///
  /// - Returns: The version of the Landlock interface, or 0 if the kernel lacks Landlock or has disabled it.
  /// - Throws: An error if the kernel supports Landlock but fails to apply the rules.
  static func restrict(to files: ConfinedFiles) throws(SystemError) -> Int {
    let version = Int(liveedit_landlock_version())
    guard version > 0 else { return 0 }
    var rules = liveedit_landlock_ruleset()
    rules.file_rights = Right.bits(Right.all, version)
    rules.network_rights = version >= 4 ? 0b11 : 0
    rules.scopes = version >= 6 ? 0b11 : 0
    let ruleset = liveedit_landlock_create(&rules)
    guard ruleset >= 0 else { throw SystemError(errno) }
    defer { close(ruleset) }
    // The C library reads the number of processors from this folder.
    let readFolders = files.readFolders + ["/sys/devices/system/cpu"]
    for path in files.read { allow([.readFile], at: path, isFolder: false, ruleset, version) }
    for path in readFolders { allow([.readFile, .readFolder], at: path, isFolder: true, ruleset, version) }
    for path in files.writtenFolders {
      allow(
        [.readFile, .writeFile, .makeFile, .removeFile, .truncate], at: path, isFolder: true, ruleset, version
      )
    }
    guard liveedit_landlock_restrict(ruleset) == 0 else { throw SystemError(errno) }
    return version
  }

  /// Adds a rule for a file or a folder. If a file is found where a folder is expected, or a folder where a file is
  /// expected, no rule is added.
  private static func allow(
    _ rights: [Right], at path: String, isFolder: Bool, _ ruleset: Int32, _ version: Int
  ) {
    guard let found = try? HeldFolder.find(path) else { return }
    defer { close(found) }
    var status = stat()
    guard fstat(found, &status) == 0, status.st_mode & S_IFMT == (isFolder ? S_IFDIR : S_IFREG) else {
      return
    }
    var rule = liveedit_landlock_rule(rights: Right.bits(rights, version), descriptor: found)
    _ = liveedit_landlock_add(ruleset, &rule)
  }
}
