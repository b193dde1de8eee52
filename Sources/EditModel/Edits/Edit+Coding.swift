import Basics
import FoundationEssentials

extension Edit {
  /// The parts of the edit that are not neutral, by name: the parts in ``PartialEdit/canonicalJSON``, `motion` and
  /// `facts`.
  package var canonicalJSON: JSONValue {
    var members = PartialEdit(Set(EditPart.allCases), of: self).members
    if !motion.isNeutral { members["motion"] = motion.canonicalJSON }
    if !facts.isNeutral { members["facts"] = facts.canonicalJSON }
    return .object(members)
  }

  /// Reads the output of ``canonicalJSON``.
  ///
  /// - Throws: ``MediaError`` if the value contains unknown or invalid parts.
  init(stored value: JSONValue) throws(MediaError) {
    guard case .object(var members) = value else { throw PartialEdit.problem("its edit is not an object") }
    let storedMotion = members.removeValue(forKey: "motion")
    let storedFacts = members.removeValue(forKey: "facts")
    self = try PartialEdit(stored: .object(members)).applied(to: .identity)
    if let storedMotion {
      guard let motion = Motion(stored: storedMotion) else {
        throw PartialEdit.problem("its motion contains unknown or invalid values")
      }
      self.motion = motion
    }
    if let storedFacts {
      guard let facts = Facts(stored: storedFacts) else {
        throw PartialEdit.problem("its facts contain unknown or invalid values")
      }
      self.facts = facts
    }
  }
}

extension Edit: Codable {
  /// Reads the stored form.
  public init(from decoder: any Decoder) throws {
    try self.init(stored: JSONValue(from: decoder))
  }

  /// Writes the stored form.
  public func encode(to encoder: any Encoder) throws {
    try canonicalJSON.encode(to: encoder)
  }
}

extension PartialEdit: Decodable {
  /// Reads the form used in presets.
  ///
  /// - Throws: ``Basics/MediaError`` if the value contains unknown or invalid parts.
  public init(from decoder: any Decoder) throws {
    try self.init(stored: JSONValue(from: decoder))
  }
}

extension PartialEdit {
  /// The values that are set, by name. Neutral values are included; parts that are reset are omitted.
  ///
  /// `orientation` is the value of the Exif tag, parameters are stored under their groups, and a curve is a list of
  /// pairs. The samples of a look's table are encoded in base64, two bytes each, in little-endian order.
  package var canonicalJSON: JSONValue { .object(members) }

  fileprivate var members: [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    for group in EditPart.groups {
      let values = values.filter { $0.key.description.group == group }
      guard !values.isEmpty else { continue }
      members[group.rawValue] = .object(
        Dictionary(
          uniqueKeysWithValues: values.map { parameter, value in
            (parameter.rawValue, .decimal(parameter.steps(value), digits: parameter.description.digits))
          }))
    }
    if let curve { members["curve"] = curve.canonicalJSON }
    if !channelCurves.isEmpty {
      members["channelCurves"] = .object(
        Dictionary(uniqueKeysWithValues: channelCurves.map { ($0.key.rawValue, $0.value.canonicalJSON) }))
    }
    if let look { members["look"] = look.canonicalJSON }
    if let local { members["local"] = local.canonicalJSON }
    if let orientation { members["orientation"] = .integer(orientation.rawValue) }
    if let geometry { members["geometry"] = geometry.canonicalJSON }
    if let effect { members["motion"] = .object(["effect": .string(effect.rawValue)]) }
    return members
  }

  /// Reads the output of ``canonicalJSON``.
  ///
  /// - Throws: ``MediaError`` if the value contains an unknown or invalid part. The message names that part.
  init(stored value: JSONValue) throws(MediaError) {
    guard case .object(let members) = value else { throw Self.problem("its edit is not an object") }
    self.init()
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      if let group = EditPart.groups.first(where: { $0.rawValue == name }) {
        try set(value, of: group)
        continue
      }
      switch name {
      case "curve": curve = try ToneCurve(stored: value)
      case "channelCurves": channelCurves = try Self.channelCurves(stored: value)
      case "look": look = try Look(stored: value)
      case "local":
        guard let gains = LocalGains(stored: value) else {
          throw Self.problem("its local gains contain unknown or invalid values")
        }
        local = gains
      case "orientation":
        guard case .integer(let number) = value, 1...8 ~= number,
          let turn = Orientation(rawValue: Int(number))
        else { throw Self.problem("its orientation is not a number from 1 to 8") }
        orientation = turn
      case "geometry":
        guard let geometry = Geometry(stored: value) else {
          throw Self.problem("its geometry contains unknown or invalid values")
        }
        self.geometry = geometry
      case "motion":
        guard case .object(let parts) = value, parts.count == 1,
          let effect = parts["effect"]?.text.flatMap(Motion.Effect.init(rawValue:))
        else { throw Self.problem("its motion must contain an effect and nothing else") }
        self.effect = effect
      default: throw Self.problem("it contains “\(name)”, which is not part of an edit")
      }
    }
  }

  private static func channelCurves(
    stored value: JSONValue
  ) throws(MediaError) -> [ToneCurve.Channel: ToneCurve] {
    guard case .object(let members) = value else { throw problem("its channel curves are not an object") }
    var curves: [ToneCurve.Channel: ToneCurve] = [:]
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let channel = ToneCurve.Channel(rawValue: name) else {
        throw problem("it has a curve for “\(name)”, which is not a channel")
      }
      curves[channel] = try ToneCurve(stored: value)
    }
    return curves
  }

  private mutating func set(_ value: JSONValue, of group: EditPart) throws(MediaError) {
    guard case .object(let members) = value else {
      throw Self.problem("its “\(group.rawValue)” is not an object")
    }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let parameter = Parameter(rawValue: name), parameter.description.group == group else {
        throw Self.problem("it contains “\(name)”, which is not a parameter of \(group.rawValue)")
      }
      guard let number = value.number else { throw Self.problem("its \(name) is not a number") }
      do throws(EditError) {
        values[parameter] = try parameter.checked(number)
      } catch {
        throw MediaError("its \(error.problem)", remedy: error.remedy)
      }
    }
  }

  /// Returns an error about a stored edit. Users write stored edits by hand only in presets.
  static func problem(_ problem: Message) -> MediaError {
    MediaError(problem, remedy: "correct the preset")
  }
}

extension ToneCurve {
  fileprivate var canonicalJSON: JSONValue {
    .array(points.map { .array([.decimal($0.x, digits: 3), .decimal($0.y, digits: 3)]) })
  }

  fileprivate init(stored value: JSONValue) throws(MediaError) {
    guard case .array(let pairs) = value else {
      throw PartialEdit.problem("its curve is not a list of points")
    }
    var points: [Point] = []
    for pair in pairs {
      guard let numbers = pair.numbers, numbers.count == 2, numbers.allSatisfy({ 0...1 ~= $0 }) else {
        throw PartialEdit.problem("its curve has a point that is not a pair of numbers from 0 to 1")
      }
      points.append(Point(x: Int((numbers[0] * 1000).rounded()), y: Int((numbers[1] * 1000).rounded())))
    }
    do throws(EditError) {
      try self.init(points)
    } catch {
      throw MediaError("its curve is not valid: \(error.problem)", remedy: error.remedy)
    }
  }
}
