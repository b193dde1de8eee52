/// The damaged frames or packets of a track: frames or packets that, according to the stream or its decoder, differ
/// from the encoded original.
public struct MediaDamage: Codable, Hashable, Sendable {
  /// A run of consecutive frames or packets.
  public struct Span: Codable, Hashable, Sendable {
    /// The number of the first frame or packet, counted from 0.
    public var first: Int
    /// The number of the last frame or packet.
    public var last: Int
    /// The start time of the first frame or packet, in seconds from the beginning of the track.
    public var start: Double
    /// The start time of the last frame or packet, in seconds from the beginning of the track.
    public var end: Double
  }

  /// The number of damaged frames or packets.
  public private(set) var count = 0
  /// The runs of damaged frames or packets, earliest first. If the track has very many runs, only the first runs are
  /// stored.
  public private(set) var spans: [Span] = []

  /// The maximum number of runs that are stored; later runs are only counted. The limit exists because the helper's
  /// reply is a single line.
  private static let mostSpans = 256

  /// Creates a value that contains no damage.
  public init() {}

  /// Decodes a description of damage.
  ///
  /// - Throws: `DecodingError` if a number is not valid.
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

  /// Adds a frame or packet, which must follow all frames or packets added earlier.
  ///
  /// - Parameters:
  ///   - number: The number of the frame or packet, counted from 0.
  ///   - seconds: The start time of the frame or packet, in seconds from the beginning of the track.
  public mutating func add(_ number: Int, at seconds: Double) {
    count += 1
    if let span = spans.last, span.last == number - 1 {
      (spans[spans.count - 1].last, spans[spans.count - 1].end) = (number, seconds)
    } else if spans.count < Self.mostSpans {
      spans.append(Span(first: number, last: number, start: seconds, end: seconds))
    }
  }
}
