public import Basics

/// A condition on assets, written in a small query language: `kind = live and date >= 2024-05`.
///
///     let filter = try AssetFilter("favourite and near 48.137,11.575 within 5km")
public struct AssetFilter: Hashable, Sendable {
  /// The filter expression as it was written.
  public let text: String
  let condition: FilterCondition

  /// Parses an expression.
  ///
  /// - Parameter text: The expression.
  /// - Throws: ``FilterError`` with the position of the error and what was expected there.
  public init(_ text: String) throws(FilterError) {
    self.text = text
    var parser = try FilterParser(text)
    condition = try parser.parse()
  }
}

/// The error that explains why a filter cannot be parsed.
public struct FilterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of characters before the position at which parsing stopped.
  public var position: Int
  /// The problem at that position and what was expected there, as a clause.
  public var message: Message
  /// The unknown word, if the problem is an unknown word.
  public var word: String?
  /// The words that would have been accepted at that position.
  public var known: [String] = []

  /// The position, counted from 1, and the problem there.
  public var description: String { "at character \(position + 1): \(message)" }
}
