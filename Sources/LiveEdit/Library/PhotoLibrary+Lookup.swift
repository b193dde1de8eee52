package import Basics
import EditLibrary
import Workflows

extension PhotoLibrary {
  /// Finds the asset that a file belongs to as it is now, on the thread that asks.
  ///
  /// - Parameter name: of an original, a render or adjustment data, without folder.
  /// - Returns: nil where there is none.
  /// - Throws: ``Basics/EditError`` when the folder cannot be read.
  package func findAsset(named name: String) throws(EditError) -> Asset? {
    try AssetIndex(folder: path, layout: layout, refresh: .never, cache: cache, report: report)
      .asset(named: name)
  }

  /// Finds assets by their stems, as albums have them.
  ///
  /// - Returns: an asset for each stem; nil where there is none.
  /// - Throws: ``Basics/EditError`` when the folder cannot be read, or the task was cancelled.
  package func assets(ofStems stems: [String]) async throws(EditError) -> [Asset?] {
    try await asking { index throws(EditError) in
      try stems.map { stem throws(EditError) in try index.asset(ofStem: stem) }
    }
  }

  /// Counts the assets of bursts, without those that are hidden.
  ///
  /// - Throws: ``Basics/EditError`` when the folder cannot be read, or the task was cancelled.
  package func counts(ofBursts bursts: [String]) async throws(EditError) -> [Int] {
    try await asking { index throws(EditError) in try index.counts(ofBursts: bursts) }
  }

  private func asking<Value: Sendable>(
    _ body: @escaping @Sendable (AssetIndex) throws(EditError) -> Value
  ) async throws(EditError) -> Value {
    let (folder, layout, cache, report) = (path, layout, cache, report)
    return try await withWorkerThread(about: folder) { _ throws(EditError) in
      try body(AssetIndex(folder: folder, layout: layout, cache: cache, report: report))
    }
  }
}
