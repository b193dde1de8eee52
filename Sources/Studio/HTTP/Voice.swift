internal import Basics
internal import FoundationEssentials
internal import Languages
internal import Synchronization

/// Translates the messages of a single response into the client's language, and records whether the response contained
/// any messages.
final class Voice: Sendable {
  /// The key under which an encoder stores the voice.
  static let key = CodingUserInfoKey(rawValue: "liveedit.voice")
  /// The speakers created so far. Only a few speakers are possible: five languages, with a decimal point or a decimal
  /// comma.
  private static let speakers = Mutex<[Language: Speaker]>([:])

  private let speaker: Speaker
  private let spoke = Mutex(false)

  /// - Parameter speaker: The speaker that translates the messages.
  init(_ speaker: Speaker) { self.speaker = speaker }

  /// Encodes a response.
  ///
  /// - Returns: The JSON, and whether it contains messages; nil if the response cannot be encoded.
  func encoded(_ value: some Encodable) -> (json: [UInt8], hasMessages: Bool)? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
    if let key = Self.key { encoder.userInfo[key] = self }
    guard let data = try? encoder.encode(value) else { return nil }
    return (Array(data), spoke.withLock { $0 })
  }

  func text(_ message: Message) -> String {
    spoke.withLock { $0 = true }
    return speaker.text(message)
  }

  /// Returns the speaker of a language.
  static func speaker(_ language: Language) -> Speaker {
    speakers.withLock { known in
      if let speaker = known[language] { return speaker }
      let speaker = Speaker(language)
      known[language] = speaker
      return speaker
    }
  }
}

/// A message in a response, encoded as text.
struct Spoken: Encodable, Sendable {
  /// The message that is encoded.
  let message: Message

  /// - Parameter message: The message.
  init(_ message: Message) { self.message = message }

  func encode(to encoder: any Encoder) throws {
    let voice = Voice.key.flatMap { encoder.userInfo[$0] as? Voice }
    var container = encoder.singleValueContainer()
    try container.encode(voice?.text(message) ?? message.description)
  }
}

extension HTTPRequest {
  /// The speaker for the language that the client prefers among the supported languages; English if the client states
  /// no language.
  var speaker: Speaker { Voice.speaker(Language(accepted: headers["accept-language"] ?? "")) }
}

extension HTTPResponse {
  /// Returns the response with its JSON encoded as bytes in a language.
  func said(by speaker: Speaker) -> HTTPResponse {
    guard case .json(let value) = body else { return self }
    var answer = self
    guard let (json, hasMessages) = Voice(speaker).encoded(value) else {
      // A response that cannot be encoded is reported as a server error.
      (answer.status, answer.body) = (500, .bytes(Array("{}".utf8)))
      return answer
    }
    answer.body = .bytes(json)
    if hasMessages { answer.tell(speaker.language) }
    return answer
  }

  /// Sets the headers that state the language of the response.
  mutating func tell(_ language: Language) {
    self["Content-Language"] = language.name.rawValue
    self["Vary"] = "Accept-Language"
  }
}
