import EditModel

/// Face and focus regions (mwg-rs, Metadata Working Group guidelines 2.0 section 5.9). The centre and size of each area
/// are stored as fractions of a picture. AppliedToDimensions contains the width and height of that picture.
extension XMPPacket {
  private static let faceNamespace = "http://ns.apple.com/faceinfo/1.0/"

  /// Updates every region if AppliedToDimensions shows that the regions refer to the stored picture.
  ///
  /// - Parameter regions: The property `mwg-rs:Regions`.
  /// - Returns: The names of the removed properties, as printed by exiftool. The value is nil, and the packet is not
  ///   changed, if the regions cannot be updated or if all regions are cropped away.
  mutating func turnRegions(_ regions: XMLTree.Element, _ change: PictureChange) -> [String]? {
    let (transform, old, new) = (change.transform, change.old, change.new)
    let elements = descendants(of: regions)
    func parts(named local: String) -> [XMLTree.Element] {
      elements.filter { $0.name == .regions(local) }
    }
    guard let applied = parts(named: "AppliedToDimensions").first else { return nil }
    let size = fields(of: applied)
    guard let width = size["w"], let height = size["h"], ["pixel", nil].contains(size["unit"]?.text),
      Double(width.text) == Double(old.width), Double(height.text) == Double(old.height)
    else { return nil }
    var changes = [(width.range, String(new.width)), (height.range, String(new.height))]
    var (cutOff, kept): ([XMLTree.Element], Int) = ([], 0)
    var cutRegions: Set<Int> = []
    for (area, region) in Self.areas(elements) {
      let fields = self.fields(of: area)
      if change.isReframed {
        switch projected(fields, by: change) {
        case .unknown: return nil
        case .changes(let more):
          changes += more
          kept += 1
        case .cutOff:
          guard let region else { return nil }
          if cutRegions.insert(region.range.lowerBound).inserted { cutOff.append(region) }
        }
        continue
      }
      guard ["normalized", nil].contains(fields["unit"]?.text), let x = fields["x"], let y = fields["y"],
        let centre = Self.turned(x: x.text, y: y.text, by: transform)
      else { return nil }
      changes += [(x.range, centre.x), (y.range, centre.y)]
      if transform.swapsAxes, let w = fields["w"], let h = fields["h"] {
        changes += [(w.range, h.text), (h.range, w.text)]
      }
    }
    guard cutOff.isEmpty || kept > 0 else { return nil }
    // The angles of a face are also relative to the picture, but how these angles are defined is not documented.
    var removed: [String] = []
    for part in elements {
      for attribute in part.attributes where Self.isAngle(attribute.name) {
        remove(.attribute(attribute))
        removed.append("mwg-rs:RegionExtensions" + attribute.name.local)
      }
      if Self.isAngle(part.name) {
        remove(.element(part))
        removed.append("mwg-rs:RegionExtensions" + part.name.local)
      }
    }
    for (range, text) in changes { replace(range, with: text) }
    for region in cutOff { remove(.element(region)) }
    return removed + (cutOff.isEmpty ? [] : ["mwg-rs:RegionList"])
  }

  /// Returns the areas of regions, each with the innermost list entry that contains the area.
  private static func areas(
    _ elements: [XMLTree.Element]
  ) -> [(area: XMLTree.Element, region: XMLTree.Element?)] {
    var areas: [(area: XMLTree.Element, region: XMLTree.Element?)] = []
    var open: [XMLTree.Element] = []
    for element in elements {
      while let last = open.last, last.range.upperBound <= element.range.lowerBound { open.removeLast() }
      if element.name == .rdf("li") { open.append(element) }
      if element.name == .regions("Area") { areas.append((element, open.last)) }
    }
    return areas
  }

  /// The result of mapping an area to a cropped or straightened picture.
  private enum Projected {
    case changes([(Range<Int>, String)])
    case cutOff
    case unknown
  }

  private func projected(
    _ fields: [String: (text: String, range: Range<Int>)], by change: PictureChange
  ) -> Projected {
    func number(_ name: String) -> Double? {
      fields[name].flatMap { Double($0.text) }.flatMap { abs($0) < 10 ? $0 : nil }
    }
    guard ["normalized", nil].contains(fields["unit"]?.text), let x = number("x"), let y = number("y"),
      fields["d"] == nil
    else { return .unknown }
    let size = SIMD2(number("w") ?? 0, number("h") ?? 0)
    let area = PictureArea(center: [x, y], size: size)
    guard let area = area.moved(by: change.transform, then: change.projection) else { return .cutOff }
    let values = [("x", area.center.x), ("y", area.center.y), ("w", area.size.x), ("h", area.size.y)]
    return .changes(
      values.compactMap { name, value in
        fields[name].map { ($0.range, Self.decimal(Int((value * 1e6).rounded()), places: 6)) }
      })
  }

  private static func isAngle(_ name: XMLTree.Name) -> Bool {
    name.namespace == faceNamespace && name.local.hasPrefix("AngleInfo")
  }

  /// Rotates or mirrors a point in the unit square, and returns the new coordinates as decimal text.
  static func turned(x: String, y: String, by transform: Orientation) -> (x: String, y: String)? {
    let matrix = transform.matrix
    let newX = transform.swapsAxes ? (y, matrix.c) : (x, matrix.a)
    let newY = transform.swapsAxes ? (x, matrix.b) : (y, matrix.d)
    func coordinate(_ text: String, sign: Int) -> String? {
      oneMinus(text).map { sign > 0 ? text : $0 }  // nil for what is no number, either way
    }
    guard let turnedX = coordinate(newX.0, sign: newX.1), let turnedY = coordinate(newY.0, sign: newY.1)
    else {
      return nil
    }
    return (turnedX, turnedY)
  }

  /// Returns 1 − x as decimal text with the same number of decimals as x. Applying the function twice therefore returns
  /// x.
  static func oneMinus(_ text: String) -> String? {
    var digits = text[...]
    let isNegative = digits.hasPrefix("-")
    if isNegative || digits.hasPrefix("+") { digits.removeFirst() }
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.count <= 2, !digits.isEmpty, digits != ".", whole.count <= 1,
      parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } })
    else {
      // Numbers with exponents or in other unusual formats are converted with twelve decimals.
      guard let value = Double(text), abs(value) < 10 else { return nil }
      return decimal(Int(((1 - value) * 1e12).rounded()), places: 12)
    }
    let places = min(parts.count == 2 ? parts[1].count : 0, 17)
    let fraction = parts.count == 2 ? parts[1].prefix(places) : ""
    guard let magnitude = Int((whole.isEmpty ? "0" : whole) + fraction) else { return nil }
    let one = (0..<places).reduce(1) { power, _ in power * 10 }
    return decimal(one - (isNegative ? -magnitude : magnitude), places: places)
  }

  /// Formats a number as decimal text.
  ///
  /// - Parameters:
  ///   - scaled: The number, in units of the last decimal place.
  ///   - places: The number of decimals.
  static func decimal(_ scaled: Int, places: Int) -> String {
    let sign = scaled < 0 ? "-" : ""
    var digits = String(scaled.magnitude)
    digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    guard places > 0 else { return sign + digits }
    return sign + digits.dropLast(places) + "." + digits.suffix(places)
  }
}

extension XMPPacket {
  private static let peopleNamespace = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"

  /// The distinct names of people in the packet, in file order.
  var people: [String] {
    var names: [String] = []
    var seen: Set<String> = []
    func add(_ name: String?) {
      if let name, !name.isEmpty, seen.insert(name).inserted { names.append(name) }
    }
    for element in tree.elements {
      let isName = element.name == .regions("Name")
      for attribute in element.attributes where attribute.name == .regions("Name") {
        add(tree.text(attribute.value))
      }
      if isName { add(tree.simpleText(of: element)?.text) }
      guard element.name == .init(namespace: Self.peopleNamespace, local: "PersonInImage") else { continue }
      for item in descendants(of: element) where item.name == .rdf("li") {
        add(tree.simpleText(of: item)?.text)
      }
    }
    return names
  }
}
