import Basics
import EditModel
import FileSystem
import FoundationEssentials
import RenderClient
import Workflows

/// The settings in force, each from the environment, from the configuration file, or liveedit's own.
///
/// The file, `config` in the user's configuration folder, has a line `name = value` for each setting; a line that begins
/// with `#` says nothing. The environment counts before the file, and options count before both.
struct Configuration {
  /// The place that a value comes from.
  enum Source: Hashable {
    /// Nobody set it.
    case builtIn
    /// A line of the file, from 1 on.
    case file(line: Int)
    /// The variable of the environment.
    case environment
  }

  private var values: [Setting: (text: String, source: Source)] = [:]

  private static let largest = 1 << 16
  private static let standardCache = 500
  private static let standardPreviews = 2000

  /// The path of the file, which need not exist; nil where the environment names no folder for it.
  static var path: String? { UserFolder.configuration.path.map { $0 + "/config" } }

  /// Reads the file and the environment.
  ///
  /// - Throws: ``EditError`` when one of them sets what cannot be set.
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
      // In a folder that this user may not look into there is none.
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

  /// The value of a setting as it is written, and where it comes from.
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

  /// The settings of renders that nobody chose any for.
  var renderSettings: RenderSettings {
    RenderSettings(
      quality: RenderSettings.Quality(rawValue: value(of: .quality).text) ?? RenderSettings.standard.quality,
      speed: RenderSettings.Speed(rawValue: value(of: .speed).text) ?? RenderSettings.standard.speed)
  }

  /// Lets the limits of what is read, and what is asked of the helper's sandbox, hold from now on.
  func setLimits() {
    ReadingLimit.set(ReadingLimit.values(value(of: .limits).text) ?? [:])
    HelperRenderer.requiresSandbox = value(of: .sandbox).text == Setting.Sandbox.required.rawValue
  }

  /// The number of Live Photos that are worked on at a time.
  var jobs: Int { max(1, number(.jobs)) }

  /// The cache; nil where there is to be none, or the environment names no folder for it.
  var cache: UserCache? {
    guard number(.cache) > 0, let folder = UserFolder.cache.path else { return nil }
    return UserCache(path: folder + "/index", limit: number(.cache) * 1_000_000)
  }

  /// The previews; nil where the environment names no folder for them.
  var previews: UserCache? {
    guard let folder = UserFolder.cache.path else { return nil }
    return UserCache(path: folder + "/previews", limit: number(.previews) * 1_000_000)
  }
}
