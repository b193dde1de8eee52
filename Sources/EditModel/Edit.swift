/// What an edit does to a photo and its movie: parameters, not a list of commands.
///
/// Two edits that look the same are equal, whatever the way that led to them: four right turns are no
/// edit, two flips cancel.
public struct Edit: Codable, Hashable, Sendable {
  /// How the displayed picture is turned and mirrored.
  public var orientation: Orientation

  /// The edit that changes nothing.
  public static let identity = Edit()

  /// - Parameter orientation: how the displayed picture is turned and mirrored.
  public init(orientation: Orientation = .identity) {
    self.orientation = orientation
  }

  /// Whether nothing is changed, so that nothing is rendered.
  public var isIdentity: Bool { self == .identity }

  /// This edit with a further turn or flip of what it displays.
  public func turned(_ further: Orientation) -> Edit {
    var edit = self
    edit.orientation = orientation.then(further)
    return edit
  }
}
