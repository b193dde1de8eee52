import Basics
import FoundationEssentials

extension LocalGains {
  /// The number of nodes along each axis, and the samples as base64-encoded bytes.
  var canonicalJSON: JSONValue {
    .object([
      "columns": .integer(columns), "rows": .integer(rows), "levels": .integer(levels),
      "samples": .string(Data(samples.map { UInt8(bitPattern: $0) }).base64EncodedString()),
    ])
  }

  /// Reads the output of ``canonicalJSON``.
  ///
  /// - Returns: nil if the value contains unknown or invalid parts.
  init?(stored value: JSONValue) {
    guard case .object(let members) = value, members.count == 4,
      let axes = Self.integers(["columns", "rows", "levels"], of: members),
      let text = members["samples"]?.text, text.utf8.count <= 4 * Self.mostNodes,
      let bytes = Data(base64Encoded: text)
    else { return nil }
    self.init(
      columns: axes[0], rows: axes[1], levels: axes[2], samples: bytes.map { Int8(bitPattern: $0) })
  }

  private static func integers(_ names: [String], of members: [String: JSONValue]) -> [Int]? {
    let numbers = names.compactMap { name -> Int? in
      guard case .integer(let number)? = members[name], 2...mostNodes ~= number else { return nil }
      return Int(number)
    }
    return numbers.count == names.count ? numbers : nil
  }
}
