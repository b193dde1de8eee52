import Basics

/// A program or library that finds edits by comparing pictures.
package protocol EditMatcher: Sendable {
  /// Finds the edit that turns one photo into another, without writing files.
  ///
  /// - Parameters:
  ///   - job: The files to compare.
  ///   - isCancelled: A closure that is called from time to time, from any thread; returning true stops the work.
  /// - Throws: ``EditError`` if a file cannot be read or decoded, or if one photo was not made from the other.
  func match(
    _ job: MatchJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> FoundEdit
}
