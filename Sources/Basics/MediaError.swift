/// The error of bytes that could not be read, decoded or encoded as what they should be. It names no file: the caller
/// that opened the file adds the name.
public struct MediaError: Error, Hashable, Sendable, CustomStringConvertible, MessageConvertible {
  /// The problem, as a clause about the file: “its moov atom ends after the file”.
  public var problem: Message
  /// The remedy, as a clause; nil where there is none.
  public var remedy: Message?
  /// True if the file is sound and merely of a kind that is not handled.
  public var isUnsupported: Bool
  /// The error of a library from which it follows; nil if it follows from none.
  public var cause: EditError.Cause?

  /// - Parameters:
  ///   - problem: what is wrong, as a clause about the file.
  ///   - remedy: what the user can do, as a clause.
  ///   - isUnsupported: whether the file is sound and merely not handled.
  public init(_ problem: Message, remedy: Message? = nil, isUnsupported: Bool = false) {
    self.problem = problem
    self.remedy = remedy
    self.isUnsupported = isUnsupported
  }

  /// The error of a file that may be sound, and is beyond a limit that can be set.
  ///
  /// - Parameters:
  ///   - limit: the limit.
  ///   - problem: what the file has too much of, as a clause about it, with the limit's value.
  package init(beyond limit: ReadingLimit, _ problem: Message) {
    self.init(problem, remedy: limit.remedy, isUnsupported: true)
  }

  /// The problem and the remedy.
  public var message: Message { remedy.map { "\(problem); \($0)" } ?? problem }

  /// The problem and the remedy in English.
  public var description: String { message.description }
}
