import Basics
import FoundationEssentials

/// The data that an edit leaves behind so that it can be taken up again: PhotoKit's contract of a format, its
/// version, and data that only this format understands.
public struct AdjustmentData: Hashable, Sendable {
  /// The format's name in reverse DNS form.
  public var formatIdentifier: String
  /// The format's version.
  public var formatVersion: String
  /// The format's own data, opaque to all others.
  public var data: Data

  /// The name of liveedit's own format.
  public static let ownFormatIdentifier = "org.liveedit.edit"

  /// The version of liveedit's own format that holds an edit: the oldest one that knows all of its parts, so
  /// that programs that do not know them take the data as foreign and drop nothing.
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
  ///   - formatIdentifier: the format's name.
  ///   - formatVersion: the format's version.
  ///   - data: what the format says.
  public init(formatIdentifier: String, formatVersion: String, data: Data) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.data = data
  }

  /// Writes an edit and how it is rendered in liveedit's own format: canonical JSON in which whatever is
  /// neutral is left out.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - settings: how it is rendered.
  ///   - isAdopted: true if another program made the photo, and the edit is what was found of it: only the movie is
  ///     rendered by it.
  public init(edit: Edit, settings: RenderSettings, isAdopted: Bool = false) {
    self.init(
      edit: edit, settings: settings, process: edit.isIdentity && !isAdopted ? nil : Edit.process,
      isAdopted: isAdopted)
  }

  /// - Parameter process: the number of the formulas; nil for edits that say none, as older ones do.
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

  /// True if liveedit wrote this data, in whatever version.
  public var isOwn: Bool { formatIdentifier == Self.ownFormatIdentifier }

  /// True if ``decoded()`` understands every word of this data.
  public var canHandle: Bool { decoded() != nil }

  /// True if this is liveedit's data of an edit that it found in another program's photo: see
  /// ``init(edit:settings:isAdopted:)``.
  public var isAdopted: Bool {
    isOwn && data.count <= Self.largestData
      && JSONValue(json: Array(data))?["adopted"] == .boolean(true)
  }

  /// Reads data in liveedit's own format.
  ///
  /// Strict: the data must be, byte for byte, what this build would write for the values found in it. A
  /// field of a later version is therefore never dropped in silence.
  ///
  /// - Returns: nil for data of another format or version, or with anything unknown in it.
  public func decoded() -> (edit: Edit, settings: RenderSettings)? {
    guard isOwn, data.count <= Self.largestData, let fields = JSONValue(json: Array(data)),
      let edit = fields["edit"].map({ try? Edit(stored: $0) }) ?? .identity
    else { return nil }
    let settings = RenderSettings(stored: fields["settings"])
    let process: Int?
    switch fields["process"] {
    case nil: process = nil
    // One of a later build has formulas that this one does not know.
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

  /// The largest edit holds a look with 65536 samples a curve and 65 an axis: 2.7 million characters.
  private static let largestData = 4 << 20
}

extension RenderSettings {
  /// The settings that are not standard, by name.
  package var canonicalJSON: JSONValue {
    var members: [String: JSONValue] = [:]
    if let videoCodec { members["videoCodec"] = .string(videoCodec.rawValue) }
    if quality != Self.standard.quality { members["quality"] = .string(quality.rawValue) }
    if speed != Self.standard.speed { members["speed"] = .string(speed.rawValue) }
    if isLossless { members["lossless"] = .boolean(true) }
    if photoFormat != Self.standard.photoFormat { members["photoFormat"] = .string(photoFormat.rawValue) }
    return .object(members)
  }

  /// Reads what ``canonicalJSON`` writes; whatever is not known is standard.
  init(stored value: JSONValue?) {
    self = .standard
    videoCodec = value?["videoCodec"]?.text.flatMap(VideoCodec.init(rawValue:))
    quality = value?["quality"]?.text.flatMap(Quality.init(rawValue:)) ?? quality
    speed = value?["speed"]?.text.flatMap(Speed.init(rawValue:)) ?? speed
    isLossless = value?["lossless"] == .boolean(true)
    photoFormat = value?["photoFormat"]?.text.flatMap(PhotoFormat.init(rawValue:)) ?? photoFormat
  }
}
