import EditModel
import FileSystem
import LiveEdit

/// Assets as a table. The first lines decide how wide its columns are.
struct AssetTable {
  private static let heading = ["NAME", "KIND", "DATE", "PIXELS", "SECONDS", "CAMERA", "REMARKS"]
  private var widths: [Int] = []

  /// The next lines of the table; a heading comes first.
  mutating func lines(_ assets: [IndexedAsset]) -> [String] {
    guard !assets.isEmpty else { return [] }
    var rows = assets.map(Self.cells)
    if widths.isEmpty {
      rows.insert(Self.heading, at: 0)
      widths = Self.heading.indices.map { column in rows.map { TerminalText.width($0[column]) }.max() ?? 0 }
    }
    return rows.map { cells in
      TextColumns.line(cells[...(cells.lastIndex { !$0.isEmpty } ?? 0)], widths)
    }
  }

  private static func cells(_ asset: IndexedAsset) -> [String] {
    let metadata = asset.metadata
    // To the minute, as the clock showed it.
    let date = metadata.created.map { $0.text.prefix(16).map { $0 == "T" ? " " : $0 } }
    return [
      asset.path, metadata.kind.rawValue, date.map { String($0) } ?? "",
      TextNumber.pixels(metadata.width, metadata.height) ?? "",
      metadata.duration.map { TextNumber.short(($0 * 100).rounded() / 100) } ?? "", metadata.source,
      remarks(asset).joined(separator: "; "),
    ].map(TerminalText.line)
  }

  private static func remarks(_ asset: IndexedAsset) -> [String] {
    let metadata = asset.metadata
    var words = [(asset.isFavourite, "favourite"), (asset.isHidden, "hidden"), (metadata.isEdited, "edited")]
      .filter { $0.0 }.map { $0.1 }
    words += AssetSubtype.allCases.filter(metadata.subtypes.contains).map(\.rawValue)
    return (words.isEmpty ? [] : [words.joined(separator: ", ")]) + metadata.notes
  }
}
