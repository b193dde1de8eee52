import Basics
import FoundationEssentials

extension Look {
  /// The look's name, or the look's table; the intensity, unless it is 1; and the gamut, unless it is sRGB.
  var canonicalJSON: JSONValue {
    var members: [String: JSONValue] = [:]
    switch source {
    case .builtIn(let look): members["name"] = .string(look.rawValue)
    case .table(let table): members["table"] = table.canonicalJSON
    }
    if hundredths != 100 { members["intensity"] = .decimal(hundredths, digits: 2) }
    if isWide { members["gamut"] = .string(Self.wideGamut) }
    return .object(members)
  }

  private static let wideGamut = "p3"

  /// Reads the output of ``canonicalJSON``.
  ///
  /// - Throws: ``MediaError`` if the value contains an unknown or invalid part. The message names that part.
  init(stored value: JSONValue) throws(MediaError) {
    let intensity = value["intensity"].map { $0.number ?? 0 } ?? 1
    guard case .object(let members) = value,
      members.keys.allSatisfy({ ["name", "table", "intensity", "gamut"].contains($0) }),
      0.01...1 ~= intensity, members["gamut"].map({ $0.text == Self.wideGamut }) ?? true
    else {
      throw PartialEdit.problem(
        "its look contains an unknown value, or an intensity outside the range from 0.01 to 1")
    }
    let builtIn = members["name"]?.text.flatMap(BuiltInLook.init(rawValue:))
    if let name = members["name"]?.text, builtIn == nil {
      throw PartialEdit.problem("its look “\(name)” is unknown")
    }
    let table = members["table"].flatMap(LookTable.init(stored:))
    guard members.keys.contains("name") != members.keys.contains("table"),
      let source = builtIn.map(Source.builtIn) ?? table.map(Source.table),
      let look = Look(source, intensity: intensity, isWide: members["gamut"] != nil)
    else { throw PartialEdit.problem("its look is damaged") }
    self = look
  }
}

extension LookTable {
  fileprivate var canonicalJSON: JSONValue {
    var members: [String: JSONValue] = [:]
    if !title.isEmpty { members["title"] = .string(title) }
    if let curves { members["curves"] = curves.canonicalJSON }
    if let lattice { members["lattice"] = lattice.canonicalJSON }
    return .object(members)
  }

  fileprivate init?(stored value: JSONValue) {
    let curves = value["curves"].flatMap { Grid(stored: $0) { $0 } }
    let lattice = value["lattice"].flatMap { Grid(stored: $0) { $0 * $0 * $0 } }
    // If a grid is present, it must be valid.
    guard (curves == nil) == (value["curves"] == nil), (lattice == nil) == (value["lattice"] == nil) else {
      return nil
    }
    self.init(title: value["title"]?.text ?? "", curves: curves, lattice: lattice)
  }
}

extension LookTable.Grid {
  private static let standardDomain = [[0, 0, 0], [1_000_000, 1_000_000, 1_000_000]]

  fileprivate var canonicalJSON: JSONValue {
    let bytes = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    var members: [String: JSONValue] = [
      "size": .integer(size), "samples": .string(Data(bytes).base64EncodedString()),
    ]
    let domain = [domainMinimum, domainMaximum]
    if domain != Self.standardDomain {
      members["domain"] = .array(domain.map { .array($0.map { .decimal($0, digits: 6) }) })
    }
    return .object(members)
  }

  /// - Parameter places: A closure that returns the number of colours in a grid of a given size.
  fileprivate init?(stored value: JSONValue, places: (Int) -> Int) {
    guard case .integer(let stored)? = value["size"], 2...LookTable.largestCurve ~= stored,
      let raw = value["samples"]?.text.flatMap({ Data(base64Encoded: $0) }).map([UInt8].init),
      raw.count % 2 == 0
    else { return nil }
    var limits = Self.standardDomain
    if let domain = value["domain"] {
      guard case .array(let pair) = domain, pair.count == 2 else { return nil }
      limits = pair.map {
        ($0.numbers ?? []).filter { abs($0) <= 1000 }.map { Int(($0 * 1_000_000).rounded()) }
      }
    }
    let size = Int(stored)
    self.init(
      size: size, places: places(size),
      samples: stride(from: 0, to: raw.count, by: 2).map { UInt16(raw[$0]) | UInt16(raw[$0 + 1]) << 8 },
      domainMinimum: limits[0], domainMaximum: limits[1])
  }
}
