import FoundationEssentials

/// Bounds how much is read of one property list or JSON document: so many values, so many bytes of text and data, so
/// deep. Foundation's reader of property lists has no such bounds.
struct ReadingBudget {
  /// No adjustments are larger (painted masks can be megabytes), neither as a file nor unfolded.
  static let largest = 16 << 20
  /// Apple's adjustments nest four levels.
  private static let deepest = 64

  private var values = StructuredValue.mostValues
  private var bytes = largest

  /// A list that is broken, or larger or deeper than any real one.
  struct Refusal: Error {}

  /// Takes one value from what is left.
  ///
  /// - Parameters:
  ///   - bytes: how long its text or data is in the file.
  ///   - depth: in how many others it lies.
  mutating func spend(bytes count: Int = 0, depth: Int) throws(Refusal) {
    guard values > 0, bytes >= count, depth <= Self.deepest else { throw Refusal() }
    values -= 1
    bytes -= count
  }
}

extension StructuredValue {
  /// No adjustments have more values: a long brush stroke has some thousand numbers.
  static let mostValues = 1 << 17

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
  static func moment(_ seconds: Double) -> StructuredValue {
    abs(seconds) < 60_000_000_000
      ? .date(Date(timeIntervalSinceReferenceDate: seconds)) : .finite(seconds)
  }

  /// A number; one that JSON cannot say is shown as text: `inf`, `nan`.
  static func finite(_ number: Double) -> StructuredValue {
    number.isFinite ? .number(number) : .string("\(number)")
  }
}
