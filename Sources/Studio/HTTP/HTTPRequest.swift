internal import Basics
internal import FoundationEssentials

/// A request that has been received completely.
struct HTTPRequest: Sendable {
  /// The method in upper case.
  var method: String
  /// The decoded path.
  var path: String
  /// The query parameters. If a name occurs several times, the last value is used.
  var query: [String: String] = [:]
  /// The headers, with their names in lower case.
  var headers: [String: String] = [:]
  /// The body.
  var body: [UInt8] = []
  /// Returns whether the client has disconnected; may be called on any thread.
  var isClosed: @Sendable () -> Bool = { false }

  /// Whether the method is `GET` or `HEAD`, which change nothing.
  var isReading: Bool { method == "GET" || method == "HEAD" }

  /// Returns the value of a cookie.
  func cookie(_ name: String) -> String? {
    for part in (headers["cookie"] ?? "").split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2, pair[0].trimmed == name { return pair[1].trimmed }
    }
    return nil
  }

  /// Checks that the client still waits for the response.
  ///
  /// - Throws: ``RouteError/cancelled`` if the client has disconnected or the server is stopping.
  func checkWanted() throws(RouteError) { if isClosed() || Task.isCancelled { throw .cancelled } }

  /// Decodes the body.
  ///
  /// - Throws: ``RouteError`` if the body is not a valid value of the type.
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
