import Basics
import EditModel
import FileSystem
import FoundationEssentials
import RenderClient
import Workflows

/// The effective settings. Each value comes from the environment, the configuration file or liveedit's defaults.
///
/// The configuration file, `config` in the user's configuration folder, contains a line `name = value` for each
/// setting. Lines that begin with `#` are comments. The environment overrides the configuration file, and options
/// override both.
struct Configuration {
  /// The source of a setting's value.
  enum Source: Hashable {
    /// liveedit's default, because the user has not set a value.
    case builtIn
    /// A line of the configuration file, numbered from 1.
    case file(line: Int)
    /// The setting's environment variable.
    case environment
  }

  private var values: [Setting: (text: String, source: Source)] = [:]

  private static let largest = 1 << 16
  private static let standardCache = 500
  private static let standardPreviews = 2000

  /// The path of the configuration file, which does not have to exist. The path is nil if the environment does not
  /// define a configuration folder.
  static var path: String? { UserFolder.configuration.path.map { $0 + "/config" } }

  /// Reads the configuration file and the environment.
  ///
  /// - Throws: ``EditError`` if the configuration file or the environment contains an invalid setting.
  init() throws(EditError) {
    if let path = Self.path { try read(path) }
    for setting in Setting.allCases {
      guard let value = ProcessInfo.processInfo.environment[setting.variable], !value.isEmpty else {
        continue
      }
      guard setting.takes(value) else {
        throw EditError(
          .invalidEdit, "the environment variable \(setting.variable) does not accept “\(value)”",
          remedy: "set it to \(setting.values), or unset it")
      }
      values[setting] = (value, .environment)
    }
  }

  private mutating func read(_ path: String) throws(EditError) {
    do {
      guard try FileStatus.ifAny(path) != nil else { return }
    } catch {
      // If the user does not have access to the folder, the configuration file is treated as missing.
      guard case .notPermitted = error else { throw EditError(reading: path, error) }
      return
    }
    let bytes = try whileReading(path) { try FileByteSource(path: path).bytes(atMost: Self.largest) }
    guard let bytes else {
      throw EditError(
        .invalidFile, file: path, "exceeds the 64 kB limit for configuration files",
        remedy: "shorten the file")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw EditError(
        .invalidFile, file: path, "must consist of lines “name = value”", remedy: "correct the file")
    }
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
      guard let name = parts.first, !name.isEmpty || parts.count > 1, !name.hasPrefix("#") else { continue }
      func refused(_ problem: Message, _ remedy: Message) -> EditError {
        EditError(.invalidFile, file: path, "line \(index + 1): \(problem)", remedy: remedy)
      }
      guard let setting = Setting(rawValue: name), parts.count == 2 else {
        let hint = Suggestion.sentence(for: name, among: Setting.words)
        throw refused(
          "“\(trimmed(line))” is not a setting\(hint)",
          "write name = value; liveedit config lists the settings")
      }
      guard setting.takes(parts[1]) else {
        throw refused("\(name) does not accept “\(parts[1])”", "set it to \(setting.values)")
      }
      guard values[setting] == nil else {
        throw refused("\(name) is set twice", "keep one of the lines")
      }
      values[setting] = (parts[1], .file(line: index + 1))
    }
  }

  private func trimmed(_ text: Substring) -> String {
    String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// Returns the value of a setting as text, together with the source of the value.
  func value(of setting: Setting) -> (text: String, source: Source) {
    if let known = values[setting] { return known }
    let text =
      switch setting {
      case .quality: RenderSettings.standard.quality.rawValue
      case .speed: RenderSettings.standard.speed.rawValue
      case .jobs: String(BatchRunner.bestJobs)
      case .cache: String(Self.standardCache)
      case .previews: String(Self.standardPreviews)
      case .limits: Setting.standardLimits
      case .sandbox: Setting.Sandbox.optional.rawValue
      }
    return (text, .builtIn)
  }

  private func number(_ setting: Setting) -> Int { Int(value(of: setting).text) ?? 0 }

  /// The default render settings, for renders without explicit settings.
  var renderSettings: RenderSettings {
    RenderSettings(
      quality: RenderSettings.Quality(rawValue: value(of: .quality).text) ?? RenderSettings.standard.quality,
      speed: RenderSettings.Speed(rawValue: value(of: .speed).text) ?? RenderSettings.standard.speed)
  }

  /// Applies the configured reading limits and the sandbox requirement to this process.
  func setLimits() {
    ReadingLimit.set(ReadingLimit.values(value(of: .limits).text) ?? [:])
    HelperRenderer.requiresSandbox = value(of: .sandbox).text == Setting.Sandbox.required.rawValue
  }

  /// The number of Live Photos that are processed in parallel.
  var jobs: Int { max(1, number(.jobs)) }

  /// The index cache; nil if the cache is turned off or if the environment does not define a cache folder.
  var cache: UserCache? {
    guard number(.cache) > 0, let folder = UserFolder.cache.path else { return nil }
    return UserCache(path: folder + "/index", limit: number(.cache) * 1_000_000)
  }

  /// The preview cache; nil if the environment does not define a cache folder.
  var previews: UserCache? {
    guard let folder = UserFolder.cache.path else { return nil }
    return UserCache(path: folder + "/previews", limit: number(.previews) * 1_000_000)
  }
}
