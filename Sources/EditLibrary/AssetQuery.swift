/// Which assets are wanted, and in what order.
public struct AssetQuery: Hashable, Sendable {
  /// An order of assets. Assets without the value come last, equal ones by name.
  public struct Order: Hashable, Sendable {
    /// The field, see ``AssetField``.
    public var field: AssetField
    /// Whether the greatest comes first.
    public var isDescending: Bool

    /// - Parameters:
    ///   - field: the field.
    ///   - isDescending: whether the greatest comes first.
    public init(_ field: AssetField, isDescending: Bool = false) {
      self.field = field
      self.isDescending = isDescending
    }
  }

  /// What must hold of them; nil for all.
  public var filter: AssetFilter?
  /// The order.
  public var order: Order
  /// How many at most; nil for all.
  public var limit: Int?
  /// Whether hidden ones are among them. A filter that asks for `hidden` finds them in any case.
  public var includesHidden: Bool

  /// - Parameters:
  ///   - filter: what must hold of them.
  ///   - order: the order; by name unless said otherwise.
  ///   - limit: how many at most.
  ///   - includesHidden: whether hidden ones are among them.
  public init(
    filter: AssetFilter? = nil, order: Order = Order(.name), limit: Int? = nil, includesHidden: Bool = false
  ) {
    self.filter = filter
    self.order = order
    self.limit = limit
    self.includesHidden = includesHidden
  }
}
