import FoundationEssentials

extension Edit {
  /// The parts that change something, by name: `orientation` is the number of the Exif tag, parameters stand
  /// under their groups, the curve is a list of pairs. Samples of a look's table are in base 64, two bytes
  /// each, the lower one first.
  package var canonicalJSON: CanonicalJSON {
    var members: [String: CanonicalJSON] = [:]
    if orientation != .identity { members["orientation"] = .integer(orientation.rawValue) }
    if !geometry.isNeutral { members["geometry"] = geometry.canonicalJSON }
    for group in Parameter.Group.allCases {
      let values = adjustments.canonicalJSON(of: group)
      if !values.isEmpty { members[group.rawValue] = .object(values) }
    }
    if curve != .neutral { members["curve"] = curve.canonicalJSON }
    if let look { members["look"] = look.canonicalJSON }
    if !motion.isNeutral { members["motion"] = motion.canonicalJSON }
    return .object(members)
  }

  /// The parts of an edit as they are stored, not yet judged.
  struct Fields: Codable {
    var orientation: Orientation?
    var geometry: Geometry.Fields?
    var light: [String: Double]?
    var color: [String: Double]?
    var blackAndWhite: [String: Double]?
    var detail: [String: Double]?
    var effects: [String: Double]?
    var curve: [[Double]]?
    var look: Look.Fields?
    var motion: Motion.Fields?

    init(_ edit: Edit) {
      func values(_ group: Parameter.Group) -> [String: Double]? {
        let members = edit.adjustments.changed.filter { $0.description.group == group }
          .map { ($0.rawValue, edit[$0]) }
        return members.isEmpty ? nil : Dictionary(members) { first, _ in first }
      }
      orientation = edit.orientation == .identity ? nil : edit.orientation
      geometry = edit.geometry.isNeutral ? nil : Geometry.Fields(edit.geometry)
      light = values(.light)
      color = values(.color)
      blackAndWhite = values(.blackAndWhite)
      detail = values(.detail)
      effects = values(.effects)
      let points = edit.curve.points.map { [Double($0.x) / 1000, Double($0.y) / 1000] }
      curve = points.isEmpty ? nil : points
      look = edit.look.map(Look.Fields.init)
      motion = edit.motion.isNeutral ? nil : Motion.Fields(edit.motion)
    }

    /// The edit; nil when something in it is unknown or impossible.
    var edit: Edit? {
      var edit = Edit(orientation: orientation ?? .identity)
      if let geometry {
        guard let geometry = geometry.geometry else { return nil }
        edit.geometry = geometry
      }
      guard edit.adjustments.set(light ?? [:], of: .light), edit.adjustments.set(color ?? [:], of: .color),
        edit.adjustments.set(blackAndWhite ?? [:], of: .blackAndWhite),
        edit.adjustments.set(detail ?? [:], of: .detail), edit.adjustments.set(effects ?? [:], of: .effects)
      else { return nil }
      if let curve {
        let points = curve.compactMap { pair -> ToneCurve.Point? in
          guard pair.count == 2, pair.allSatisfy({ 0...1 ~= $0 }) else { return nil }
          return ToneCurve.Point(x: Int((pair[0] * 1000).rounded()), y: Int((pair[1] * 1000).rounded()))
        }
        guard points.count == curve.count, let curve = try? ToneCurve(points) else { return nil }
        edit.curve = curve
      }
      if let look {
        guard let look = look.look else { return nil }
        edit.look = look
      }
      if let motion {
        guard let motion = motion.motion else { return nil }
        edit.motion = motion
      }
      return edit
    }
  }
}

extension Edit: Codable {
  /// Reads the stored form.
  public init(from decoder: any Decoder) throws {
    guard let edit = try Fields(from: decoder).edit else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "not an edit"))
    }
    self = edit
  }

  /// Writes the stored form.
  public func encode(to encoder: any Encoder) throws {
    try Fields(self).encode(to: encoder)
  }
}

extension Look {
  var canonicalJSON: CanonicalJSON {
    var members: [String: CanonicalJSON] = [:]
    switch source {
    case .builtIn(let look): members["name"] = .string(look.rawValue)
    case .table(let table): members["table"] = table.canonicalJSON
    }
    if hundredths != 100 { members["intensity"] = .decimal(hundredths, digits: 2) }
    return .object(members)
  }

  struct Fields: Codable {
    var name: String?
    var table: LookTable.Fields?
    var intensity: Double?

    init(_ look: Look) {
      switch look.source {
      case .builtIn(let builtIn): name = builtIn.rawValue
      case .table(let content): table = LookTable.Fields(content)
      }
      intensity = look.hundredths == 100 ? nil : look.intensity
    }

    var look: Look? {
      let source: Look.Source
      switch (name, table) {
      case (let name?, nil):
        guard let look = BuiltInLook(rawValue: name) else { return nil }
        source = .builtIn(look)
      case (nil, let fields?):
        guard let table = fields.table else { return nil }
        source = .table(table)
      default: return nil
      }
      return Look(source, intensity: intensity ?? 1)
    }
  }
}

extension LookTable {
  fileprivate var canonicalJSON: CanonicalJSON {
    var members: [String: CanonicalJSON] = [:]
    if !title.isEmpty { members["title"] = .string(title) }
    if let curves { members["curves"] = curves.canonicalJSON }
    if let lattice { members["lattice"] = lattice.canonicalJSON }
    return .object(members)
  }

  struct Fields: Codable {
    var title: String?
    var curves: Grid.Fields?
    var lattice: Grid.Fields?

    fileprivate init(_ table: LookTable) {
      title = table.title.isEmpty ? nil : table.title
      curves = table.curves.map(Grid.Fields.init)
      lattice = table.lattice.map(Grid.Fields.init)
    }

    fileprivate var table: LookTable? {
      let curves = curves?.grid { $0 }
      let lattice = lattice?.grid { $0 * $0 * $0 }
      guard (curves == nil) == (self.curves == nil), (lattice == nil) == (self.lattice == nil) else {
        return nil
      }
      return LookTable(title: title ?? "", curves: curves, lattice: lattice)
    }
  }
}

extension LookTable.Grid {
  private static let standardDomain = [[0, 0, 0], [1_000_000, 1_000_000, 1_000_000]]

  private var base64: String {
    Data(samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
      .base64EncodedString()
  }

  fileprivate var canonicalJSON: CanonicalJSON {
    var members: [String: CanonicalJSON] = ["size": .integer(size), "samples": .string(base64)]
    if [domainMinimum, domainMaximum] != Self.standardDomain {
      members["domain"] = .array(
        [domainMinimum, domainMaximum].map { .array($0.map { .decimal($0, digits: 6) }) })
    }
    return .object(members)
  }

  struct Fields: Codable {
    var size: Int
    var samples: String
    var domain: [[Double]]?

    fileprivate init(_ grid: LookTable.Grid) {
      size = grid.size
      samples = grid.base64
      let limits = [grid.domainMinimum, grid.domainMaximum]
      domain =
        limits == LookTable.Grid.standardDomain ? nil : limits.map { $0.map { Double($0) / 1_000_000 } }
    }

    /// - Parameter places: how many colours a size makes.
    fileprivate func grid(places: (Int) -> Int) -> LookTable.Grid? {
      guard 2...LookTable.largestCurve ~= size, let bytes = Data(base64Encoded: samples),
        bytes.count % 2 == 0
      else { return nil }
      let raw = [UInt8](bytes)
      let words = stride(from: 0, to: raw.count, by: 2).map { UInt16(raw[$0]) | UInt16(raw[$0 + 1]) << 8 }
      let limits = domain ?? [[0, 0, 0], [1, 1, 1]]
      guard limits.count == 2, limits.joined().allSatisfy({ abs($0) <= 1000 }) else { return nil }
      let millionths = limits.map { $0.map { Int(($0 * 1_000_000).rounded()) } }
      return LookTable.Grid(
        size: size, places: places(size), samples: words, domainMinimum: millionths[0],
        domainMaximum: millionths[1])
    }
  }
}
