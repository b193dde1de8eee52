import Basics
import FoundationEssentials

/// A partial edit with a name and a purpose, to be applied to many assets.
///
/// A preset is stored as a JSON file with the members `formatIdentifier`, `formatVersion`, `summary`, `process` and
/// `edit`. The member `edit` has the same members as a stored ``Edit``. The preset's name is the file name without
/// `.json`.
public struct Preset: Hashable, Sendable {
  /// The name of the preset file format.
  public static let formatIdentifier = "org.liveedit.preset"
  /// The latest version of the format, used for presets whose look produces colours outside sRGB.
  public static let formatVersion = "1.1"
  /// The format version of all other presets.
  private static let firstVersion = "1.0"

  /// The name of the preset.
  public var name: String
  /// The purpose of the preset, in one line.
  public var summary: String
  /// The settings of the preset.
  public var edit: PartialEdit

  /// - Parameters:
  ///   - name: The name of the preset.
  ///   - summary: The purpose of the preset, in one line.
  ///   - edit: The settings of the preset.
  public init(name: String, summary: String, edit: PartialEdit) {
    self.name = name
    self.summary = summary
    self.edit = edit
  }

  /// The format version for this preset: the oldest version that supports all parts of the preset.
  private var formatVersion: String {
    edit.look?.isWide ?? false ? Self.formatVersion : Self.firstVersion
  }

  /// The content of the preset's file.
  package var json: [UInt8] {
    let members: [String: JSONValue] = [
      "formatIdentifier": .string(Self.formatIdentifier), "formatVersion": .string(formatVersion),
      "summary": .string(summary), "process": .integer(Edit.process), "edit": edit.canonicalJSON,
    ]
    return JSONValue.object(members).canonicalBytes + [UInt8(ascii: "\n")]
  }

  /// Reads a preset file.
  ///
  /// - Parameters:
  ///   - json: The content of the file.
  ///   - name: The name of the preset.
  /// - Throws: ``MediaError`` if the file is not a preset, has a later version, or contains unknown or invalid parts.
  package init(json: [UInt8], name: String) throws(MediaError) {
    guard case .object(let members)? = JSONValue(json: json),
      members["formatIdentifier"]?.text == Self.formatIdentifier,
      let version = members["formatVersion"]?.text
    else {
      throw MediaError(
        "it is not a liveedit preset", remedy: "name a file that liveedit preset save wrote")
    }
    guard [Self.firstVersion, Self.formatVersion].contains(version) else {
      throw MediaError(
        "its preset version is \(version), but this liveedit supports version \(Self.formatVersion)",
        remedy: "update liveedit", isUnsupported: true)
    }
    let known = ["formatIdentifier", "formatVersion", "summary", "process", "edit"]
    if let other = members.keys.sorted().first(where: { !known.contains($0) }) {
      throw PartialEdit.problem("it contains “\(other)”, which is not part of a preset")
    }
    if let process = members["process"] {
      guard case .integer(let number) = process, number > 0 else {
        throw PartialEdit.problem("its process is not a number of at least 1")
      }
      guard number <= Edit.process else {
        throw MediaError(
          "it requires process \(number), but this liveedit supports processes up to \(Edit.process)",
          remedy: "update liveedit", isUnsupported: true)
      }
    }
    guard let edit = members["edit"], let text = members["summary"]?.text else {
      throw PartialEdit.problem("it has no edit or no summary")
    }
    self.name = name
    summary = String(text.unicodeScalars.filter { $0.value >= 32 }.prefix(200).map(Character.init))
    self.edit = try PartialEdit(stored: edit)
  }
}
