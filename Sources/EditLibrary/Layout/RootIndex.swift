import FileSystem
import Synchronization

/// An index of a library's roots by name and path. The cost of a lookup does not depend on the number of roots, because
/// a folder is compared only with the roots at its own path and at its parents' paths.
final class RootIndex: Sendable {
  /// The list of roots.
  let list: LibraryRoots
  private let byName: [String: Int]
  /// The roots' names, normalised to remove differences in spelling, because some file systems ignore such differences.
  private let taken: Set<String>
  /// The indices of the roots at each path, keyed by the bytes of the path.
  private let byPath: [[UInt8]: [Int]]
  /// The indices of the roots whose paths contain symbolic links, keyed by the bytes of the resolved path, and the time
  /// at which the links were resolved.
  private let linked = Mutex<(time: Int, byPath: [[UInt8]: [Int]])?>(nil)

  /// The first number that makes a name unique, keyed by the beginning of the name.
  private let numbers = Mutex<[String: Int]>([:])

  /// The number of seconds for which resolved symbolic links are remembered.
  private static let lasts = 10

  /// Creates an index of roots.
  ///
  /// - Parameter list: The roots as they were read from a file.
  init(_ list: LibraryRoots) {
    self.list = list
    byName = Dictionary(
      list.roots.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    taken = Set(list.roots.map { FileName.withoutSpelling($0.name) })
    byPath = Dictionary(grouping: list.roots.indices) { Array(list.roots[$0].path.utf8) }
  }

  /// Returns the root with the given name.
  func root(named name: some StringProtocol) -> LibraryRoot? {
    byName[String(name)].map { list.roots[$0] }
  }

  /// Returns a name with a number appended, if the number is greater than 1.
  static func name(_ base: String, _ number: Int) -> String { number == 1 ? base : base + "-\(number)" }

  /// Whether a root has the given name, ignoring differences in spelling.
  func isTaken(_ name: String) -> Bool { taken.contains(FileName.withoutSpelling(name)) }

  /// Returns the first number that makes a name unique when appended.
  func firstNumber(of base: String) -> Int {
    numbers.withLock { numbers in
      if let known = numbers[base] { return known }
      var number = 1
      while isTaken(Self.name(base, number)) { number += 1 }
      numbers[base] = number
      return number
    }
  }

  /// Returns the roots that contain a folder, the innermost first.
  ///
  /// - Parameter folder: The folder's absolute path, with all symbolic links resolved.
  func roots(around folder: String) -> [LibraryRoot] { roots(around: folder, byPath) }

  /// Returns the roots that contain a folder once the symbolic links in the roots' paths are resolved. Users may have
  /// added paths with symbolic links to the list.
  ///
  /// - Parameters:
  ///   - folder: The folder's absolute path, with all symbolic links resolved.
  ///   - isNow: Whether to resolve all symbolic links again, which needs a system call for each root. Otherwise a
  ///     result from a few seconds ago is used.
  func linkedRoots(around folder: String, isNow: Bool) -> [LibraryRoot] {
    let known = linked.withLock { linked in
      if let linked, !isNow, HostSystem.uptime - linked.time < Self.lasts { return linked.byPath }
      let found = followLinks()
      linked = (HostSystem.uptime, found)
      return found
    }
    return roots(around: folder, known)
  }

  private func followLinks() -> [[UInt8]: [Int]] {
    var found: [[UInt8]: [Int]] = [:]
    for (index, root) in list.roots.enumerated() {
      guard let path = try? HeldFolder(path: root.path).realPath, !path.elementsEqual(root.path.utf8) else {
        continue
      }
      found[path, default: []].append(index)
    }
    return found
  }

  private func roots(around folder: String, _ places: [[UInt8]: [Int]]) -> [LibraryRoot] {
    if places.isEmpty { return [] }
    let bytes = Array(folder.utf8)
    var ends = bytes.indices.dropFirst().filter { bytes[$0] == 0x2F }
    if bytes.count > 1 { ends.append(bytes.count) }
    var found: [LibraryRoot] = []
    for end in ends.reversed() + [1] {
      let path = Array(bytes.prefix(end))
      for index in places[path] ?? [] {
        found.append(LibraryRoot(name: list.roots[index].name, path: String(decoding: path, as: UTF8.self)))
      }
    }
    return found
  }
}
