import Basics
import EditLibrary

/// A fuzz target: one of the project's own readers, the inputs that it accepts, and the conditions that must hold for
/// every input.
public struct FuzzTarget: Sendable {
  /// The name of the target in Tests/Long/damage/fuzz, and of the folder of its findings.
  public let name: String
  /// Words that mean something to the reader, used by the mutations.
  public let words: [String]
  /// Extracts inputs from a file.
  let cut: @Sendable (_ name: String, _ bytes: [UInt8]) -> [[UInt8]]
  private let longestHole: Int
  private let body: @Sendable ([UInt8]) throws -> Void

  /// - Parameters:
  ///   - name: The name of the target in lower case.
  ///   - words: Words that mean something to the reader.
  ///   - longestHole: The maximum number of bytes in the stretch that inputs leave out (see ``HollowFile``), or 0 if
  ///     inputs are whole files.
  ///   - cut: Extracts inputs from a file. It returns none if the file contains nothing for this reader.
  ///   - body: Runs an input. Errors of the project's own types are valid outcomes.
  init(
    _ name: String, words: [String] = [], longestHole: Int = 0,
    seeds cut: @escaping @Sendable (_ name: String, _ bytes: [UInt8]) -> [[UInt8]],
    body: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    (self.name, self.words, self.longestHole, self.cut, self.body) = (name, words, longestHole, cut, body)
  }

  /// Returns the maximum memory in bytes that an input may use: 64 MB plus eight times the file that the input stands
  /// for.
  public func memory(of input: [UInt8]) -> Int {
    (64 << 20) + 8 * (longestHole > 0 ? HollowFile(input, longest: longestHole).count : input.count)
  }

  /// Runs an input. If a condition is violated, the process ends.
  public func run(_ input: [UInt8]) { answering { try body(input) } }
}

extension FuzzTarget {
  /// All targets.
  public static let all: [FuzzTarget] =
    [
      .quickTime, .heif, .jpeg, .png, .tiff, .xmp, .gpx, .propertyList, .adjustmentData, .preset, .cube,
      .filter,
      .job, .plan,
    ] + inner

  #if DEBUG || TESTABLE
    private static let inner: [FuzzTarget] = [.versionJSON, .catalogue, .index, .folderJSON, .http, .coded]
  #else
    private static let inner: [FuzzTarget] = []
  #endif

  /// Returns the target of a name.
  public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Runs code that may refuse its input. An error of the project's own types is a valid outcome; any other error is a
/// finding.
func answering(_ body: () throws -> Void) {
  do {
    try body()
  } catch {
    if error is MediaError || error is EditError || error is FilterError { return }
    broken("an error of the type \(type(of: error)) reached the caller: \(error)")
  }
}

/// Ends the process with a message if a condition does not hold.
func expect(_ holds: Bool, _ message: @autoclosure () -> String) {
  if !holds { broken(message()) }
}

/// Ends the process with a message about a violated condition.
func broken(_ message: String) -> Never { fatalError("broken promise: \(message)") }
