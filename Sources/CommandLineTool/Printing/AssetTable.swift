import Basics
import EditModel
import FileSystem
import Workflows

/// A table of assets. The first lines of the table determine the widths of the columns.
struct AssetTable {
  private static let heading: [Message] = [
    "NAME", "KIND", "DATE", "PIXELS", "SECONDS", "CAMERA", "REMARKS",
  ]
  private var widths: [Int] = []

  /// Returns the next lines of the table, starting with a heading.
  mutating func lines(_ assets: [IndexedAsset]) -> [String] {
    guard !assets.isEmpty else { return [] }
    var rows = assets.map(Self.cells)
    if widths.isEmpty {
      rows.insert(Self.heading.map(\.spoken), at: 0)
      widths = Self.heading.indices.map { column in rows.map { TerminalText.width($0[column]) }.max() ?? 0 }
    }
    return rows.map { cells in
      TextColumns.line(cells[...(cells.lastIndex { !$0.isEmpty } ?? 0)], widths)
    }
  }

  private static func cells(_ asset: IndexedAsset) -> [String] {
    let metadata = asset.metadata
    // The local time, shortened to the minute.
    let date = metadata.created.map { $0.text.prefix(16).map { $0 == "T" ? " " : $0 } }
    let seconds: Message =
      metadata.duration.map { "\(decimal: TextNumber.short(($0 * 100).rounded() / 100))" } ?? ""
    return [
      asset.path, metadata.kind.rawValue, date.map { String($0) } ?? "",
      TextNumber.pixels(metadata.width, metadata.height) ?? "", seconds.spoken, metadata.source,
      remarks(asset).joined(separator: "; ").spoken,
    ].map(TerminalText.line)
  }

  private static func remarks(_ asset: IndexedAsset) -> [Message] {
    let metadata = asset.metadata
    var words: [Message] = []
    if asset.isFavourite { words.append("favourite") }
    if asset.isHidden { words.append("hidden") }
    if metadata.isEdited { words.append("edited") }
    words += AssetSubtype.allCases.filter(metadata.subtypes.contains).map { "\($0.rawValue)" }
    return (words.isEmpty ? [] : [words.joined(separator: ", ")]) + metadata.notes
  }
}
