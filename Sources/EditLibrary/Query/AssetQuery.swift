/// A query for assets: a filter, a sort order and a limit.
public struct AssetQuery: Hashable, Sendable {
  /// A sort order of assets. Assets without the value come last, and assets with equal values are sorted by name.
  public struct Order: Hashable, Sendable {
    /// The field by which assets are sorted, see ``AssetField``.
    public var field: AssetField
    /// Whether the greatest value comes first.
    public var isDescending: Bool

    /// Creates a sort order.
    ///
    /// - Parameters:
    ///   - field: The field by which assets are sorted.
    ///   - isDescending: Whether the greatest value comes first.
    public init(_ field: AssetField, isDescending: Bool = false) {
      self.field = field
      self.isDescending = isDescending
    }
  }

  /// The condition that assets must meet, or nil for all assets.
  public var filter: AssetFilter?
  /// The order in which assets are returned.
  public var order: Order
  /// The maximum number of assets, or nil for no limit.
  public var limit: Int?
  /// Whether hidden assets are included. A filter that uses `hidden` finds them in any case.
  public var includesHidden: Bool

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - filter: The condition that assets must meet.
  ///   - order: The sort order; the default is by name.
  ///   - limit: The maximum number of assets.
  ///   - includesHidden: Whether hidden assets are included.
  public init(
    filter: AssetFilter? = nil, order: Order = Order(.name), limit: Int? = nil, includesHidden: Bool = false
  ) {
    self.filter = filter
    self.order = order
    self.limit = limit
    self.includesHidden = includesHidden
  }
}

extension AssetQuery.Order {
  /// Whether an asset comes before another. Assets from different folders can be compared, and assets with equal values
  /// are sorted by their paths.
  public func areInOrder(_ first: IndexedAsset, _ second: IndexedAsset) -> Bool {
    if field == .name {
      return isDescending ? first.path > second.path : first.path < second.path
    }
    let (one, other) = (SortKey(first, field), SortKey(second, field))
    if one == other { return first.path < second.path }
    if one == .none || other == .none { return other == .none }
    return isDescending ? other < one : one < other
  }

  /// The value by which an asset is sorted.
  private enum SortKey: Comparable {
    case none
    case number(Double)
    case text(String)

    init(_ asset: IndexedAsset, _ field: AssetField) {
      let metadata = asset.metadata
      func number(_ value: Int?) -> SortKey { value.map { .number(Double($0)) } ?? .none }
      func text(_ value: String?) -> SortKey { value.map { .text($0.lowercased()) } ?? .none }
      func flag(_ value: Bool) -> SortKey { .number(value ? 1 : 0) }
      self =
        switch field {
        case .name, .album, .subtype, .location, .representative, .disagreeing: .none
        case .camera: text(metadata.source)
        case .make: text(metadata.make)
        case .model: text(metadata.model)
        case .software: text(metadata.software)
        case .format: text(metadata.adjustmentFormat)
        case .burst: text(metadata.burst)
        case .kind: text(metadata.kind.rawValue)
        case .width: number(metadata.width)
        case .height: number(metadata.height)
        case .pixels: number(metadata.width.flatMap { width in metadata.height.map { width &* $0 } })
        case .size: number(metadata.size)
        case .duration: metadata.duration.map { .number($0) } ?? .none
        case .latitude: metadata.location.map { .number($0.latitude) } ?? .none
        case .longitude: metadata.location.map { .number($0.longitude) } ?? .none
        case .altitude: metadata.location?.altitude.map { .number($0) } ?? .none
        case .date: number(metadata.created?.instant)
        case .modified: number(metadata.modified)
        case .favourite: flag(asset.isFavourite)
        case .hidden: flag(asset.isHidden)
        case .edited: flag(metadata.isEdited)
        }
    }
  }
}
