public import Basics
import FoundationEssentials

/// A partial edit with a name and a purpose, to be laid over the edits of many assets.
///
/// Its file is JSON: `formatIdentifier`, `formatVersion`, `summary` and `edit`, whose members are those of a
/// stored ``Edit``. The file's name, without `.json`, is the preset's name.
public struct Preset: Hashable, Sendable {
  /// The format of a preset's file.
  public static let formatIdentifier = "org.liveedit.preset"
  /// The version of the format.
  public static let formatVersion = "1.0"

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

  /// The content of its file.
  public var json: [UInt8] {
    let members: [String: CanonicalJSON] = [
      "formatIdentifier": .string(Self.formatIdentifier), "formatVersion": .string(Self.formatVersion),
      "summary": .string(summary), "edit": edit.canonicalJSON,
    ]
    return CanonicalJSON.object(members).bytes + [UInt8(ascii: "\n")]
  }

  /// Reads a preset's file.
  ///
  /// - Parameters:
  ///   - json: the content of the file.
  ///   - name: what the preset is called.
  /// - Throws: ``MediaError`` when it is no preset, one of a later version, or has anything unknown or impossible
  ///   in it.
  public init(json: [UInt8], name: String) throws(MediaError) {
    guard case .object(let members)? = StructuredValue(json: json),
      members["formatIdentifier"]?.text == Self.formatIdentifier,
      let version = members["formatVersion"]?.text
    else {
      throw MediaError(
        "it is not a preset of liveedit", remedy: "name a file that liveedit preset save wrote")
    }
    guard version == Self.formatVersion else {
      throw MediaError(
        "it is a preset of version \(version), and this liveedit reads version \(Self.formatVersion)",
        remedy: "update liveedit", isUnsupported: true)
    }
    let known = ["formatIdentifier", "formatVersion", "summary", "edit"]
    if let other = members.keys.sorted().first(where: { !known.contains($0) }) {
      throw Self.problem("it has “\(other)”, which is no part of a preset")
    }
    guard let edit = members["edit"], let text = members["summary"]?.text else {
      throw Self.problem("it has no edit, or no summary")
    }
    self.name = name
    summary = String(text.unicodeScalars.filter { $0.value >= 32 }.prefix(200).map(Character.init))
    self.edit = try PartialEdit(stored: edit, json: json)
  }

  fileprivate static func problem(_ problem: String) -> MediaError {
    MediaError(problem, remedy: "correct the preset")
  }
}

extension PartialEdit {
  /// The values that are set, by name, as in the stored form of an ``Edit``; neutral values are there too, and parts
  /// that are taken back are not.
  package var canonicalJSON: CanonicalJSON {
    var members: [String: CanonicalJSON] = [:]
    for group in Parameter.Group.allCases {
      let values = values.filter { $0.key.description.group == group }
      guard !values.isEmpty else { continue }
      members[group.rawValue] = .object(
        Dictionary(
          uniqueKeysWithValues: values.map { parameter, value in
            (parameter.rawValue, .decimal(parameter.steps(value), digits: parameter.description.digits))
          }))
    }
    if let curve { members["curve"] = curve.canonicalJSON }
    if let look { members["look"] = look.canonicalJSON }
    if let orientation { members["orientation"] = .integer(orientation.rawValue) }
    if let geometry { members["geometry"] = geometry.canonicalJSON }
    return .object(members)
  }

  /// Reads what ``canonicalJSON`` writes.
  ///
  /// - Parameters:
  ///   - value: the member `edit`.
  ///   - json: the document, from which looks are read.
  fileprivate init(stored value: StructuredValue, json: [UInt8]) throws(MediaError) {
    guard case .object(let members) = value else { throw Preset.problem("its edit is no object") }
    self.init()
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      if let group = Parameter.Group(rawValue: name) {
        try set(value, of: group)
        continue
      }
      switch name {
      case "curve": curve = try Self.curve(value)
      case "look": look = try Self.look(value, json: json)
      case "orientation":
        guard case .integer(let number) = value, 1...8 ~= number,
          let turn = Orientation(rawValue: Int(number))
        else { throw Preset.problem("its orientation is no number from 1 to 8") }
        orientation = turn
      case "geometry": geometry = try Self.geometry(value, json: json)
      default: throw Preset.problem("it has “\(name)”, which is no part of an edit")
      }
    }
  }

  private mutating func set(_ value: StructuredValue, of group: Parameter.Group) throws(MediaError) {
    guard case .object(let members) = value else {
      throw Preset.problem("its “\(group.rawValue)” is no object")
    }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let parameter = Parameter(rawValue: name), parameter.description.group == group else {
        throw Preset.problem("it has “\(name)”, which is no parameter of \(group.rawValue)")
      }
      guard let number = value.number else { throw Preset.problem("its \(name) is no number") }
      do throws(EditError) {
        values[parameter] = try parameter.checked(number)
      } catch {
        throw MediaError("its " + error.problem, remedy: error.remedy)
      }
    }
  }

  private static func curve(_ value: StructuredValue) throws(MediaError) -> ToneCurve {
    guard case .array(let pairs) = value else { throw Preset.problem("its curve is no list of points") }
    var points: [ToneCurve.Point] = []
    for pair in pairs {
      guard case .array(let numbers) = pair, numbers.count == 2, let x = numbers[0].number,
        let y = numbers[1].number, 0...1 ~= x, 0...1 ~= y
      else { throw Preset.problem("its curve has a point that is no pair of numbers from 0 to 1") }
      points.append(ToneCurve.Point(x: Int((x * 1000).rounded()), y: Int((y * 1000).rounded())))
    }
    do throws(EditError) {
      return try ToneCurve(points)
    } catch {
      throw MediaError("its curve is impossible: " + error.problem, remedy: error.remedy)
    }
  }

  private static func geometry(_ value: StructuredValue, json: [UInt8]) throws(MediaError) -> Geometry {
    struct Document: Decodable {
      struct Parts: Decodable {
        var geometry: Geometry.Fields
      }
      var edit: Parts
    }
    let known = ["crop", "straighten", "horizontalPerspective", "verticalPerspective"]
    guard case .object(let members) = value, members.keys.allSatisfy(known.contains),
      let document = try? JSONDecoder().decode(Document.self, from: Data(json)),
      let geometry = document.edit.geometry.geometry
    else { throw Preset.problem("its geometry has something unknown or impossible in it") }
    return geometry
  }

  private static func look(_ value: StructuredValue, json: [UInt8]) throws(MediaError) -> Look {
    struct Document: Decodable {
      struct Parts: Decodable {
        var look: Look.Fields
      }
      var edit: Parts
    }
    guard case .object(let members) = value,
      members.keys.allSatisfy({ ["name", "table", "intensity"].contains($0) }),
      members["intensity"].map({ $0.number.map { 0.01...1 ~= $0 } ?? false }) ?? true
    else { throw Preset.problem("its look has something that no look has, or an intensity beyond 0.01 to 1") }
    if let name = members["name"]?.text, BuiltInLook(rawValue: name) == nil {
      throw Preset.problem("its look “\(name)” is not known")
    }
    guard let look = (try? JSONDecoder().decode(Document.self, from: Data(json)))?.edit.look.look else {
      throw Preset.problem("its look is damaged")
    }
    return look
  }
}

extension StructuredValue {
  /// The value of a number.
  fileprivate var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }
}
