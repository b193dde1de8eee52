/// An error as a sentence: the problem, the file, and the remedy.
public struct EditError: Error, Codable, Hashable, Sendable, CustomStringConvertible, MessageConvertible {
  /// The kind of trouble, for programs.
  public enum Code: String, Codable, Hashable, Sendable {
    /// The file does not exist.
    case notFound
    /// The operating system refused to read or write.
    case fileSystem
    /// The file's bytes are broken, or of another kind than its use needs.
    case invalidFile
    /// The file is sound, but this version cannot handle it.
    case unsupported
    /// The halves are ambiguous or do not belong together.
    case pairing
    /// Something that is not ours stands where the result would go.
    case inTheWay
    /// The catalogue of versions is lost or damaged.
    case damagedLibrary
    /// The original is not the one that was recorded.
    case changedOriginal
    /// The change is recorded, but not all of its files could be moved; the next opening finishes it.
    case unfinished
    /// The edit or a setting is out of range.
    case invalidEdit
    /// The render was stopped on request.
    case cancelled
    /// The program's own frame processor failed, or returned what is no picture.
    case frameProcessor
    /// The asset was changed since the edit was begun.
    case conflict
    /// The renderer died or answered nonsense.
    case renderer
  }

  /// The error of the system or of a library from which an error follows.
  public enum Cause: Codable, Hashable, Sendable {
    /// A value of `errno`.
    case system(Int32)
    /// An error code of FFmpeg's libraries.
    case ffmpeg(Int32)
  }

  /// The kind of trouble, for programs.
  public var code: Code
  /// Path of the file that it is about, if it is about one.
  public var file: String?
  /// The problem, as a clause: “is not a JPEG file”.
  public var problem: Message
  /// The remedy, as a clause: “export it again from the phone”.
  public var remedy: Message?
  /// The error of the system or of a library from which it follows; nil if it follows from none.
  public var cause: Cause?

  /// - Parameters:
  ///   - code: the kind of trouble.
  ///   - file: path of the file that it is about.
  ///   - problem: what is wrong, as a clause.
  ///   - remedy: what to do, as a clause.
  public init(_ code: Code, file: String? = nil, _ problem: Message, remedy: Message? = nil) {
    self.code = code
    self.file = file
    self.problem = problem
    self.remedy = remedy
  }

  /// One sentence: the file, the problem, the remedy.
  public var message: Message {
    var message = problem
    if let file { message = "\(file): \(message)" }
    if let remedy { message = "\(message); \(remedy)" }
    return message
  }

  /// The sentence in English.
  public var description: String { message.description }
}

extension EditError {
  /// The error of work that stops because it was cancelled.
  package static func stopped(_ file: String?) -> EditError {
    EditError(.cancelled, file: file, "the operation was cancelled")
  }

  private enum CodingKeys: String, CodingKey {
    case code, file, problem, remedy, cause
    case problemMessage, remedyMessage
  }

  /// Reads an error, that of an older version too.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(Code.self, forKey: .code),
      file: try container.decodeIfPresent(String.self, forKey: .file),
      try container.decodeIfPresent(Message.self, forKey: .problemMessage)
        ?? container.decode(Message.self, forKey: .problem),
      remedy: try container.decodeIfPresent(Message.self, forKey: .remedyMessage)
        ?? container.decodeIfPresent(Message.self, forKey: .remedy))
    cause = try container.decodeIfPresent(Cause.self, forKey: .cause)
  }

  /// Writes an error: English text, and beside it the messages that it does not say everything of.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(code, forKey: .code)
    try container.encodeIfPresent(file, forKey: .file)
    try container.encode(problem.description, forKey: .problem)
    try container.encodeIfPresent(remedy?.description, forKey: .remedy)
    if !problem.isPlain { try container.encode(problem, forKey: .problemMessage) }
    if let remedy, !remedy.isPlain { try container.encode(remedy, forKey: .remedyMessage) }
    try container.encodeIfPresent(cause, forKey: .cause)
  }
}

extension EditError.Code {
  /// True for an error of this kind, so that a program can catch one kind.
  ///
  ///     do { try await library.performChanges(change) } catch EditError.Code.conflict { print("try again") }
  public static func ~= (code: Self, error: any Error) -> Bool { (error as? EditError)?.code == code }
}
