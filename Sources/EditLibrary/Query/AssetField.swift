/// A field of an asset, under the name that filters and `--sort` use.
public enum AssetField: String, Hashable, Sendable, CaseIterable {
  // Text fields.
  case name, camera, make, model, software, format, burst, album
  // Fields with a fixed set of words.
  case kind, subtype
  // Number fields.
  case width, height, pixels, size, duration, latitude, longitude, altitude
  // Date fields.
  case date, modified
  // Boolean fields.
  case favourite, hidden, edited, representative, disagreeing
  // A location.
  case location

  /// The kinds of values that a field can have.
  public enum ValueKind: Hashable, Sendable {
    case text, word, number, date, flag, place
  }

  /// The kind of the field's values.
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

  /// Whether assets can be sorted by the field.
  public var isSortable: Bool {
    switch self {
    case .subtype, .album, .representative, .disagreeing, .location: false
    default: true
    }
  }
}
