import Basics
import FoundationEssentials

extension JSONValue {
  /// Reads a property list.
  ///
  /// - Parameter bytes: A binary list, or an XML list in UTF-8.
  /// - Returns: nil if the bytes are not a property list, or if the list is larger or more deeply nested than
  ///   adjustment data can be.
  init?(propertyList bytes: [UInt8]) {
    guard bytes.count <= ReadingBudget.largest else { return nil }
    do throws(ReadingBudget.Refusal) {
      if bytes.starts(with: "bplist".utf8) {
        var reader = try BinaryPropertyListReader(bytes)
        self = try reader.value()
      } else {
        var reader = XMLPropertyListReader(bytes)
        self = try reader.value()
      }
    } catch {
      return nil
    }
  }

  /// Returns the JSON value for a date in a property list. A date outside the calendar's range is represented by its
  /// number of seconds.
  ///
  /// - Parameter seconds: The number of seconds since the beginning of 2001, UTC.
  static func moment(_ seconds: Double) -> JSONValue {
    abs(seconds) < 60_000_000_000
      ? .date(Date(timeIntervalSinceReferenceDate: seconds)) : .finite(seconds)
  }

  /// Returns the JSON value for a number. A number that JSON cannot represent becomes text: `inf`, `nan`.
  static func finite(_ number: Double) -> JSONValue {
    number.isFinite ? .number(number) : .string("\(number)")
  }
}
