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

/// An asset as `list --json` prints it. Unknown values are left out.
struct ListedAsset: Encodable {
  private enum CodingKeys: CodingKey {
    case kind, subtypes, camera, make, model, software, width, height, date, dateSource
    case modified, location, duration, size, burst, representsBurst, favourite, hidden, edited, format, notes
  }

  let asset: IndexedAsset

  func encode(to encoder: any Encoder) throws {
    let metadata = asset.metadata
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(metadata.kind, forKey: .kind)
    let subtypes = AssetSubtype.allCases.filter(metadata.subtypes.contains)
    try members.encode(subtypes.map(\.rawValue), forKey: .subtypes)
    try members.encode(metadata.source, forKey: .camera)
    try members.encodeIfPresent(metadata.make, forKey: .make)
    try members.encodeIfPresent(metadata.model, forKey: .model)
    try members.encodeIfPresent(metadata.software, forKey: .software)
    try members.encodeIfPresent(metadata.width, forKey: .width)
    try members.encodeIfPresent(metadata.height, forKey: .height)
    try members.encodeIfPresent(metadata.created?.text, forKey: .date)
    try members.encodeIfPresent(metadata.created?.source, forKey: .dateSource)
    let modified = CaptureDate(wallClock: metadata.modified, offset: 0, source: .exif).text
    try members.encode(modified, forKey: .modified)
    try members.encodeIfPresent(metadata.location, forKey: .location)
    try members.encodeIfPresent(metadata.duration, forKey: .duration)
    try members.encode(metadata.size, forKey: .size)
    try members.encodeIfPresent(metadata.burst, forKey: .burst)
    if metadata.burst != nil { try members.encode(asset.representsBurst, forKey: .representsBurst) }
    try members.encode(asset.isFavourite, forKey: .favourite)
    try members.encode(asset.isHidden, forKey: .hidden)
    try members.encode(metadata.isEdited, forKey: .edited)
    try members.encodeIfPresent(metadata.adjustmentFormat, forKey: .format)
    try members.encode(metadata.notes, forKey: .notes)
  }
}
