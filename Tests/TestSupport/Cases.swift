import Foundation

/// Selects cases from long lists for `scripts/test --all`, which runs only some of them. Files named `+Long.swift`
/// contain the tests with such lists.
public enum Cases {
  /// Whether every case of every list is run, as scripts/test-all-cases requests.
  public static let areAllRun = ProcessInfo.processInfo.environment["LIVEEDIT_ALL_CASES"] != nil

  /// Returns the cases of a list that this run uses.
  ///
  /// - Parameters:
  ///   - list: All cases.
  ///   - isQuick: Whether a quick run also uses a case, given its index and value.
  public static func chosen<Case>(_ list: [Case], isQuick: (_ index: Int, _ value: Case) -> Bool) -> [Case] {
    areAllRun ? list : list.enumerated().filter { isQuick($0.offset, $0.element) }.map(\.element)
  }
}
