public import EditModel

/// A change of what an asset is marked as; nil leaves a mark as it is.
public struct MarkChange: Hashable, Sendable {
  /// Whether it shall be a favourite.
  public var favourite: Bool?
  /// Whether it shall be hidden.
  public var hidden: Bool?

  /// - Parameters:
  ///   - favourite: whether it shall be a favourite.
  ///   - hidden: whether it shall be hidden.
  public init(favourite: Bool? = nil, hidden: Bool? = nil) {
    self.favourite = favourite
    self.hidden = hidden
  }
}

/// A named collection of assets of one folder.
public struct Album: Codable, Hashable, Sendable {
  /// Its name.
  public var name: String
  /// The stems of its assets, in the order in which they were added.
  public var stems: [String]
}

extension Library {
  /// Marks assets, all or none. The library must be open for writing.
  ///
  /// - Parameters:
  ///   - stems: the assets' stems, see ``AssetFiles/stem``.
  ///   - change: the marks.
  /// - Returns: the stems of the assets whose marks changed.
  @discardableResult
  public func mark(_ stems: [String], _ change: MarkChange) throws(EditError) -> [String] { [] }

  /// The albums by name.
  public func albums() throws(EditError) -> [Album] { [] }

  /// Makes an empty album.
  ///
  /// - Throws: ``EditError`` when there is one of that name.
  public func createAlbum(_ name: String) throws(EditError) {}

  /// Adds assets to an album; those that are in it already stay where they are.
  ///
  /// - Returns: the stems that were added.
  @discardableResult
  public func add(_ stems: [String], toAlbum name: String) throws(EditError) -> [String] { [] }

  /// Takes assets out of an album.
  ///
  /// - Returns: the stems that were in it.
  @discardableResult
  public func remove(_ stems: [String], fromAlbum name: String) throws(EditError) -> [String] { [] }

  /// Removes an album; its assets stay.
  public func removeAlbum(_ name: String) throws(EditError) {}
}
