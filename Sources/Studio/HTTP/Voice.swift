internal import Basics
internal import FoundationEssentials
internal import Languages
internal import Synchronization

/// Says the messages of one answer in the language of whoever asked, and notes whether there were any.
final class Voice: Sendable {
  /// Where an encoder keeps it.
  static let key = CodingUserInfoKey(rawValue: "liveedit.voice")
  /// Those who were needed. There are few: five languages, with a decimal point or comma.
  private static let speakers = Mutex<[Language: Speaker]>([:])

  private let speaker: Speaker
  private let spoke = Mutex(false)

  /// - Parameter speaker: says the messages.
  init(_ speaker: Speaker) { self.speaker = speaker }

  /// Encodes an answer.
  ///
  /// - Returns: its JSON, and true if there are messages in it; nil where it cannot be encoded.
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

  /// The speaker of a language.
  static func speaker(_ language: Language) -> Speaker {
    speakers.withLock { known in
      if let speaker = known[language] { return speaker }
      let speaker = Speaker(language)
      known[language] = speaker
      return speaker
    }
  }
}

/// A message in an answer. It is encoded as text.
struct Spoken: Encodable, Sendable {
  /// The message.
  let message: Message

  /// - Parameter message: the message.
  init(_ message: Message) { self.message = message }

  func encode(to encoder: any Encoder) throws {
    let voice = Voice.key.flatMap { encoder.userInfo[$0] as? Voice }
    var container = encoder.singleValueContainer()
    try container.encode(voice?.text(message) ?? message.description)
  }
}

extension HTTPRequest {
  /// Speaks the language that whoever asks prefers of those that liveedit speaks; English where nothing is said.
  var speaker: Speaker { Voice.speaker(Language(accepted: headers["accept-language"] ?? "")) }
}

extension HTTPResponse {
  /// The answer with its JSON as bytes, in a language.
  func said(by speaker: Speaker) -> HTTPResponse {
    guard case .json(let value) = body else { return self }
    var answer = self
    guard let (json, hasMessages) = Voice(speaker).encoded(value) else {
      // What cannot be encoded is a mistake of the server, and told as one.
      (answer.status, answer.body) = (500, .bytes(Array("{}".utf8)))
      return answer
    }
    answer.body = .bytes(json)
    if hasMessages { answer.tell(speaker.language) }
    return answer
  }

  /// Says in its headers that it is in a language that was asked for.
  mutating func tell(_ language: Language) {
    self["Content-Language"] = language.name.rawValue
    self["Vary"] = "Accept-Language"
  }
}
