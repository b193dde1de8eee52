import Basics
import FoundationEssentials

/// A partial edit with a name and a purpose, to be laid over the edits of many assets.
///
/// Its file is JSON: `formatIdentifier`, `formatVersion`, `summary`, `process` and `edit`, whose members are those of a
/// stored ``Edit``. The file's name, without `.json`, is the preset's name.
public struct Preset: Hashable, Sendable {
  /// The format of a preset's file.
  public static let formatIdentifier = "org.liveedit.preset"
  /// The newest version of the format: that of presets whose look leads beyond sRGB.
  public static let formatVersion = "1.1"
  /// The version of all other presets.
  private static let firstVersion = "1.0"

  /// Its name.
  public var name: String
  /// Its purpose, in a line.
  public var summary: String
  /// The settings that it makes.
  public var edit: PartialEdit

  /// - Parameters:
  ///   - name: what it is called.
  ///   - summary: what it is for, in a line.
  ///   - edit: what it sets.
  public init(name: String, summary: String, edit: PartialEdit) {
    self.name = name
    self.summary = summary
    self.edit = edit
  }

  /// The version of the format that holds it: the oldest one that knows all of its parts.
  private var formatVersion: String {
    edit.look?.isWide ?? false ? Self.formatVersion : Self.firstVersion
  }

  /// The content of its file.
  package var json: [UInt8] {
    let members: [String: JSONValue] = [
      "formatIdentifier": .string(Self.formatIdentifier), "formatVersion": .string(formatVersion),
      "summary": .string(summary), "process": .integer(Edit.process), "edit": edit.canonicalJSON,
    ]
    return JSONValue.object(members).canonicalBytes + [UInt8(ascii: "\n")]
  }

  /// Reads a preset's file.
  ///
  /// - Parameters:
  ///   - json: the content of the file.
  ///   - name: what the preset is called.
  /// - Throws: ``MediaError`` when it is no preset, one of a later version, or has anything unknown or impossible
  ///   in it.
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
