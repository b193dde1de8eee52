import Basics

/// A reader for `.cube` files (Adobe, Cube LUT Specification 1.0, 2013). DaVinci Resolve's files, which contain both a
/// 1D and a 3D table, are supported too.
package enum CubeFile {
  /// The maximum size of a file in bytes. Real files are never larger: they have at most 65³ lines of three numbers.
  package static let largestFile = 32 << 20

  /// Reads a table.
  ///
  /// - Parameter bytes: The content of the file.
  /// - Throws: ``MediaError`` if the file is not valid. The message states the line.
  package static func parse(_ bytes: [UInt8]) throws(MediaError) -> LookTable {
    guard bytes.count <= largestFile else {
      throw MediaError("it exceeds the \(largestFile >> 20) MB limit for .cube files")
    }
    var reader = Reader()
    var line = 0
    var start = 0
    // A lone carriage return also ends a line.
    while start < bytes.count {
      line += 1
      let end = bytes[start...].firstIndex { $0 == 10 || $0 == 13 } ?? bytes.count
      let isPair = end + 1 < bytes.count && bytes[end] == 13 && bytes[end + 1] == 10
      do throws(Problem) {
        try reader.read(bytes[start..<end])
      } catch {
        throw MediaError("line \(line) of the .cube file \(error.text)", remedy: "export the look again")
      }
      start = end + (isPair ? 2 : 1)
    }
    do throws(Problem) {
      return try reader.table()
    } catch {
      throw MediaError("the .cube file \(error.text)", remedy: "export the look again")
    }
  }

  fileprivate struct Problem: Error {
    let text: String
  }

  private struct Reader {
    private var title = ""
    private var curveSize: Int?
    private var latticeSize: Int?
    private var samples: [UInt16] = []
    private var domainMinimum = [0, 0, 0]
    private var domainMaximum = [1_000_000, 1_000_000, 1_000_000]
    private var curveRange: [Int]?
    private var latticeRange: [Int]?

    private var wanted: Int {
      (curveSize ?? 0) + (latticeSize.map { $0 * $0 * $0 } ?? 0)
    }

    mutating func read(_ line: ArraySlice<UInt8>) throws(Problem) {
      let words = line.split { $0 == 32 || $0 == 9 }
      guard let first = words.first, first.first != UInt8(ascii: "#") else { return }
      guard first.first.map({ 65...90 ~= $0 }) ?? false else { return try readSample(words) }
      let rest = Array(words.dropFirst())
      switch String(decoding: first, as: UTF8.self) {
      case "TITLE":
        let text = String(decoding: line, as: UTF8.self).drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }
        title = String(text.unicodeScalars.filter { $0.value >= 32 }.prefix(200).map(Character.init))
      case "LUT_1D_SIZE":
        curveSize = try size(rest, most: LookTable.largestCurve, isSet: curveSize != nil)
      case "LUT_3D_SIZE":
        latticeSize = try size(rest, most: LookTable.largestLattice, isSet: latticeSize != nil)
      case "DOMAIN_MIN": domainMinimum = try millionths(rest, count: 3)
      case "DOMAIN_MAX": domainMaximum = try millionths(rest, count: 3)
      case "LUT_1D_INPUT_RANGE": curveRange = try millionths(rest, count: 2)
      case "LUT_3D_INPUT_RANGE": latticeRange = try millionths(rest, count: 2)
      default: throw Problem(text: "begins with an unknown keyword")
      }
    }

    private mutating func readSample(_ words: [ArraySlice<UInt8>]) throws(Problem) {
      guard wanted > 0 else { throw Problem(text: "has numbers before any LUT_1D_SIZE or LUT_3D_SIZE") }
      guard words.count == 3 else { throw Problem(text: "does not have three numbers") }
      guard samples.count < wanted * 3 else { throw Problem(text: "has values beyond the end of the table") }
      for word in words { samples.append(LookTable.Grid.stored(try Self.number(word))) }
    }

    private func size(_ words: [ArraySlice<UInt8>], most: Int, isSet: Bool) throws(Problem) -> Int {
      guard !isSet, samples.isEmpty else { throw Problem(text: "states the table's size again") }
      guard words.count == 1, let word = words.first, let size = Int(String(decoding: word, as: UTF8.self)),
        2...most ~= size
      else { throw Problem(text: "does not state a size from 2 to \(most)") }
      return size
    }

    private func millionths(_ words: [ArraySlice<UInt8>], count: Int) throws(Problem) -> [Int] {
      guard words.count == count else { throw Problem(text: "does not have \(count) numbers") }
      var numbers: [Int] = []
      for word in words {
        let number = try Self.number(word)
        guard abs(number) <= 1000 else {
          throw Problem(text: "has a number outside the range from -1000 to 1000")
        }
        numbers.append(Int((number * 1_000_000).rounded()))
      }
      return numbers
    }

    private static func number(_ word: ArraySlice<UInt8>) throws(Problem) -> Double {
      guard word.count <= 40, let number = Double(String(decoding: word, as: UTF8.self)), number.isFinite
      else { throw Problem(text: "contains a value that is not a number") }
      return number
    }

    func table() throws(Problem) -> LookTable {
      guard wanted > 0 else { throw Problem(text: "contains neither LUT_1D_SIZE nor LUT_3D_SIZE") }
      guard samples.count == wanted * 3 else {
        throw Problem(text: "ends after \(samples.count / 3) of its \(wanted) lines of numbers")
      }
      let split = (curveSize ?? 0) * 3
      func grid(_ size: Int?, _ places: Int, _ range: [Int]?, _ part: ArraySlice<UInt16>) -> LookTable.Grid? {
        guard let size else { return nil }
        let least = range.map { [Int](repeating: $0[0], count: 3) } ?? domainMinimum
        let greatest = range.map { [Int](repeating: $0[1], count: 3) } ?? domainMaximum
        return LookTable.Grid(
          size: size, places: places, samples: Array(part), domainMinimum: least, domainMaximum: greatest)
      }
      let curves = grid(curveSize, curveSize ?? 0, curveRange, samples[..<split])
      // After curves, a lattice covers the range 0–1 by default.
      let lattice = grid(
        latticeSize, wanted - (curveSize ?? 0),
        latticeRange ?? (curveSize == nil ? nil : [0, 1_000_000]), samples[split...])
      guard (curves == nil) == (curveSize == nil), (lattice == nil) == (latticeSize == nil),
        let table = LookTable(title: title, curves: curves, lattice: lattice)
      else { throw Problem(text: "has a domain that does not end above its start") }
      return table
    }
  }
}
