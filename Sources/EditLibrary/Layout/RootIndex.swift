import FileSystem
import Synchronization

/// The roots of a library, found by their names and paths: however many there are, a folder asks for those at its own path and
/// above it alone.
final class RootIndex: Sendable {
  /// The list.
  let list: LibraryRoots
  private let byName: [String: Int]
  /// The names without their spelling: not every file system tells all names apart that another one does.
  private let taken: Set<String>
  /// The numbers of the roots at a path, by its bytes.
  private let byPath: [[UInt8]: [Int]]
  /// The numbers of the roots that are elsewhere than at their paths, by the bytes of where they are, and when they were asked.
  private let linked = Mutex<(time: Int, byPath: [[UInt8]: [Int]])?>(nil)

  /// The first number of names that begin alike which no root has, by their beginnings.
  private let numbers = Mutex<[String: Int]>([:])

  /// The seconds for which where links lead is remembered.
  private static let lasts = 10

  /// - Parameter list: the roots, as they are read from a file.
  init(_ list: LibraryRoots) {
    self.list = list
    byName = Dictionary(
      list.roots.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    taken = Set(list.roots.map { FileName.withoutSpelling($0.name) })
    byPath = Dictionary(grouping: list.roots.indices) { Array(list.roots[$0].path.utf8) }
  }

  /// The root of a name.
  func root(named name: some StringProtocol) -> LibraryRoot? {
    byName[String(name)].map { list.roots[$0] }
  }

  /// A name with a number, from 2 on.
  static func name(_ base: String, _ number: Int) -> String { number == 1 ? base : base + "-\(number)" }

  /// True if a root has a name, in whatever spelling.
  func isTaken(_ name: String) -> Bool { taken.contains(FileName.withoutSpelling(name)) }

  /// The first number with which a name is that of no root.
  func firstNumber(of base: String) -> Int {
    numbers.withLock { numbers in
      if let known = numbers[base] { return known }
      var number = 1
      while isTaken(Self.name(base, number)) { number += 1 }
      numbers[base] = number
      return number
    }
  }

  /// The roots that a folder is in, the innermost first.
  ///
  /// - Parameter folder: its absolute path without links.
  func roots(around folder: String) -> [LibraryRoot] { roots(around: folder, byPath) }

  /// The roots that a folder is in where links at their paths are followed: people may have put such into the list.
  ///
  /// - Parameters:
  ///   - folder: its absolute path without links.
  ///   - isNow: whether it is asked anew where the links lead, which is a question for each root. Otherwise what was found a
  ///     few seconds ago will do.
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
