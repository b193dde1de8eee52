/// An error that consists of a problem, the file concerned and a remedy.
public struct EditError: Error, Codable, Hashable, Sendable, CustomStringConvertible, MessageConvertible {
  /// The kind of error, for use by programs.
  public enum Code: String, Codable, Hashable, Sendable {
    /// The file does not exist.
    case notFound
    /// The operating system refused to read or write.
    case fileSystem
    /// The file is damaged or is not of the required kind.
    case invalidFile
    /// The file is intact, but this version does not support it.
    case unsupported
    /// The halves are ambiguous or do not belong together.
    case pairing
    /// A file that liveedit did not create occupies the path of the result.
    case inTheWay
    /// The catalogue of versions is lost or damaged.
    case damagedLibrary
    /// The original differs from the original that was recorded.
    case changedOriginal
    /// The change is recorded, but some of its files could not be moved. The next time the library is opened, the
    /// change is completed.
    case unfinished
    /// The edit or a setting is out of range.
    case invalidEdit
    /// The render was stopped on request.
    case cancelled
    /// The program's custom frame processor failed or returned an invalid picture.
    case frameProcessor
    /// The asset was changed after the edit began.
    case conflict
    /// The renderer stopped or sent an unreadable reply.
    case renderer
  }

  /// The system or library error that caused an error.
  public enum Cause: Codable, Hashable, Sendable {
    /// An error number of the operating system, as in `errno`.
    case system(Int32)
    /// An error code of FFmpeg's libraries.
    case ffmpeg(Int32)
  }

  /// The kind of error, for use by programs.
  public var code: Code
  /// The path of the file to which the error relates, if any.
  public var file: String?
  /// The problem, as a clause: “is not a JPEG file”.
  public var problem: Message
  /// The remedy, as a clause: “export it again from the phone”.
  public var remedy: Message?
  /// The system or library error that caused this error; nil if there is no such cause.
  public var cause: Cause?

  /// - Parameters:
  ///   - code: The kind of error.
  ///   - file: The path of the file to which the error relates.
  ///   - problem: The problem, as a clause.
  ///   - remedy: What the user can do, as a clause.
  public init(_ code: Code, file: String? = nil, _ problem: Message, remedy: Message? = nil) {
    self.code = code
    self.file = file
    self.problem = problem
    self.remedy = remedy
  }

  /// A single sentence that states the file, the problem and the remedy.
  public var message: Message {
    var message = problem
    if let file { message = "\(file): \(message)" }
    if let remedy { message = "\(message); \(remedy)" }
    return message
  }

  /// The error as an English sentence.
  public var description: String { message.description }
}

extension EditError {
  /// Returns the error for work that was cancelled.
  package static func stopped(_ file: String?) -> EditError {
    EditError(.cancelled, file: file, "the operation was cancelled")
  }

  private enum CodingKeys: String, CodingKey {
    case code, file, problem, remedy, cause
    case problemMessage, remedyMessage
  }

  /// Reads an error, including errors written by older versions.
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

  /// Writes an error as English text. Messages that cannot be restored from their English text are written in addition.
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
  /// Returns whether the error is of this kind, so that a program can catch only this kind of error.
  ///
  ///     do { try await library.performChanges(change) } catch EditError.Code.conflict { print("try again") }
  public static func ~= (code: Self, error: any Error) -> Bool { (error as? EditError)?.code == code }
}
