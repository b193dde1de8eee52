/// A field of an asset, by the name that filters and `--sort` use.
public enum AssetField: String, Hashable, Sendable, CaseIterable {
  // Text.
  case name, camera, make, model, software, format, burst, album
  // Words of a fixed set.
  case kind, subtype
  // Numbers.
  case width, height, pixels, size, duration, latitude, longitude, altitude
  // Dates.
  case date, modified
  // True or false.
  case favourite, hidden, edited, representative, disagreeing
  // A place.
  case location

  /// The kinds of values.
  public enum ValueKind: Hashable, Sendable {
    case text, word, number, date, flag, place
  }

  /// The kind of its values.
  public var valueKind: ValueKind {
    switch self {
    case .name, .camera, .make, .model, .software, .format, .burst, .album: .text
    case .kind, .subtype: .word
    case .width, .height, .pixels, .size, .duration, .latitude, .longitude, .altitude: .number
    case .date, .modified: .date
    case .favourite, .hidden, .edited, .representative, .disagreeing: .flag
    case .location: .place
    }
  }

  /// True if assets can be put in its order.
  public var isSortable: Bool {
    switch self {
    case .subtype, .album, .representative, .disagreeing, .location: false
    default: true
    }
  }
}
