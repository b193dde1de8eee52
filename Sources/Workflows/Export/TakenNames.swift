import Basics
import EditLibrary

/// The names that the exports of one command have chosen, and what they found out on the way: where ten thousand assets
/// have one name, each goes on from the number that the one before it got.
package struct TakenNames: Sendable {
  /// Paths of files that are still to be made, and what else is to be left free for them.
  private var paths: Set<String> = []
  /// The first number that may be free, by the bytes of the paths without a number; nobody gets one below it.
  private var numbers: [[UInt8]: Int] = [:]
  /// The number of an `IMG_0001` from which on none above it is free, by the bytes of folders.
  private var cameraNumbers: [[UInt8]: Int] = [:]
  /// The stems in a folder in lower case, how many names it had, and how often they were asked for since.
  private var listings: [[UInt8]: (stems: Set<String>, names: Int, asked: Int)] = [:]
  /// The names of a folder that are read each time they are asked for, in the mean.
  private static let namesPerFile = 64

  /// No names.
  package init() {}

  /// True if a path is that of a file still to be made.
  func contains(_ path: String) -> Bool { paths.contains(path) }

  /// Leaves paths to files that are still to be made.
  mutating func add(_ added: [String]) { paths.formUnion(added) }

  private static func key(_ paths: [String]) -> [UInt8] {
    // No path holds a zero.
    Array(paths.joined(separator: "\0").utf8)
  }

  /// The first number that may be free for some files.
  ///
  /// - Parameter paths: theirs, without a number.
  func firstNumber(of paths: [String]) -> Int { numbers[Self.key(paths)] ?? 1 }

  /// Takes note that no number below one is free, whatever asset asks.
  mutating func pass(to number: Int, of paths: [String]) { numbers[Self.key(paths)] = number }

  /// The highest number of a camera's name that may be free in a folder; nil for all of them.
  func highestCameraNumber(in folder: String) -> Int? { cameraNumbers[Self.key([folder])] }

  /// Takes note that no number above one is free.
  mutating func pass(toCameraNumber number: Int, in folder: String) {
    cameraNumbers[Self.key([folder])] = number
  }

  /// The stems of the files in a folder in lower case. One of many files is not listed for each of thousands of assets, but again
  /// after as many as its names are worth: what this command puts there is among the paths.
  ///
  /// - Parameter list: lists the folder.
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
