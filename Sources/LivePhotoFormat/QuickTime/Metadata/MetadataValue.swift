/// A typed value of QuickTime metadata (QuickTime File Format, “Well-known types”).
package enum MetadataValue: Hashable, Sendable {
  /// A text value.
  case text(String)
  /// A signed integer.
  case signed(Int64)
  /// An unsigned integer.
  case unsigned(UInt64)
  /// A floating-point number.
  case float(Double)
  /// A point, a size, a rectangle or a matrix.
  case floats([Double])
  /// A value of any other type, stored as bytes.
  case bytes([UInt8])

  /// The maximum number of bytes of a value that are displayed.
  static let longestShown = 4096

  /// How the values of a type are stored.
  private enum Form {
    case utf8
    case utf16
    /// A two's complement integer. The associated value contains the possible sizes in bytes.
    case signed([Int])
    case unsigned([Int])
    /// One or more floating-point numbers. The associated value is the size of each number in bytes.
    case float(Int)
    case floats(Int)
    case opaque
  }

  private static let types: [UInt32: (name: String, form: Form)] = [
    0: ("bytes", .opaque),
    1: ("utf8", .utf8),
    2: ("utf16", .utf16),
    4: ("utf8", .utf8),
    5: ("utf16", .utf16),
    13: ("jpeg", .opaque),
    14: ("png", .opaque),
    21: ("signed", .signed([1, 2, 3, 4, 8])),
    22: ("unsigned", .unsigned([1, 2, 3, 4, 8])),
    23: ("float32", .float(4)),
    24: ("float64", .float(8)),
    27: ("bmp", .opaque),
    65: ("int8", .signed([1])),
    66: ("int16", .signed([2])),
    67: ("int32", .signed([4])),
    70: ("point", .floats(4)),
    71: ("size", .floats(4)),
    72: ("rectangle", .floats(4)),
    74: ("int64", .signed([8])),
    75: ("uint8", .unsigned([1])),
    76: ("uint16", .unsigned([2])),
    77: ("uint32", .unsigned([4])),
    78: ("uint64", .unsigned([8])),
    79: ("affine transform", .floats(8)),
    83: ("perspective transform", .floats(8)),
  ]

  /// Returns the name of a well-known type.
  static func name(ofType type: UInt32) -> String { types[type]?.name ?? "type \(type)" }

  /// Reads a value according to its type. If the type is unknown or the bytes do not match the type, the value is
  /// stored as bytes.
  init(type: UInt32, bytes: [UInt8]) {
    let value: MetadataValue? =
      switch Self.types[type]?.form {
      case .utf8: String(validating: bytes, as: UTF8.self).map { .text($0) }
      case .utf16 where bytes.count % 2 == 0:
        String(validating: Self.numbers(bytes, width: 2).map { UInt16($0) }, as: UTF16.self).map { .text($0) }
      case .signed(let sizes) where sizes.contains(bytes.count): .signed(Self.signed(bytes))
      case .unsigned(let sizes) where sizes.contains(bytes.count): .unsigned(Self.unsigned(bytes[...]))
      case .float(let width) where bytes.count == width: .float(Self.floats(bytes, width: width)[0])
      case .floats(let width) where !bytes.isEmpty && bytes.count % width == 0 && bytes.count <= 128:
        .floats(Self.floats(bytes, width: width))
      default: nil
      }
    self = value ?? .bytes(bytes)
  }

  private static func unsigned(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func signed(_ bytes: [UInt8]) -> Int64 {
    let unused = 64 - 8 * bytes.count
    return Int64(bitPattern: unsigned(bytes[...]) << UInt64(unused)) >> Int64(unused)
  }

  private static func numbers(_ bytes: [UInt8], width: Int) -> [UInt64] {
    stride(from: 0, to: bytes.count, by: width).map { unsigned(bytes[$0..<$0 + width]) }
  }

  private static func floats(_ bytes: [UInt8], width: Int) -> [Double] {
    numbers(bytes, width: width).map {
      width == 4 ? Double(Float(bitPattern: UInt32($0))) : Double(bitPattern: $0)
    }
  }

  /// Returns bytes as hexadecimal digits, truncated after ``longestShown`` bytes.
  static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.prefix(longestShown).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self) + (bytes.count > longestShown ? "…" : "")
  }
}

extension MetadataValue: Encodable {
  /// Encodes text and numbers directly, lists of floating-point numbers as arrays, and bytes as hexadecimal digits.
  package func encode(to encoder: any Encoder) throws {
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
  /// The value in human-readable form.
  package var description: String {
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

/// A key of QuickTime metadata and its value.
package struct KeyInspection: Encodable, Hashable, Sendable {
  /// The key's name, usually in reverse-DNS form.
  package let name: String
  /// The well-known type of the value.
  package let type: UInt32
  /// The name of the value's type.
  package let typeName: String
  /// The size of the value in bytes.
  package let size: Int
  /// The value of the key.
  package let value: MetadataValue

  init(_ item: MetadataItems.Item) {
    name = item.name
    type = item.type
    typeName = MetadataValue.name(ofType: item.type)
    size = item.value.count
    value = MetadataValue(type: item.type, bytes: item.value)
  }

  /// Creates an entry for text that is identified by a four-character code.
  init(text: String, named code: String) {
    self.init(
      MetadataItems.Item(name: code, type: 1, locale: 0, value: Array(text.utf8)))
  }
}
