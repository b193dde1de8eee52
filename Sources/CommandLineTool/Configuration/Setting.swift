import Basics
import EditModel

/// A setting whose value applies unless an option overrides the setting. Settings are stored in the configuration file
/// or in environment variables.
enum Setting: String, CaseIterable {
  /// The default quality of renders.
  case quality
  /// The default encoding speed of renders.
  case speed
  /// The number of Live Photos that are processed in parallel.
  case jobs
  /// The maximum size of the cache in megabytes; 0 turns the cache off.
  case cache
  /// The maximum size, in megabytes, of the previews that `studio` and `serve` store.
  case previews
  /// The reading limits that differ from the defaults.
  case limits
  /// Whether files are opened if the system supports only a part of the render helper's sandbox.
  case sandbox

  /// The name of the setting's environment variable.
  var variable: String { "LIVEEDIT_" + rawValue.uppercased() }

  /// The words that the setting accepts; empty if the setting accepts an integer.
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
    /// Files are opened only if the sandbox is complete.
    case required
  }

  /// The value of ``limits`` that selects the default for all limits.
  static let standardLimits = "standard"

  /// Returns whether the setting accepts a value.
  func takes(_ value: String) -> Bool {
    if self == .limits { return value == Self.standardLimits || ReadingLimit.values(value) != nil }
    return words.isEmpty ? Int(value).map(range.contains) ?? false : words.contains(value)
  }
}
