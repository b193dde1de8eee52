import Basics
import FileSystem

/// Lines with two columns: a label and its values.
struct TextColumns {
  /// A line that contains either text alone, or a label and text.
  private enum Line {
    case heading(String)
    case row(label: String, words: String)
  }
  private var text: [Line] = []

  private static let labelWidth = 14

  /// The lines in the language of the environment. Labels are padded to the width of the longest label.
  var lines: [Message] {
    let widths = text.map { line in if case .row(let label, _) = line { TerminalText.width(label) } else { 0 }
    }
    let width = max(Self.labelWidth, (widths.max() ?? 0) + 1)
    return text.map { line in
      switch line {
      case .heading(let words): "\(words)"
      case .row(let label, let words): "\("  " + TerminalText.padded(label + " ", to: width) + words)"
      }
    }
  }

  /// Adds a line without columns.
  mutating func heading(_ text: Message) {
    self.text.append(.heading(text.spoken))
  }

  /// Adds a line for each value. The first line has the label. Without values, nothing is added.
  mutating func add(_ label: Message, _ values: [Message]) {
    for (index, value) in values.enumerated() {
      text.append(.row(label: index == 0 ? label.spoken : "", words: value.spoken))
    }
  }

  /// Adds a line; adds nothing if the value is nil.
  mutating func add(_ label: Message, _ value: Message?) {
    add(label, value.map { [$0] } ?? [])
  }

  /// Adds rows of cells. Each column is as wide as its widest cell.
  mutating func add(_ label: Message, rows: [[Message]]) {
    // An empty cell at the end would leave trailing spaces.
    let rows = rows.map { ($0.last?.isEmpty == true ? $0.dropLast() : $0).map(\.spoken) }
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.compactMap { column < $0.count - 1 ? TerminalText.width($0[column]) : nil }.max() ?? 0
    }
    add(label, rows.map { "\(Self.line($0[...], widths))" })
  }

  /// Returns cells on a single line, padded to the widths of their columns. The last cell is not padded.
  static func line(_ cells: ArraySlice<String>, _ widths: [Int]) -> String {
    (zip(cells.dropLast(), widths).map(TerminalText.padded) + cells.suffix(1)).joined(separator: "  ")
  }
}

/// Formats numbers for users.
enum TextNumber {
  /// Formats a number with at most three decimal places and without trailing zeros.
  static func short(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
    let thousandths = Int((abs(value) * 1000).rounded())
    var fraction = String(1000 + thousandths % 1000).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    let sign = value < 0 && thousandths > 0 ? "-" : ""
    return sign + String(thousandths / 1000) + (fraction.isEmpty ? "" : "." + fraction)
  }

  /// Formats a number together with its noun. The noun gets an “s” unless the number is one.
  static func count(_ count: Int, _ noun: String) -> Message {
    let number = [Message.Argument.text(String(count))]
    return .plural(
      count, Message(format: "%1 \(noun)", arguments: number),
      Message(format: "%1 \(noun)s", arguments: number))
  }

  /// Formats a width and a height. Returns nil if either is unknown.
  static func pixels(_ width: Int?, _ height: Int?) -> String? {
    width.flatMap { width in height.map { "\(width)x\($0)" } }
  }

  /// Formats a number of bytes.
  static func bytes(_ count: Int) -> Message { self.count(count, "byte") }
}
