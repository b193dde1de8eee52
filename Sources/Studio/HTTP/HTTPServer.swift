internal import Basics
internal import CMicroHTTP
internal import FileSystem
internal import Glibc
internal import Synchronization

/// An HTTP server based on GNU libmicrohttpd. The server has a single thread, which sleeps until data arrives. A task
/// handles each request while the request's connection sleeps.
final class HTTPServer: Sendable {
  /// The functions that handle requests.
  struct Handler: Sendable {
    /// Examines a request before its body arrives. To refuse the request, the function returns a response.
    var refuse: @Sendable (HTTPRequest) -> HTTPResponse?
    /// Handles a complete request.
    var answer: @Sendable (HTTPRequest) async -> HTTPResponse
    /// The headers of every response.
    var headers: [(name: String, value: String)]
  }

  /// The limits of a server.
  struct Limits: Sendable {
    /// The maximum number of simultaneous connections; further connections wait.
    var connections: UInt32 = 256
    /// The time in seconds after which a connection without traffic is closed.
    var seconds: UInt32 = 30
    /// The memory in bytes for a connection's address and headers.
    var memory = 32 << 10
    /// The maximum number of query parameters. Even a short parameter uses some of the memory for the address and
    /// headers.
    var members = 100
    /// The maximum size of a body in bytes. This size is enough for the names of 100,000 assets.
    var body = 4 << 20
  }

  /// The library's server object, which any thread may stop.
  private struct Daemon: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private struct State {
    var daemon: Daemon?
    var isEnding = false
    var exchanges: [ObjectIdentifier: Exchange] = [:]
  }

  let handler: Handler
  let limits: Limits
  let deadlines: RequestDeadlines
  private let state = Mutex(State())

  /// Starts the server.
  ///
  /// - Parameter socket: The listening socket, which the server takes over.
  /// - Throws: ``EditError`` if the library cannot start.
  init(
    _ socket: ListeningSocket, _ handler: Handler, limits: Limits = Limits(),
    deadlines: RequestDeadlines = RequestDeadlines()
  ) throws(EditError) {
    (self.handler, self.limits, self.deadlines) = (handler, limits, deadlines)
    let daemon = liveedit_start_daemon(
      socket.descriptor, limits.connections, limits.seconds, limits.memory, beginRequest, handleRequest,
      completeRequest, noteConnection, Unmanaged.passUnretained(self).toOpaque())
    guard let daemon else {
      throw EditError(
        .fileSystem, "the server cannot be started", remedy: "check the limits with ulimit -n and ulimit -u")
    }
    let started = Daemon(pointer: daemon)
    state.withLock { $0.daemon = started }
  }

  /// Stops the server. Requests in progress are cancelled, and nothing continues afterwards.
  func end() async {
    let (daemon, exchanges) = state.withLock { state in
      state.isEnding = true
      return (state.daemon, Array(state.exchanges.values))
    }
    guard let daemon else { return }
    MHD_quiesce_daemon(daemon.pointer)
    for exchange in exchanges { exchange.cancel() }
    // Sleeping connections must be woken before the daemon is stopped.
    for _ in 0..<30 where state.withLock({ !$0.exchanges.isEmpty }) {
      try? await Task.sleep(for: .milliseconds(10))
    }
    let isQuiet = state.withLock { state in
      state.daemon = nil
      return state.exchanges.isEmpty
    }
    // If a connection is still asleep, stopping the daemon would abort the process. In that case, the daemon ends
    // together with the process.
    if isQuiet { MHD_stop_daemon(daemon.pointer) }
  }

  /// Starts handling a request.
  ///
  /// - Returns: False if the server is stopping.
  fileprivate func begin(_ exchange: Exchange) -> Bool {
    state.withLock { state in
      guard !state.isEnding else { return false }
      state.exchanges[ObjectIdentifier(exchange)] = exchange
      return true
    }
  }

  fileprivate func finish(_ exchange: Exchange) {
    state.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
  }
}

/// A request in progress and its response. The library's thread and the task that handles the request use this object
/// alternately.
private final class Exchange: Sendable {
  enum Phase {
    /// The body is being received.
    case arriving(HTTPRequest)
    /// The response is being created.
    case answering
    /// The response is ready.
    case ready(HTTPResponse)
    /// The response is being sent.
    case sent
    /// The response was sent directly, before the library parsed the request.
    case refused
  }

  private struct State {
    var phase: Phase
    var task: Task<Void, Never>?
  }

  let server: HTTPServer
  let connection: Connection
  private let state: Mutex<State>

  init(_ server: HTTPServer, _ connection: Connection, _ request: HTTPRequest) {
    (self.server, self.connection) = (server, connection)
    state = Mutex(State(phase: .arriving(request)))
  }

  /// Sends a response before the library parses the request, and closes the connection.
  func refuse(_ response: HTTPResponse) {
    state.withLock { $0.phase = .refused }
    PeerConnection.send(response.text(with: server.handler.headers), to: connection.descriptor)
    PeerConnection.end(connection.descriptor)
  }

  /// Whether the request was refused before the library parsed it.
  var isRefused: Bool {
    state.withLock { if case .refused = $0.phase { true } else { false } }
  }

  /// Appends a part of the body.
  ///
  /// - Returns: False if the body becomes too large.
  func take(_ bytes: UnsafeBufferPointer<CChar>) -> Bool {
    state.withLock { state in
      guard case .arriving(var request) = state.phase else { return true }
      // The request is temporarily moved out of the state, so that its bytes are not copied each time.
      state.phase = .answering
      request.body += bytes.map { UInt8(bitPattern: $0) }
      state.phase = .arriving(request)
      return request.body.count <= server.limits.body
    }
  }

  /// Returns the response once it is ready. The first call starts to create the response and suspends the connection.
  func response() -> HTTPResponse? {
    state.withLock { state in
      switch state.phase {
      case .arriving(let request):
        server.deadlines.arrived(connection.descriptor)
        guard server.begin(self) else {
          state.phase = .sent
          return HTTPResponse(RouteError.busy)
        }
        state.phase = .answering
        connection.sleep()
        state.task = Task { self.answered(await self.server.handler.answer(request)) }
        return nil
      case .ready(let response):
        state.phase = .sent
        return response
      case .answering, .sent, .refused: return nil
      }
    }
  }

  private func answered(_ response: HTTPResponse) {
    state.withLock { state in
      state.phase = .ready(response)
      connection.wake()
    }
  }

  /// Cancels the request, and ends the request's event stream, if any.
  func cancel() { state.withLock { $0.task?.cancel() } }
}

/// A connection of the library. Only its descriptor and its ability to sleep and wake are used.
private final class Connection: @unchecked Sendable {
  // According to the library's documentation, any thread may wake a sleeping connection. Everything else happens on the
  // library's thread.
  private let pointer: OpaquePointer
  let descriptor: Int32

  init(_ pointer: OpaquePointer) {
    self.pointer = pointer
    descriptor = Self.descriptor(of: pointer)
  }

  static func descriptor(of pointer: OpaquePointer) -> Int32 {
    liveedit_connection_descriptor(pointer)
  }

  func sleep() { MHD_suspend_connection(pointer) }
  func wake() { MHD_resume_connection(pointer) }
}

// MARK: - What the library calls, on its thread

private func server(_ context: UnsafeMutableRawPointer?) -> HTTPServer? {
  context.map { Unmanaged<HTTPServer>.fromOpaque($0).takeUnretainedValue() }
}

/// Checks the address of a request before the library parses the request. Version 0.9.75 runs out of memory with a few
/// hundred query parameters, and then neither responds nor continues (its `parse_initial_message_line` ignores the
/// result of `MHD_parse_arguments_`).
private func beginRequest(
  _ context: UnsafeMutableRawPointer?, _ address: UnsafePointer<CChar>?, _ pointer: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let server = server(context), let address, let pointer else { return nil }
  guard hasMembers(address, moreThan: server.limits.members) else { return nil }
  let request = HTTPRequest(method: "GET", path: "")
  let exchange = Exchange(server, Connection(pointer), request)
  exchange.refuse(
    HTTPResponse(
      RouteError.usage("the query has more than \(server.limits.members) parameters", status: 414)
    ).said(by: request.speaker))
  return Unmanaged.passRetained(exchange).toOpaque()
}

/// Returns whether the query of an address has more parameters than the given number.
private func hasMembers(_ address: UnsafePointer<CChar>, moreThan most: Int) -> Bool {
  guard var place = strchr(address, CInt(UInt8(ascii: "?"))) else { return false }
  for _ in 0..<most {
    guard let next = strchr(place + 1, CInt(UInt8(ascii: "&"))) else { return false }
    place = next
  }
  return true
}

private func handleRequest(
  _ context: UnsafeMutableRawPointer?, _ pointer: OpaquePointer?, _ address: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ upload: UnsafePointer<CChar>?,
  _ count: UnsafeMutablePointer<Int>?, _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let server = server(context), let pointer, let count, let place else { return liveedit_no }
  guard let known = place.pointee else {
    let connection = Connection(pointer)
    server.deadlines.begun(connection.descriptor)
    guard let request = request(pointer, address, method, connection) else {
      return queue(
        HTTPResponse(RouteError.usage("the request is not valid UTF-8")),
        HTTPRequest(method: "GET", path: ""),
        pointer, nil,
        server)
    }
    let exchange = Exchange(server, connection, request)
    place.pointee = Unmanaged.passRetained(exchange).toOpaque()
    if let refusal = server.handler.refuse(request) {
      return queue(refusal, request, pointer, exchange, server)
    }
    if let length = request.headers["content-length"], Int(length).map({ $0 > server.limits.body }) ?? true {
      return queue(.tooLarge, request, pointer, exchange, server)
    }
    return liveedit_yes
  }
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
  // The response has already been sent, and the connection is being closed.
  if exchange.isRefused { return liveedit_no }
  if count.pointee > 0 {
    let isSmall = exchange.take(UnsafeBufferPointer(start: upload, count: count.pointee))
    count.pointee = 0
    // A body without a declared length may never end, but a response is possible only after the body. The connection is
    // therefore closed.
    return isSmall ? liveedit_yes : liveedit_no
  }
  guard let response = exchange.response() else { return liveedit_yes }
  return queue(response, HTTPRequest(method: "GET", path: ""), pointer, exchange, server)
}

private func completeRequest(
  _ context: UnsafeMutableRawPointer?, _ pointer: OpaquePointer?,
  _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
  guard let server = server(context), let known = place?.pointee else { return }
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
  place?.pointee = nil
  exchange.cancel()
  server.finish(exchange)
  server.deadlines.answered(exchange.connection.descriptor)
}

private func noteConnection(
  _ context: UnsafeMutableRawPointer?, _ pointer: OpaquePointer?,
  _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
) {
  guard let server = server(context), let pointer else { return }
  let descriptor = Connection.descriptor(of: pointer)
  if code == liveedit_connection_started {
    server.deadlines.begin(descriptor)
  } else {
    server.deadlines.end(descriptor)
  }
}

/// Returns the parts of the request that are known before its body arrives; nil if the request is not valid UTF-8.
private func request(
  _ pointer: OpaquePointer, _ address: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
  _ connection: Connection
) -> HTTPRequest? {
  guard let path = address.flatMap({ String(validatingCString: $0) }),
    let method = method.flatMap({ String(validatingCString: $0) })
  else { return nil }
  var request = HTTPRequest(method: method, path: path)
  guard let headers = values(of: pointer, liveedit_headers),
    let query = values(of: pointer, liveedit_arguments)
  else { return nil }
  for (name, value) in headers {
    let name = name.lowercased()
    // Joining repeated Host headers makes them invalid. All other headers may be split (RFC 9110 section 5.3).
    let before = request.headers[name].map { $0 + (name == "cookie" ? "; " : ", ") } ?? ""
    request.headers[name] = before + value
  }
  for (name, value) in query { request.query[name] = value }
  let descriptor = connection.descriptor
  request.isClosed = { PeerConnection.isClosed(descriptor) }
  return request
}

private func values(of pointer: OpaquePointer, _ kind: MHD_ValueKind) -> [(String, String)]? {
  var found: [(String, String)]? = []
  withUnsafeMutablePointer(to: &found) { found in
    _ = MHD_get_connection_values(
      pointer, kind,
      { context, _, name, value in
        guard let found = context?.assumingMemoryBound(to: [(String, String)]?.self) else {
          return liveedit_no
        }
        guard let name = name.flatMap({ String(validatingCString: $0) }),
          let value = value.map({ String(validatingCString: $0) }) ?? ""
        else {
          found.pointee = nil
          return liveedit_no
        }
        found.pointee?.append((name, value))
        return liveedit_yes
      }, found)
  }
  return found
}

/// Passes a response to the library.
private func queue(
  _ answer: HTTPResponse, _ request: HTTPRequest, _ pointer: OpaquePointer, _ exchange: Exchange?,
  _ server: HTTPServer
) -> MHD_Result {
  // The server's own messages are also translated into the language of the request. All other messages are already
  // translated.
  let answer = answer.said(by: request.speaker)
  guard let response = response(answer, pointer) else { return liveedit_no }
  if case .events = answer.body { server.deadlines.isEndless(Connection.descriptor(of: pointer)) }
  defer { MHD_destroy_response(response) }
  for (name, value) in server.handler.headers where answer[name] == nil {
    MHD_add_response_header(response, name, value)
  }
  for (name, value) in answer.headers { MHD_add_response_header(response, name, value) }
  return MHD_queue_response(pointer, UInt32(answer.status), response)
}

private func response(_ answer: HTTPResponse, _ pointer: OpaquePointer) -> OpaquePointer? {
  switch answer.body {
  case .json: return nil
  case .bytes(var bytes):
    return bytes.withUnsafeMutableBytes {
      MHD_create_response_from_buffer($0.count, $0.baseAddress, liveedit_must_copy)
    }
  case .file(let source, let range):
    // The library sends the file with sendfile and closes the descriptor.
    guard let descriptor = try? source.duplicatedDescriptor() else { return nil }
    let response = MHD_create_response_from_fd_at_offset64(
      UInt64(range.count), descriptor, UInt64(range.lowerBound))
    if response == nil { close(descriptor) }
    return response
  case .events(let stream):
    let context = Unmanaged.passRetained(EventReader(stream, Connection(pointer))).toOpaque()
    return MHD_create_response_from_callback(
      liveedit_size_unknown, 8192, readEvents, context,
      { context in
        guard let context else { return }
        Unmanaged<EventReader>.fromOpaque(context).takeRetainedValue().stream.end()
      })
  }
}

/// An event stream, and the connection that sends the stream.
private final class EventReader: Sendable {
  let stream: EventStream
  let connection: Connection

  init(_ stream: EventStream, _ connection: Connection) {
    (self.stream, self.connection) = (stream, connection)
  }
}

private func readEvents(
  _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
  _ count: Int
) -> Int {
  guard let context, let buffer else { return liveedit_end_of_stream }
  let reader = Unmanaged<EventReader>.fromOpaque(context).takeUnretainedValue()
  let connection = reader.connection
  switch reader.stream.next(atMost: count, sleep: { connection.sleep() }, wake: { connection.wake() }) {
  case .bytes(let bytes):
    for (index, byte) in bytes.enumerated() { buffer[index] = CChar(bitPattern: byte) }
    return bytes.count
  case .nothing: return 0
  case .end: return liveedit_end_of_stream
  }
}

extension HTTPResponse {
  /// The response to a request whose body is too large.
  static var tooLarge: HTTPResponse {
    HTTPResponse(RouteError.usage("the request body is too large", status: 413))
  }
}
