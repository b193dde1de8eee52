import Basics
import FoundationEssentials

extension JSONValue {
  /// Reads a property list.
  ///
  /// - Parameter bytes: a binary list, or an XML list in UTF-8.
  /// - Returns: nil when it is none, or larger or deeper than adjustments are.
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

  /// A date of a property list. One that no calendar holds is shown as the number that it is.
  ///
  /// - Parameter seconds: seconds since the beginning of 2001, UTC.
  static func moment(_ seconds: Double) -> JSONValue {
    abs(seconds) < 60_000_000_000
      ? .date(Date(timeIntervalSinceReferenceDate: seconds)) : .finite(seconds)
  }

  /// A number; one that JSON cannot say is shown as text: `inf`, `nan`.
  static func finite(_ number: Double) -> JSONValue {
    number.isFinite ? .number(number) : .string("\(number)")
  }
}
