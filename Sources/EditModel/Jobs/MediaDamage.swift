/// The frames or packets of a track that decode to something else than was encoded, as far as the stream or its decoder tells.
public struct MediaDamage: Codable, Hashable, Sendable {
  /// Frames or packets one after the other.
  public struct Span: Codable, Hashable, Sendable {
    /// The number of the first, counted from 0.
    public var first: Int
    /// The number of the last.
    public var last: Int
    /// The time at which the first begins, in seconds behind the beginning of the track.
    public var start: Double
    /// The time at which the last begins.
    public var end: Double
  }

  /// Their number.
  public private(set) var count = 0
  /// The times at which they lie, the earliest first; of very many the first ones only.
  public private(set) var spans: [Span] = []

  /// Spans beyond these are counted and not kept: the answer of the helper is one line.
  private static let mostSpans = 256

  /// No damage.
  public init() {}

  /// Reads damage.
  ///
  /// - Throws: `DecodingError` for numbers that nothing is counted by.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    count = try container.decode(Int.self, forKey: .count)
    spans = try container.decode([Span].self, forKey: .spans)
    let most = 1 << 40
    guard 0..<most ~= count, spans.allSatisfy({ 0 <= $0.first && $0.first <= $0.last && $0.last < most })
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .spans, in: container, debugDescription: "no numbers of frames")
    }
  }

  /// Adds a frame or packet behind those that it has.
  ///
  /// - Parameters:
  ///   - number: its number, counted from 0.
  ///   - seconds: the time at which it begins, behind the beginning of the track.
  public mutating func add(_ number: Int, at seconds: Double) {
    count += 1
    if let span = spans.last, span.last == number - 1 {
      (spans[spans.count - 1].last, spans[spans.count - 1].end) = (number, seconds)
    } else if spans.count < Self.mostSpans {
      spans.append(Span(first: number, last: number, start: seconds, end: seconds))
    }
  }
}
