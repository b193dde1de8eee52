import Basics
import EditModel

/// A value that holds where no option says otherwise: set in the configuration file or by a variable of the environment.
enum Setting: String, CaseIterable {
  /// The quality of renders that nobody chose one for.
  case quality
  /// The speed of renders that nobody chose one for.
  case speed
  /// The number of Live Photos that are worked on at a time.
  case jobs
  /// The size of the cache in megabytes; 0 for none.
  case cache
  /// The size of the previews of `studio` and `serve` in megabytes.
  case previews
  /// The limits of what is read that are not the usual ones.
  case limits
  /// Whether files are opened where the system lacks a part of the helper's sandbox.
  case sandbox

  /// The variable of the environment.
  var variable: String { "LIVEEDIT_" + rawValue.uppercased() }

  /// The words that it takes; none where it takes a whole number.
  private var words: [String] {
    switch self {
    case .quality: RenderSettings.Quality.words
    case .speed: RenderSettings.Speed.words
    case .sandbox: Sandbox.allCases.map(\.rawValue)
    case .jobs, .cache, .previews, .limits: []
    }
  }

  /// The whole numbers that it takes.
  private var range: ClosedRange<Int> {
    switch self {
    case .jobs: 1...999
    case .previews: 10...1_000_000
    default: 0...1_000_000
    }
  }

  /// The values that it takes, as people read them.
  var values: Message {
    if self == .limits { return "“standard”, or NAME=NUMBER,… as in Limits.md" }
    return words.isEmpty
      ? "a whole number from \(range.lowerBound) to \(range.upperBound)" : words.alternatives
  }

  /// The values of ``sandbox``.
  enum Sandbox: String, CaseIterable {
    /// Files are opened all the same.
    case optional
    /// Files are not opened.
    case required
  }

  /// The value of ``limits`` by which all are the usual ones.
  static let standardLimits = "standard"

  /// True if it takes a value.
  func takes(_ value: String) -> Bool {
    if self == .limits { return value == Self.standardLimits || ReadingLimit.values(value) != nil }
    return words.isEmpty ? Int(value).map(range.contains) ?? false : words.contains(value)
  }
}
