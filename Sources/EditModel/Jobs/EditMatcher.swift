import Basics

/// A program or library that finds edits by comparing pictures.
package protocol EditMatcher: Sendable {
  /// Finds the edit that made one photo of another, and writes nothing.
  ///
  /// - Parameters:
  ///   - job: the files.
  ///   - isCancelled: asked now and then, from any thread; true stops the work.
  /// - Throws: ``EditError`` when a file cannot be read or decoded, or when the one photo was not made of the other.
  func match(
    _ job: MatchJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> FoundEdit
}
