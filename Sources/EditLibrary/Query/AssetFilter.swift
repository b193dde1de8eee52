public import Basics

/// A condition on assets, written in a small language: `kind = live and date >= 2024-05`.
///
///     let filter = try AssetFilter("favourite and near 48.137,11.575 within 5km")
public struct AssetFilter: Hashable, Sendable {
  /// The expression as it was written.
  public let text: String
  let condition: FilterCondition

  /// Reads an expression.
  ///
  /// - Parameter text: the expression.
  /// - Throws: ``FilterError``, which says where and what was expected.
  public init(_ text: String) throws(FilterError) {
    self.text = text
    var parser = try FilterParser(text)
    condition = try parser.parse()
  }
}

/// The error that says why a filter cannot be understood.
public struct FilterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The characters before the place where reading stopped.
  public var position: Int
  /// The problem there and what was expected, as a clause.
  public var message: Message
  /// The unknown word, if the problem is one.
  public var word: String?
  /// The words that would have been right in its place.
  public var known: [String] = []

  /// The place, counted from 1, and what is wrong there.
  public var description: String { "at character \(position + 1): \(message)" }
}
