import Basics
import EditLibrary

/// The names that the exports of one command have chosen, and the numbers that are known to be taken. If ten thousand
/// assets have the same name, the search for a free number continues from the previous asset's number.
package struct TakenNames: Sendable {
  /// The paths of files that will be made, and further paths that must stay free.
  private var paths: Set<String> = []
  /// The lowest number that may be free, keyed by the bytes of the paths without a number.
  private var numbers: [[UInt8]: Int] = [:]
  /// The highest camera number (such as 1 in `IMG_0001`) that may be free, by the bytes of the folder's path.
  private var cameraNumbers: [[UInt8]: Int] = [:]
  /// For each folder: its stems in lower case, its number of names, and the number of requests since it was listed.
  private var listings: [[UInt8]: (stems: Set<String>, names: Int, asked: Int)] = [:]
  /// The average number of names that may be read from a folder for each request.
  private static let namesPerFile = 64

  /// Creates an empty collection of names.
  package init() {}

  /// Returns whether a path is reserved for a file that will be made.
  func contains(_ path: String) -> Bool { paths.contains(path) }

  /// Reserves paths for files that will be made.
  mutating func add(_ added: [String]) { paths.formUnion(added) }

  private static func key(_ paths: [String]) -> [UInt8] {
    // A path cannot contain a null byte.
    Array(paths.joined(separator: "\0").utf8)
  }

  /// Returns the lowest number that may be free for a group of files.
  ///
  /// - Parameter paths: The paths of the files, without a number.
  func firstNumber(of paths: [String]) -> Int { numbers[Self.key(paths)] ?? 1 }

  /// Records that no lower number is free for any asset.
  mutating func pass(to number: Int, of paths: [String]) { numbers[Self.key(paths)] = number }

  /// Returns the highest camera number that may be free in a folder, or nil if any number may be free.
  func highestCameraNumber(in folder: String) -> Int? { cameraNumbers[Self.key([folder])] }

  /// Records that no higher number is free.
  mutating func pass(toCameraNumber number: Int, in folder: String) {
    cameraNumbers[Self.key([folder])] = number
  }

  /// Returns the stems of the files in a folder in lower case. A large folder is not listed again for each asset, but
  /// only after a number of requests that is proportional to its size. New files of this command are tracked
  /// separately.
  ///
  /// - Parameter list: Lists the folder.
  mutating func stems(
    in folder: String, _ list: () throws(EditError) -> [String]
  ) throws(EditError) -> Set<String> {
    let key = Self.key([folder])
    if let known = listings[key], (known.asked + 1) * Self.namesPerFile <= known.names {
      listings[key]?.asked += 1
      return known.stems
    }
    let names = try list()
    let stems = Set(names.map { RenderNames.Parts($0).stem.lowercased() })
    listings[key] = (stems, names.count, 0)
    return stems
  }
}
