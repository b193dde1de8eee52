internal import Basics
internal import FoundationEssentials

/// A request that has arrived whole.
struct HTTPRequest: Sendable {
  /// The method, in upper case.
  var method: String
  /// The path, without its escapes.
  var path: String
  /// The members of the query; of several with one name the last.
  var query: [String: String] = [:]
  /// The headers, their names in lower case.
  var headers: [String: String] = [:]
  /// The body.
  var body: [UInt8] = []
  /// Asked from any thread; true once whoever asked has gone.
  var isClosed: @Sendable () -> Bool = { false }

  /// True for `GET` and `HEAD`, which change nothing.
  var isReading: Bool { method == "GET" || method == "HEAD" }

  /// The value of a cookie.
  func cookie(_ name: String) -> String? {
    for part in (headers["cookie"] ?? "").split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2, pair[0].trimmed == name { return pair[1].trimmed }
    }
    return nil
  }

  /// Makes sure that whoever asked still waits for the answer.
  ///
  /// - Throws: ``RouteError/cancelled`` when they have gone, or the server ends.
  func checkWanted() throws(RouteError) { if isClosed() || Task.isCancelled { throw .cancelled } }

  /// The body as a value.
  ///
  /// - Throws: ``RouteError`` when it is not that.
  func decoded<Value: Decodable>(_ type: Value.Type) throws(RouteError) -> Value {
    do {
      return try JSONText.decode(type, from: body)
    } catch let error as DecodingError {
      throw .usage("the request body is invalid: \(Self.clause(error))")
    } catch {
      throw .usage("the request body is invalid")
    }
  }

  private static func clause(_ error: DecodingError) -> Message {
    func place(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
    return switch error {
    case .keyNotFound(let key, let context): "“\(place(context.codingPath + [key]))” is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "“\(place(context.codingPath))” has the wrong type"
    case .dataCorrupted(let context):
      context.codingPath.isEmpty ? "it is not JSON" : "“\(place(context.codingPath))” is invalid"
    @unknown default: "it cannot be decoded"
    }
  }
}
