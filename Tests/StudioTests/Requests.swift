import Foundation
import TestSupport

extension RunningServer {
  /// A response to a request.
  struct Reply {
    var status: Int
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    var text: String { String(decoding: body, as: UTF8.self) }
    var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:] }
    /// The error code of a failure.
    var code: String? { (json["error"] as? [String: Any])?["code"] as? String }

    /// Creates a response from its head.
    ///
    /// - Parameter head: The lines before the body.
    /// - Returns: nil if the first line has no status.
    init?(_ head: String) {
      let lines = head.components(separatedBy: "\r\n")
      guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
        return nil
      }
      self.status = status
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
      }
    }
  }

  /// Sends a request over a separate connection, and receives the response (RFC 9112).
  ///
  /// - Parameters:
  ///   - path: The part of the target after the address. It is sent unchanged, including dots.
  ///   - headers: Further header fields.
  ///   - body: The body of a POST, or nil for a GET.
  ///   - token: The token in `Authorization`, or nil to omit the field.
  func ask(
    _ path: String, _ headers: [String] = [], body: String? = nil, token: String? = RunningServer.token
  ) throws -> Reply {
    let socket = address.hasPrefix("unix:") ? folder.file(String(address.dropFirst(5))).path : nil
    let connection =
      try socket.map { try RawConnection(socket: $0, seconds: 300) }
      ?? RawConnection(port: port, seconds: 300)
    let host = socket == nil ? "127.0.0.1:\(port)" : "localhost"
    let place = socket == nil ? address.split(separator: "/", maxSplits: 2).dropFirst(2).first ?? "" : ""
    var lines = ["\(body == nil ? "GET" : "POST") /\(place)\(path) HTTP/1.1"] + headers + ["Accept: */*"]
    if !headers.contains(where: { $0.hasPrefix("Host:") }) { lines.append("Host: " + host) }
    if let token { lines.append("Authorization: Bearer " + token) }
    if let body { lines.append("Content-Length: \(body.utf8.count)") }
    connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    var incoming = Incoming(connection: connection)
    guard let head = incoming.line(endingIn: "\r\n\r\n"), var reply = Reply(head) else {
      throw ToolFailure("\(path): no response. \(said)")
    }
    if reply.status == 204 || reply.status == 304 { return reply }
    if reply.headers["transfer-encoding"] == "chunked" {
      while let size = incoming.line(endingIn: "\r\n").flatMap({ Int($0, radix: 16) }) {
        reply.body += try incoming.bytes(size + 2).dropLast(2)
        if size == 0 { return reply }
      }
      throw ToolFailure("\(path): the response ends between chunks. \(said)")
    }
    reply.body =
      if let length = reply.headers["content-length"].flatMap({ Int($0) }) {
        try incoming.bytes(length)
      } else {
        incoming.waiting + connection.receiveAll()
      }
    return reply
  }

  /// The received bytes of a response.
  private struct Incoming {
    let connection: RawConnection
    /// The bytes that were received but not yet read.
    var waiting: [UInt8] = []

    /// Reads a text and its terminator.
    ///
    /// - Returns: The text without its terminator, or nil if the connection ends first.
    mutating func line(endingIn end: String) -> String? {
      while true {
        if let range = waiting.firstRange(of: Array(end.utf8)) {
          defer { waiting.removeSubrange(..<range.upperBound) }
          return String(decoding: waiting[..<range.lowerBound], as: UTF8.self)
        }
        guard let next = connection.receiveBytes() else { return nil }
        waiting += next
      }
    }

    /// Reads a number of bytes.
    mutating func bytes(_ count: Int) throws -> [UInt8] {
      while waiting.count < count {
        guard let next = connection.receiveBytes() else {
          throw ToolFailure("the response ends after \(waiting.count) of \(count) bytes")
        }
        waiting += next
      }
      defer { waiting.removeSubrange(..<count) }
      return Array(waiting[..<count])
    }
  }

  /// Sends a request with curl, an independent client.
  ///
  /// - Parameters:
  ///   - path: The part of the target after the address. It is sent unchanged, including dots.
  ///   - options: Further options of curl.
  ///   - token: The token in `Authorization`, or nil to omit the field.
  func curl(_ path: String, _ options: [String] = [], token: String? = RunningServer.token) throws -> Reply {
    let files = try TemporaryFolder()
    let socket = address.hasPrefix("unix:") ? ["--unix-socket", String(address.dropFirst(5))] : []
    let base = address.hasPrefix("unix:") ? "http://localhost/" : address
    let output = try Tools.run(
      [
        "curl", "-s", "-m", "300", "--path-as-is", "-g", "-D", files.file("head").path, "-o",
        files.file("body").path,
      ]
        + socket + (token.map { ["-H", "Authorization: Bearer \($0)"] } ?? []) + options + [base + path],
      in: folder.url)
    guard var reply = Reply((try? String(contentsOf: files.file("head"), encoding: .utf8)) ?? "") else {
      throw ToolFailure("\(path): curl ended with \(output.status), \(output.standardError)\(said)")
    }
    reply.body = (try? files.read("body")) ?? []
    return reply
  }

  /// Sends JSON in a POST request.
  func post(_ path: String, _ json: String, _ headers: [String] = []) throws -> Reply {
    try ask("api/1/" + path, ["Content-Type: application/json"] + headers, body: json)
  }

  /// Returns the identifiers of the assets by stem.
  func assets() throws -> [String: String] {
    let list = try ask("api/1/assets?limit=1000").json["assets"] as? [[String: Any]] ?? []
    return Dictionary(
      list.compactMap { one in
        if let name = one["name"] as? String, let id = one["id"] as? String { (name, id) } else { nil }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Waits until a job has ended and returns the job.
  func finished(_ reply: Reply) throws -> [String: Any] {
    guard let name = (reply.json["job"] as? [String: Any])?["job"] as? String else {
      throw ToolFailure("no job: \(reply.status) \(reply.text)")
    }
    var job: [String: Any] = [:]
    try Event.wait(for: "the end of job \(name)") {
      job = try ask("api/1/jobs/" + name).json["job"] as? [String: Any] ?? [:]
      return (job["state"] as? String).map { !["waiting", "running"].contains($0) } == true
    }
    return job
  }
}
