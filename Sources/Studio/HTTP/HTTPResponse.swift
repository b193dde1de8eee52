internal import Basics
internal import FileSystem
internal import FoundationEssentials
internal import Workflows

/// An HTTP response.
struct HTTPResponse: Sendable {
  /// The body of a response.
  enum Body: Sendable {
    /// The given bytes.
    case bytes([UInt8])
    /// A value as JSON. The messages in the value are translated into the client's language.
    case json(any Encodable & Sendable)
    /// A range of bytes in a file.
    case file(FileByteSource, Range<Int>)
    /// A stream of events.
    case events(EventStream)
  }

  /// The HTTP status.
  var status: Int
  /// The headers in the order in which they are sent.
  var headers: [(name: String, value: String)]
  /// The body.
  var body: Body

  /// - Parameters:
  ///   - status: The HTTP status.
  ///   - type: The content type; nil if the response has no body.
  ///   - bytes: The body.
  init(_ status: Int, type: String? = nil, _ bytes: [UInt8] = []) {
    (self.status, body) = (status, .bytes(bytes))
    headers = type.map { [("Content-Type", $0)] } ?? []
  }

  /// Creates a JSON response.
  init(_ status: Int = 200, json: some Encodable & Sendable) {
    self.init(status, type: "application/json")
    body = .json(json)
  }

  /// Creates a response that describes an error, both as a sentence and as an object.
  init(_ error: RouteError) {
    self.init(error.status, json: FailureAnswer(error))
    if error.status == 401 { self["WWW-Authenticate"] = "Bearer" }
    if error.status == 503 { self["Retry-After"] = "1" }
  }

  /// The value of a header that occurs at most once.
  subscript(name: String) -> String? {
    get { headers.first { $0.name == name }?.value }
    set {
      headers.removeAll { $0.name == name }
      if let newValue { headers.append((name, newValue)) }
    }
  }

  /// Creates a response with a file or with the requested part of the file. If the client already has the file, the
  /// response has status 304.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - type: The content type of the file.
  ///   - tag: The tag of the file's current state.
  ///   - request: The request.
  ///   - name: The file name for a download; nil to display the file instead.
  init(
    file source: FileByteSource, type: String, tag: EntityTag, for request: HTTPRequest,
    downloadAs name: String? = nil
  ) {
    self.init(200, type: type)
    self["ETag"] = tag.header
    self["Accept-Ranges"] = "bytes"
    if let name { self["Content-Disposition"] = Self.attachment(name) }
    if tag.isNamed(in: request.headers["if-none-match"]) {
      status = 304
      self["Content-Type"] = nil
      return
    }
    let count = source.count
    // Ranges apply only to GET (RFC 9110 section 14.2).
    let asked = request.method == "GET" && tag.allowsRange(request.headers["if-range"])
    switch ByteRange(asked ? request.headers["range"] : nil, of: count) {
    case .whole: body = .file(source, 0..<count)
    case .part(let range):
      status = 206
      self["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)"
      body = .file(source, range)
    case .unsatisfiable:
      status = 416
      self["Content-Range"] = "bytes */\(count)"
      self["Content-Type"] = nil
    }
  }

  /// Returns the header that makes a browser save a file under a given name (RFC 6266, with the encoding of RFC 8187).
  private static func attachment(_ name: String) -> String {
    let plain = String(
      name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_. ".contains($0)) ? $0 : "_" })
    return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(name.percentEncoded)"
  }
}

extension String {
  /// The text in which all bytes except ASCII letters, ASCII digits, `-`, `_` and `.` are percent-encoded (RFC 3986
  /// section 2.1).
  var percentEncoded: String {
    utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      let isPlain = byte < 128 && (character.isLetter || character.isNumber || "-_.".contains(character))
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain ? String(character) : "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }
}

extension HTTPResponse {
  /// Returns the bytes of a complete response (RFC 9112), after which the connection is closed.
  ///
  /// - Parameter further: Additional headers, which every response includes.
  func text(with further: [(name: String, value: String)]) -> [UInt8] {
    guard case .bytes(let bytes) = body else { return [] }
    let all =
      headers + further.filter { self[$0.name] == nil } + [
        ("Content-Length", "\(bytes.count)"), ("Connection", "close"),
      ]
    let lines = ["HTTP/1.1 \(status) "] + all.map { "\($0.name): \($0.value)" } + ["", ""]
    return Array(lines.joined(separator: "\r\n").utf8) + bytes
  }
}
