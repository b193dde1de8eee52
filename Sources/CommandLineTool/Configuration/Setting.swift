import Basics
import EditModel

/// A setting whose value applies unless an option overrides it. Settings are stored in the configuration file or in
/// environment variables.
enum Setting: String, CaseIterable {
  /// The default quality of renders.
  case quality
  /// The default encoding speed of renders.
  case speed
  /// The number of Live Photos that are processed in parallel.
  case jobs
  /// The maximum size of the cache in megabytes, or 0 for no cache.
  case cache
  /// The maximum size of the previews of `studio` and `serve` in megabytes.
  case previews
  /// The reading limits that differ from the defaults.
  case limits
  /// Whether files are opened if the system does not support the complete sandbox of the render helper.
  case sandbox

  /// The name of the environment variable.
  var variable: String { "LIVEEDIT_" + rawValue.uppercased() }

  /// The words that the setting accepts; empty if it accepts an integer.
  private var words: [String] {
    switch self {
    case .quality: RenderSettings.Quality.words
    case .speed: RenderSettings.Speed.words
    case .sandbox: Sandbox.allCases.map(\.rawValue)
    case .jobs, .cache, .previews, .limits: []
    }
  }

  /// The range of integers that the setting accepts.
  private var range: ClosedRange<Int> {
    switch self {
    case .jobs: 1...999
    case .previews: 10...1_000_000
    default: 0...1_000_000
    }
  }

  /// The accepted values, as text for the user.
  var values: Message {
    if self == .limits { return "“standard”, or NAME=NUMBER,… as described in Limits.md" }
    return words.isEmpty
      ? "a whole number from \(range.lowerBound) to \(range.upperBound)" : words.alternatives
  }

  /// The values of ``sandbox``.
  enum Sandbox: String, CaseIterable {
    /// Files are opened even if the sandbox is incomplete.
    case optional
    /// Files are only opened if the sandbox is complete.
    case required
  }

  /// The value of ``limits`` that selects all default limits.
  static let standardLimits = "standard"

  /// Returns whether the setting accepts a value.
  func takes(_ value: String) -> Bool {
    if self == .limits { return value == Self.standardLimits || ReadingLimit.values(value) != nil }
    return words.isEmpty ? Int(value).map(range.contains) ?? false : words.contains(value)
  }
}
