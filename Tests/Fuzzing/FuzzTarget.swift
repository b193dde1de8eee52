import Basics
import EditLibrary

/// A reader of the house under random input: what it takes, and what must hold whatever that is.
public struct FuzzTarget: Sendable {
  /// The name by which Tests/Long/damage/fuzz takes it, and of the folder of its findings.
  public let name: String
  /// Words that mean something to the reader, for the mutations.
  public let words: [String]
  /// Cuts inputs out of a file.
  let cut: @Sendable (_ name: String, _ bytes: [UInt8]) -> [[UInt8]]
  private let longestHole: Int
  private let body: @Sendable ([UInt8]) throws -> Void

  /// - Parameters:
  ///   - name: lower case.
  ///   - words: words that mean something to the reader.
  ///   - longestHole: the most bytes that the stretch has which inputs leave out, see ``HollowFile``; 0 where they are whole files.
  ///   - cut: cuts inputs out of a file; none where it has nothing for this reader.
  ///   - body: runs an input. Errors of the house's own types are answers.
  init(
    _ name: String, words: [String] = [], longestHole: Int = 0,
    seeds cut: @escaping @Sendable (_ name: String, _ bytes: [UInt8]) -> [[UInt8]],
    body: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    (self.name, self.words, self.longestHole, self.cut, self.body) = (name, words, longestHole, cut, body)
  }

  /// The most bytes of memory that an input may take: 64 MB, and eight times the file that it stands for.
  public func memory(of input: [UInt8]) -> Int {
    (64 << 20) + 8 * (longestHole > 0 ? HollowFile(input, longest: longestHole).count : input.count)
  }

  /// Runs an input. The process ends where a promise is broken.
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

  /// A target by its name.
  public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Runs something that may refuse its input: an error of the house's own types is an answer, every other one is a finding.
func answering(_ body: () throws -> Void) {
  do {
    try body()
  } catch {
    if error is MediaError || error is EditError || error is FilterError { return }
    broken("an error of the type \(type(of: error)) reached the caller: \(error)")
  }
}

/// Ends the process with a sentence when something does not hold.
func expect(_ holds: Bool, _ message: @autoclosure () -> String) {
  if !holds { broken(message()) }
}

/// Ends the process with a sentence about a broken promise.
func broken(_ message: String) -> Never { fatalError("broken promise: \(message)") }
