/// The error for bytes that could not be read, decoded or encoded as intended. The error does not name a file; the
/// caller that opened the file adds the file name.
public struct MediaError: Error, Hashable, Sendable, CustomStringConvertible, MessageConvertible {
  /// The problem, as a clause about the file: “its moov atom ends after the file”.
  public var problem: Message
  /// The remedy as a clause; nil if there is no remedy.
  public var remedy: Message?
  /// Whether the file is intact but of an unsupported kind.
  public var isUnsupported: Bool
  /// The library error that caused this error; nil if there is no such cause.
  public var cause: EditError.Cause?

  /// - Parameters:
  ///   - problem: The problem, as a clause about the file.
  ///   - remedy: What the user can do, as a clause.
  ///   - isUnsupported: Whether the file is intact but unsupported.
  public init(_ problem: Message, remedy: Message? = nil, isUnsupported: Bool = false) {
    self.problem = problem
    self.remedy = remedy
    self.isUnsupported = isUnsupported
  }

  /// Creates the error for a file that may be intact but exceeds an adjustable limit.
  ///
  /// - Parameters:
  ///   - limit: The limit that the file exceeds.
  ///   - problem: A clause that describes what exceeds the limit and states the limit's value.
  package init(beyond limit: ReadingLimit, _ problem: Message) {
    self.init(problem, remedy: limit.remedy, isUnsupported: true)
  }

  /// The problem, followed by the remedy if there is one.
  public var message: Message { remedy.map { "\(problem); \($0)" } ?? problem }

  /// The problem and the remedy in English.
  public var description: String { message.description }
}
