import FileSystem

/// Lines of two columns: a label, and what there is to say about it.
struct TextColumns {
  private(set) var lines: [String] = []

  private static let labelWidth = 14

  /// Adds a line without columns.
  mutating func heading(_ text: String) {
    lines.append(text)
  }

  /// Adds lines whose first one carries the label; nothing when there is nothing to say.
  mutating func add(_ label: String, _ values: [String]) {
    for (index, value) in values.enumerated() {
      let name = index == 0 ? label : ""
      lines.append("  " + TerminalText.padded(name + " ", to: Self.labelWidth) + value)
    }
  }

  /// Adds a line; nothing when the value is nil.
  mutating func add(_ label: String, _ value: String?) {
    add(label, value.map { [$0] } ?? [])
  }

  /// Adds rows of cells, each column as wide as its widest cell.
  mutating func add(_ label: String, rows: [[String]]) {
    // An empty cell at the end would leave spaces there.
    let rows = rows.map { $0.last == "" ? $0.dropLast() : $0 }
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.compactMap { column < $0.count - 1 ? TerminalText.width($0[column]) : nil }.max() ?? 0
    }
    add(label, rows.map { Self.line($0[...], widths) })
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
  static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  /// A width and a height; nil where one is not known.
  static func pixels(_ width: Int?, _ height: Int?) -> String? {
    width.flatMap { width in height.map { "\(width)x\($0)" } }
  }

  /// Bytes.
  static func bytes(_ count: Int) -> String { self.count(count, "byte") }
}
