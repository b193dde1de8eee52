internal import Basics
internal import FileSystem
internal import FoundationEssentials
internal import Workflows

/// An answer.
struct HTTPResponse: Sendable {
  /// The part that follows the headers.
  enum Body: Sendable {
    /// These bytes.
    case bytes([UInt8])
    /// A value as JSON; its messages are said in the language of whoever asked.
    case json(any Encodable & Sendable)
    /// A part of a file.
    case file(FileByteSource, Range<Int>)
    /// Events as they come.
    case events(EventStream)
  }

  /// The status of HTTP.
  var status: Int
  /// The headers, in the order in which they are sent.
  var headers: [(name: String, value: String)]
  /// The part that follows them.
  var body: Body

  /// - Parameters:
  ///   - status: the status of HTTP.
  ///   - type: the content type; nil where there is no body.
  ///   - bytes: the body.
  init(_ status: Int, type: String? = nil, _ bytes: [UInt8] = []) {
    (self.status, body) = (status, .bytes(bytes))
    headers = type.map { [("Content-Type", $0)] } ?? []
  }

  /// JSON.
  init(_ status: Int = 200, json: some Encodable & Sendable) {
    self.init(status, type: "application/json")
    body = .json(json)
  }

  /// A failure as a sentence and as an object.
  init(_ error: RouteError) {
    self.init(error.status, json: FailureAnswer(error))
    if error.status == 401 { self["WWW-Authenticate"] = "Bearer" }
    if error.status == 503 { self["Retry-After"] = "1" }
  }

  /// The value of a header that stands there once.
  subscript(name: String) -> String? {
    get { headers.first { $0.name == name }?.value }
    set {
      headers.removeAll { $0.name == name }
      if let newValue { headers.append((name, newValue)) }
    }
  }

  /// A file, or the part of it that a request asks for; 304 where it is known already.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - type: its content type.
  ///   - tag: tells its state.
  ///   - request: the request.
  ///   - name: the name under which it is kept as a download; nil to have it shown.
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
    // A range is of the answer to GET (RFC 9110 section 14.2).
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

  /// The header that has a file kept under a name (RFC 6266, with the coding of RFC 8187).
  private static func attachment(_ name: String) -> String {
    let plain = String(
      name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_. ".contains($0)) ? $0 : "_" })
    return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(name.percentEncoded)"
  }
}

extension String {
  /// The text with all bytes but ASCII letters, ASCII digits, `-`, `_` and `.` percent-encoded (RFC 3986 section 2.1).
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
  /// The response as it is sent (RFC 9112), for one whose body is there already; nothing follows it.
  ///
  /// - Parameter further: headers of every response.
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
