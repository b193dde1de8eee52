import Basics
import Workflows

/// The parts of a HEIC photo, arranged in columns.
enum HEIFText {
  /// Describes the picture's encoding on a single line.
  static func line(_ coding: HEIFInspection.Coding) -> Message {
    let tiles: Message =
      coding.columns * coding.rows == 1
      ? "not tiled" : "\(coding.columns)x\(coding.rows) tiles of \(coding.tileWidth)x\(coding.tileHeight)"
    let format = [coding.codec, coding.subsampling].compactMap { $0 }.joined(separator: ", ")
    return "\(format), \(coding.bitDepth) bit, \(tiles)"
  }

  /// Returns the cells for a track: its number, kinds, size in pixels, rotation, pictures and references.
  static func row(_ track: HEIFInspection.Track) -> [Message] {
    let references = track.references.map { reference in
      "\(reference.kind) " + reference.items.map { String($0) }.joined(separator: ", ")
    }
    return [
      "\(track.number)", "\(track.handler) \(track.format)",
      "\(TextNumber.pixels(track.width, track.height) ?? "")",
      track.orientation.map { "orientation \($0)" } ?? "no standard orientation",
      "\(TextNumber.count(track.sampleCount, "picture")) in \(decimal: TextNumber.short(track.seconds)) s",
      "\(references.joined(separator: "; "))",
    ]
  }

  /// Returns the cells for each item: its number, type, size in pixels, size in bytes and role. Consecutive items that
  /// differ only in their size in bytes share a line.
  static func rows(_ inspection: HEIFInspection) -> [[Message]] {
    let owners = Dictionary(
      inspection.items.flatMap { item in
        item.references.filter { $0.kind == "dimg" }.flatMap { $0.items.map { ($0, item.number) } }
      }
    ) { first, _ in first }
    var rows: [[Message]] = []
    var run: [HEIFInspection.Item] = []
    func end() {
      guard let first = run.first, let last = run.last else { return }
      let numbers = run.count == 1 ? String(first.number) : "\(first.number)–\(last.number)"
      let pixels = TextNumber.pixels(first.width, first.height) ?? ""
      let size = run.reduce(0) { $0 + ($1.size ?? 0) }
      rows.append([
        "\(numbers)", "\(first.type)", "\(pixels)", TextNumber.bytes(size), words(run, owners[first.number]),
      ])
      run = []
    }
    for item in inspection.items {
      if let last = run.last, !isAlike(last, item) || owners[last.number] != owners[item.number] { end() }
      run.append(item)
    }
    end()
    return rows
  }

  private static func isAlike(_ one: HEIFInspection.Item, _ other: HEIFInspection.Item) -> Bool {
    one.type == other.type && one.role == "tile" && other.role == "tile" && one.references.isEmpty
      && other.references.isEmpty && one.properties == other.properties
  }

  private static func words(_ run: [HEIFInspection.Item], _ owner: UInt32?) -> Message {
    guard let item = run.first else { return "" }
    if item.role == "tile", let owner { return "\(TextNumber.count(run.count, "tile")) of \(owner)" }
    let turn = item.orientation.map { InspectionText.words(orientation: $0) }
    let links = item.references.map { reference -> Message in
      let items = reference.items
      let isRun = items.count > 2 && zip(items, items.dropFirst()).allSatisfy { Int($1) - Int($0) == 1 }
      let list =
        isRun ? "\(items[0])–\(items[items.count - 1])" : items.map { String($0) }.joined(separator: ", ")
      return switch reference.kind {
      case "dimg": "made of \(list)"
      case "thmb", "auxl": "of \(list)"
      case "cdsc": "describes \(list)"
      default: "\(reference.kind) \(list)"
      }
    }
    let role = item.role == "XMP" || item.role == item.type ? nil : item.role
    let type = item.role == "XMP" ? "XMP" : item.contentType
    return ([role.map { "\($0)" }, type.map { "\($0)" }, turn] + links).compactMap { $0 }
      .joined(separator: ", ")
  }
}
