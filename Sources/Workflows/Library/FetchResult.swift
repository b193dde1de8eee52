public import Basics
public import EditLibrary
import Synchronization

/// The assets that a fetch found, in order. Only their identifiers are kept in memory; the assets are read in pages.
///
/// An asset that no longer exists when it is read is omitted.
///
///     let result = try await library.fetchAssets(FetchOptions(filter: try AssetFilter("favourite")))
///     let firstPage = try await result.assets(in: 0..<20)
///     print(firstPage.count, "of", result.count)
public final class FetchResult: Sendable, AsyncSequence {
  /// The element of the sequence.
  public typealias Element = EditLibrary.IndexedAsset

  /// The number of assets that were found.
  public var count: Int { identifiers.count }

  private let identifiers: [Int64]
  private let index: Mutex<AssetIndex>

  /// The number of assets in a page.
  private static let pageSize = 256

  init(identifiers: [Int64], index: sending AssetIndex) {
    self.identifiers = identifiers
    index.expectChanges()
    self.index = Mutex(index)
  }

  /// Returns some of the assets.
  ///
  /// - Parameter range: The range of indices, starting at 0. Indices beyond ``count`` are ignored.
  /// - Throws: ``Basics/EditError`` if the catalogue cannot be read or the task was cancelled.
  public func assets(in range: Range<Int>) async throws(EditError) -> [EditLibrary.IndexedAsset] {
    let wanted = identifiers[range.clamped(to: identifiers.indices)]
    return try await withWorkerThread(about: nil) { _ throws(EditError) in
      try self.index.withLock { index throws(EditError) in try index.assets(wanted) }
    }
  }

  /// Returns an iterator over all assets.
  public func makeAsyncIterator() -> Iterator { Iterator(result: self) }

  /// An iterator that reads the assets page by page.
  public struct Iterator: AsyncIteratorProtocol {
    private let result: FetchResult
    private var next = 0
    private var page: ArraySlice<IndexedAsset> = []

    fileprivate init(result: FetchResult) { self.result = result }

    /// Returns the next asset, or nil after the last asset.
    ///
    /// - Throws: ``Basics/EditError``, see ``FetchResult/assets(in:)``.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(EditError) -> EditLibrary.IndexedAsset? {
      while page.isEmpty, next < result.count {
        let end = Swift.min(next + FetchResult.pageSize, result.count)
        page = try await result.assets(in: next..<end)[...]
        next = end
      }
      return page.popFirst()
    }

    /// Returns the next asset, or nil after the last asset.
    public mutating func next() async throws(EditError) -> EditLibrary.IndexedAsset? {
      try await next(isolation: nil)
    }
  }
}
