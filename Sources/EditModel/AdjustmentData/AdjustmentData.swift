import Basics
import FoundationEssentials

/// The stored description of an edit, from which the edit can be resumed. As in PhotoKit, adjustment data consists of a
/// format's name, the format's version, and data that only programs with support for this format can read.
public struct AdjustmentData: Hashable, Sendable {
  /// The format's name in reverse DNS form.
  public var formatIdentifier: String
  /// The format's version.
  public var formatVersion: String
  /// The data in this format, opaque to programs that do not support the format.
  public var data: Data

  /// The name of liveedit's own format.
  public static let ownFormatIdentifier = "org.liveedit.edit"

  /// Returns the version of liveedit's own format for an edit. This version is the oldest that supports all parts of
  /// the edit. Older programs then treat the data as a foreign format, instead of dropping the parts that they do not
  /// support.
  private static func ownFormatVersion(of edit: Edit, _ process: Int?, isAdopted: Bool) -> String {
    if edit.look?.isWide ?? false { return "1.7" }
    if !edit.facts.isNeutral { return "1.6" }
    if isAdopted { return "1.5" }
    if process != nil { return "1.4" }
    if !edit.motion.isNeutral { return "1.3" }
    if !edit.geometry.isNeutral { return "1.2" }
    if edit.adjustments.changed.contains(where: { EditPart.spatial.contains($0.description.group) }) {
      return "1.2"
    }
    return edit.keepsColors ? "1.0" : "1.1"
  }

  /// - Parameters:
  ///   - formatIdentifier: The format's name.
  ///   - formatVersion: The format's version.
  ///   - data: The data in the format.
  public init(formatIdentifier: String, formatVersion: String, data: Data) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.data = data
  }

  /// Creates adjustment data in liveedit's own format from an edit and its render settings: canonical JSON without
  /// neutral values.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - settings: The render settings.
  ///   - isAdopted: Whether the photo was made by another program and the edit was derived from that photo. In that
  ///     case, only the movie is rendered from the edit.
  public init(edit: Edit, settings: RenderSettings, isAdopted: Bool = false) {
    self.init(
      edit: edit, settings: settings, process: edit.isIdentity && !isAdopted ? nil : Edit.process,
      isAdopted: isAdopted)
  }

  /// - Parameter process: The version number of the formulas; nil for an edit without such a number, as written by
  ///   older versions.
  init(edit: Edit, settings: RenderSettings, process: Int?, isAdopted: Bool = false) {
    var members: [String: JSONValue] = [:]
    if isAdopted { members["adopted"] = .boolean(true) }
    if !edit.isIdentity { members["edit"] = edit.canonicalJSON }
    if let process { members["process"] = .integer(process) }
    if settings != .standard { members["settings"] = settings.canonicalJSON }
    self.init(
      formatIdentifier: Self.ownFormatIdentifier,
      formatVersion: Self.ownFormatVersion(of: edit, process, isAdopted: isAdopted),
      data: Data(JSONValue.object(members).canonicalBytes))
  }

  /// Whether this data is in liveedit's own format, in any version.
  public var isOwn: Bool { formatIdentifier == Self.ownFormatIdentifier }

  /// Whether ``decoded()`` can read this data completely.
  public var canHandle: Bool { decoded() != nil }

  /// Whether this is liveedit's own data for an edit that was found in another program's photo; see
  /// ``init(edit:settings:isAdopted:)``.
  public var isAdopted: Bool {
    isOwn && data.count <= Self.largestData
      && JSONValue(json: Array(data))?["adopted"] == .boolean(true)
  }

  /// Reads data in liveedit's own format.
  ///
  /// Reading is strict: the data must equal, byte for byte, what this build would write for the decoded values. A field
  /// from a later version is therefore never dropped silently.
  ///
  /// - Returns: The edit and its settings; nil if the data has another format or version, or contains unknown fields or
  ///   values.
  public func decoded() -> (edit: Edit, settings: RenderSettings)? {
    guard isOwn, data.count <= Self.largestData, let fields = JSONValue(json: Array(data)),
      let edit = fields["edit"].map({ try? Edit(stored: $0) }) ?? .identity
    else { return nil }
    let settings = RenderSettings(stored: fields["settings"])
    let process: Int?
    switch fields["process"] {
    case nil: process = nil
    // A later build may use formulas that this build does not include.
    case .integer(let number)? where 1...Edit.process ~= number: process = Int(number)
    default: return nil
    }
    let isAdopted = fields["adopted"] == .boolean(true)
    guard AdjustmentData(edit: edit, settings: settings, process: process, isAdopted: isAdopted) == self
    else {
      return nil
    }
    return (edit, settings)
  }

  /// The maximum size of the data in bytes. The largest possible edit contains a look with 65536 samples per curve and
  /// 65 samples per axis of its lattice: 2.7 million characters.
  private static let largestData = 4 << 20
}

extension RenderSettings {
  /// The settings that differ from the standard settings, by name.
  package var canonicalJSON: JSONValue {
    var members: [String: JSONValue] = [:]
    if let videoCodec { members["videoCodec"] = .string(videoCodec.rawValue) }
    if quality != Self.standard.quality { members["quality"] = .string(quality.rawValue) }
    if speed != Self.standard.speed { members["speed"] = .string(speed.rawValue) }
    if isLossless { members["lossless"] = .boolean(true) }
    if photoFormat != Self.standard.photoFormat { members["photoFormat"] = .string(photoFormat.rawValue) }
    return .object(members)
  }

  /// Reads the output of ``canonicalJSON``. Unknown values are replaced with the standard values.
  init(stored value: JSONValue?) {
    self = .standard
    videoCodec = value?["videoCodec"]?.text.flatMap(VideoCodec.init(rawValue:))
    quality = value?["quality"]?.text.flatMap(Quality.init(rawValue:)) ?? quality
    speed = value?["speed"]?.text.flatMap(Speed.init(rawValue:)) ?? speed
    isLossless = value?["lossless"] == .boolean(true)
    photoFormat = value?["photoFormat"]?.text.flatMap(PhotoFormat.init(rawValue:)) ?? photoFormat
  }
}
