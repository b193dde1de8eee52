import Basics
import FileSystem

/// Lines of two columns: a label, and what there is to say about it.
struct TextColumns {
  /// A line of words, or of a label and words.
  private enum Line {
    case heading(String)
    case row(label: String, words: String)
  }
  private var text: [Line] = []

  private static let labelWidth = 14

  /// The lines in the language of the environment. Labels are padded to the longest.
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

  /// Adds lines whose first one carries the label; nothing when there is nothing to say.
  mutating func add(_ label: Message, _ values: [Message]) {
    for (index, value) in values.enumerated() {
      text.append(.row(label: index == 0 ? label.spoken : "", words: value.spoken))
    }
  }

  /// Adds a line; nothing when the value is nil.
  mutating func add(_ label: Message, _ value: Message?) {
    add(label, value.map { [$0] } ?? [])
  }

  /// Adds rows of cells, each column as wide as its widest cell.
  mutating func add(_ label: Message, rows: [[Message]]) {
    // An empty cell at the end would leave spaces there.
    let rows = rows.map { ($0.last?.isEmpty == true ? $0.dropLast() : $0).map(\.spoken) }
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.compactMap { column < $0.count - 1 ? TerminalText.width($0[column]) : nil }.max() ?? 0
    }
    add(label, rows.map { "\(Self.line($0[...], widths))" })
  }

  /// Cells side by side, each as wide as its column but for the last.
  static func line(_ cells: ArraySlice<String>, _ widths: [Int]) -> String {
    (zip(cells.dropLast(), widths).map(TerminalText.padded) + cells.suffix(1)).joined(separator: "  ")
  }
}

/// Numbers as people read them.
enum TextNumber {
  /// At most three digits behind the point, none that say nothing.
  static func short(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
    let thousandths = Int((abs(value) * 1000).rounded())
    var fraction = String(1000 + thousandths % 1000).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    let sign = value < 0 && thousandths > 0 ? "-" : ""
    return sign + String(thousandths / 1000) + (fraction.isEmpty ? "" : "." + fraction)
  }

  /// A number with its noun, which takes an “s” when there is not just one.
  static func count(_ count: Int, _ noun: String) -> Message {
    let number = [Message.Argument.text(String(count))]
    return .plural(
      count, Message(format: "%1 \(noun)", arguments: number),
      Message(format: "%1 \(noun)s", arguments: number))
  }

  /// A width and a height; nil where one is not known.
  static func pixels(_ width: Int?, _ height: Int?) -> String? {
    width.flatMap { width in height.map { "\(width)x\($0)" } }
  }

  /// Bytes.
  static func bytes(_ count: Int) -> Message { self.count(count, "byte") }
}
