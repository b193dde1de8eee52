package import Basics
internal import FileSystem
internal import FoundationEssentials
internal import RenderClient
internal import Synchronization
package import Workflows

/// A server for folders, from startup to shutdown.
package struct StudioServer {
  private let options: ServerOptions
  private let report: @Sendable (Message) -> Void

  /// - Parameters:
  ///   - options: The server options.
  ///   - report: A closure that receives notes for the user, one sentence each.
  package init(_ options: ServerOptions, report: @escaping @Sendable (Message) -> Void) {
    (self.options, self.report) = (options, report)
  }

  /// Serves until a signal or a client stops the server.
  ///
  /// - Parameter announce: A closure that receives the address once the server accepts requests. The address of a page
  ///   includes the page's token.
  /// - Throws: ``EditError`` if the server cannot start.
  package func run(announce: @Sendable (String) -> Void) async throws(EditError) {
    let renderer = try HelperRenderer()
    // Throws an error if the sandbox is required but incomplete.
    if HelperRenderer.requiresSandbox { _ = try renderer.description() }
    let folders = try ServedFolders(options, report: report)
    let token = try options.tokenFile.map { path throws(EditError) in try Self.token(in: path) } ?? Secret()
    if let folder = options.shareTo {
      try whileWriting(folder) { try HeldFolder(path: folder).checkWritable() }
    }
    let kept = KeptSession(options, of: folders.roots)
    var last = kept?.last
    let socket: ListeningSocket
    if let file = options.socket {
      socket = try ListeningSocket(file: file)
    } else if let known = last, options.port == 0 || options.port == known.port,
      let again = try? ListeningSocket(address: options.address, port: known.port)
    {
      socket = again
    } else {
      last = nil
      socket = try ListeningSocket(address: options.address, port: options.port)
    }
    defer { socket.removeFile() }
    let isLocal = ["127.0.0.1", "::1"].contains(options.address)
    if !isLocal, options.socket == nil {
      report(
        "listening on \(options.address): anyone who has the token can see and change your photos, and others on the"
          + " network can see the traffic; a reverse proxy with HTTPS is safer")
    }
    let policy = AccessPolicy(
      port: socket.port, address: isLocal ? nil : options.address, allowed: options.allowedHosts,
      token: token, hasPage: options.hasPage, goingOn: last)
    if let port = socket.port, let cookie = policy.session {
      kept?.keep(
        KeptSession.Session(
          port: port, base: policy.base, token: policy.token.text, cookie: cookie.text, key: policy.key.text))
    }
    defer { kept?.remove() }
    let (ending, end) = AsyncStream<Void>.makeStream()
    let studio = try Studio(options, policy, folders, renderer: renderer) { end.finish() }
    defer { studio.downloads.end() }
    let server = try HTTPServer(socket, studio.handler)
    // If the server listens on all addresses, the loopback address is announced.
    let address = ["0.0.0.0": "127.0.0.1", "::": "::1"][options.address] ?? options.address
    let host = address.contains(":") ? "[\(address)]" : address
    let base = socket.port.map { "http://\(host):\($0)" + policy.base } ?? "unix:" + (options.socket ?? "")
    announce(options.hasPage ? base + "?token=" + policy.token.text : base)
    if !options.hasPage, options.tokenFile == nil { report("the token is \(token.text)") }
    var opened: BrowserOpening?
    if options.hasPage, options.opensBrowser {
      opened = BrowserOpening(base + "?token=" + policy.token.text, report)
    }
    TerminationSignals.whenReceived { end.finish() }
    for await _ in ending {}
    opened?.remove()
    studio.queue.end()
    studio.editPreviews.end()
    studio.events.end()
    studio.jobs.end()
    await server.end()
  }

  /// Reads the token from a file that no other user may read.
  private static func token(in path: String) throws(EditError) -> Secret {
    let (bytes, status) = try whileReading(path) {
      let source = try FileByteSource(path: path)
      return (try source.bytes(atMost: 4096), source.status)
    }
    guard status.permissions & 0o077 == 0 else {
      throw EditError(
        .fileSystem, file: path, "can be read by other users",
        remedy: "run chmod 600 on the file, and choose another token")
    }
    let text = bytes.flatMap { String(validating: $0, as: UTF8.self) }.map { $0[...].trimmed } ?? ""
    guard text.utf8.count >= 16, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw EditError(
        .invalidFile, file: path,
        "must contain a token of at least 16 letters, digits and symbols, without spaces",
        remedy: "create a token with: head -c 24 /dev/urandom | base64 > \(path)")
    }
    return Secret(text)
  }
}
