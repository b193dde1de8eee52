/// A typed value of QuickTime metadata (QuickTime File Format, “Well-known types”).
public enum MetadataValue: Hashable, Sendable {
  /// Text.
  case text(String)
  /// A signed number.
  case signed(Int64)
  /// An unsigned number.
  case unsigned(UInt64)
  /// A floating point number.
  case float(Double)
  /// A point, a size, a rectangle or a matrix.
  case floats([Double])
  /// Anything else.
  case bytes([UInt8])

  /// More bytes than these are not shown.
  static let longestShown = 4096

  /// Reads a value as its type says; as bytes where the type is unknown or does not fit.
  ///
  /// - Parameters:
  ///   - type: the well-known type.
  ///   - bytes: the value.
  init(type: UInt32, bytes: [UInt8]) {
    self = Self.decoded(type: type, bytes) ?? .bytes(bytes)
  }

  private static func decoded(type: UInt32, _ bytes: [UInt8]) -> MetadataValue? {
    switch type {
    case 1, 4: String(validating: bytes, as: UTF8.self).map { .text($0) }
    case 2, 5:
      bytes.count % 2 == 0
        ? String(
          validating: stride(from: 0, to: bytes.count, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
          }, as: UTF16.self
        ).map { .text($0) } : nil
    case 21: [1, 2, 3, 4, 8].contains(bytes.count) ? .signed(signed(bytes)) : nil
    case 22: [1, 2, 3, 4, 8].contains(bytes.count) ? .unsigned(unsigned(bytes)) : nil
    case 65, 66, 67, 74: bytes.count == size(ofNumber: type) ? .signed(signed(bytes)) : nil
    case 75, 76, 77, 78: bytes.count == size(ofNumber: type) ? .unsigned(unsigned(bytes)) : nil
    case 23, 24: floats(bytes, width: type == 23 ? 4 : 8).flatMap { $0.count == 1 ? .float($0[0]) : nil }
    case 70, 71, 72: floats(bytes, width: 4).map { .floats($0) }
    case 79, 83: floats(bytes, width: 8).map { .floats($0) }
    default: nil
    }
  }

  private static func size(ofNumber type: UInt32) -> Int {
    switch type {
    case 65, 75: 1
    case 66, 76: 2
    case 67, 77: 4
    default: 8
    }
  }

  private static func unsigned(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func signed(_ bytes: [UInt8]) -> Int64 {
    let unused = 64 - 8 * bytes.count
    return Int64(bitPattern: unsigned(bytes) << UInt64(unused)) >> Int64(unused)
  }

  private static func floats(_ bytes: [UInt8], width: Int) -> [Double]? {
    guard !bytes.isEmpty, bytes.count % width == 0, bytes.count <= 128 else { return nil }
    return stride(from: 0, to: bytes.count, by: width).map { at in
      let bits = unsigned(Array(bytes[at..<at + width]))
      return width == 4
        ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
    }
  }

  /// The name of a type.
  static func name(ofType type: UInt32) -> String {
    switch type {
    case 0: "bytes"
    case 1, 4: "utf8"
    case 2, 5: "utf16"
    case 13: "jpeg"
    case 14: "png"
    case 21: "signed"
    case 22: "unsigned"
    case 23: "float32"
    case 24: "float64"
    case 27: "bmp"
    case 65: "int8"
    case 66: "int16"
    case 67: "int32"
    case 70: "point"
    case 71: "size"
    case 72: "rectangle"
    case 74: "int64"
    case 75: "uint8"
    case 76: "uint16"
    case 77: "uint32"
    case 78: "uint64"
    case 79: "affine transform"
    case 83: "perspective transform"
    default: "type \(type)"
    }
  }

  /// Bytes as hexadecimal digits, cut after ``longestShown``.
  static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.prefix(longestShown).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self) + (bytes.count > longestShown ? "…" : "")
  }
}

extension MetadataValue: Encodable {
  /// Writes text and numbers as such, floats as arrays, bytes as hexadecimal digits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .signed(let number): try container.encode(number)
    case .unsigned(let number): try container.encode(number)
    case .float(let number): try container.encode(number)
    case .floats(let numbers): try container.encode(numbers)
    case .bytes(let bytes): try container.encode(Self.hexadecimal(bytes))
    }
  }
}

extension MetadataValue: CustomStringConvertible {
  /// The value as people read it.
  public var description: String {
    switch self {
    case .text(let text): text
    case .signed(let number): String(number)
    case .unsigned(let number): String(number)
    case .float(let number): "\(Float(number))"
    case .floats(let numbers): numbers.map { "\(Float($0))" }.joined(separator: " ")
    case .bytes(let bytes):
      bytes.count > 32
        ? Self.hexadecimal(Array(bytes.prefix(32))) + "… (\(bytes.count) bytes)" : Self.hexadecimal(bytes)
    }
  }
}

/// A key of QuickTime metadata with its value.
public struct KeyInspection: Encodable, Hashable, Sendable {
  /// Its name, reverse-DNS as a rule.
  public let name: String
  /// The well-known type of its value.
  public let type: UInt32
  /// The name of the type.
  public let typeName: String
  /// Bytes of the value.
  public let size: Int
  /// The value.
  public let value: MetadataValue

  init(_ item: MetadataItems.Item) {
    name = item.name
    type = item.type
    typeName = MetadataValue.name(ofType: item.type)
    size = item.value.count
    value = MetadataValue(type: item.type, bytes: item.value)
  }
}
