import Foundation

/// Long lists of cases, of which `scripts/test --all` takes some. The tests that go over them are in files named `+Long.swift`.
public enum Cases {
  /// True if every case of every list is run, as scripts/test-all-cases asks for.
  public static let areAllRun = ProcessInfo.processInfo.environment["LIVEEDIT_ALL_CASES"] != nil

  /// The cases of a list that this run takes.
  ///
  /// - Parameters:
  ///   - list: all of them.
  ///   - isQuick: whether a quick run takes a case too, by its index and value.
  public static func chosen<Case>(_ list: [Case], isQuick: (_ index: Int, _ value: Case) -> Bool) -> [Case] {
    areAllRun ? list : list.enumerated().filter { isQuick($0.offset, $0.element) }.map(\.element)
  }
}
