/// Decides which requests are allowed. The decision is based on the host and the origin, to block foreign pages and
/// foreign host names for this server (DNS rebinding), and on secrets.
struct AccessPolicy: Sendable {
  /// The access rights of a request.
  enum Access: Hashable, Sendable {
    /// The request does not contain a valid secret.
    case none
    /// The request may only read.
    case reading
    /// The request may read and make changes.
    case writing
  }

  /// The base path of all routes: `/` or a random path.
  let base: String
  /// The host names, in lower case, by which a request may address the server. If the server has a port, the names
  /// include the port.
  let hosts: Set<String>
  /// The port on which every numeric address is accepted; set if the server listens on all addresses. A foreign page
  /// cannot use numeric addresses for DNS rebinding.
  let openPort: UInt16?
  /// The host names of a reverse proxy, which may serve the page over HTTPS.
  let proxies: Set<String>
  /// The secret in the address, which programs also use.
  let token: Secret
  /// The secret in the cookie; nil if the server has no page.
  let session: Secret?
  /// The secret that a page sends with each change.
  let key: Secret

  /// The name of the cookie.
  static let cookie = "liveedit"

  /// - Parameters:
  ///   - port: The port; nil for a Unix socket.
  ///   - address: The address on which the server listens, if it is not a loopback address.
  ///   - allowed: The host names of a reverse proxy.
  ///   - token: The secret in the address, which programs also use.
  ///   - hasPage: Whether the server has a page, under a random path.
  ///   - last: The session to resume; nil creates new secrets.
  init(
    port: UInt16?, address: String? = nil, allowed: [String] = [], token: Secret = Secret(), hasPage: Bool,
    goingOn last: KeptSession.Session? = nil
  ) {
    var names = ["127.0.0.1", "localhost", "[::1]"]
    if let address { names.append(address.contains(":") ? "[\(address)]" : address) }
    var hosts = Set(port.map { port in names.map { "\($0):\(port)" } } ?? names)
    // Browsers omit port 80.
    if port == 80 { hosts.formUnion(names) }
    self.hosts = hosts
    openPort = address == "0.0.0.0" || address == "::" ? port : nil
    proxies = Set(allowed.map { $0.lowercased() })
    self.token = last.map { Secret($0.token) } ?? token
    base = hasPage ? last?.base ?? "/" + Secret().text + "/" : "/"
    session = hasPage ? last.map { Secret($0.cookie) } ?? Secret() : nil
    key = last.map { Secret($0.key) } ?? Secret()
  }

  /// The header that sets the page's cookie.
  var cookieHeader: String? {
    session.map { "\(Self.cookie)=\($0.text); HttpOnly; SameSite=Strict; Path=\(base)" }
  }

  /// Returns the reason why a request is refused regardless of its secrets; nil if the request is allowed.
  func refusal(of request: HTTPRequest) -> RouteError? {
    guard let host = request.headers["host"]?.lowercased(), isOwn(host) else {
      return .forbidden("this server does not accept the name in the Host header")
    }
    if let origin = request.headers["origin"]?.lowercased(), !isOwn(origin: origin) {
      return .forbidden("requests from other servers' pages are not allowed")
    }
    // Browsers state the origin of a request (Fetch Metadata). A different port on this computer is a different server.
    let isNavigation = request.method == "GET" && request.headers["sec-fetch-mode"] == "navigate"
    if let site = request.headers["sec-fetch-site"], !["same-origin", "none"].contains(site), !isNavigation {
      return .forbidden("requests from other servers' pages are not allowed")
    }
    return nil
  }

  private func isOwn(_ host: String) -> Bool {
    if hosts.contains(host) || proxies.contains(host) { return true }
    // The host name of a proxy is accepted with any port.
    guard let colon = host.lastIndex(of: ":"), let port = UInt16(host[host.index(after: colon)...]) else {
      return false
    }
    let name = host[..<colon]
    if proxies.contains(String(name)) { return true }
    let isNumber =
      name.allSatisfy { $0.isNumber || $0 == "." } || (name.hasPrefix("[") && name.hasSuffix("]"))
    return port == openPort && isNumber
  }

  private func isOwn(origin: String) -> Bool {
    for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
      let host = String(origin.dropFirst(scheme.count))
      return isOwn(host) && (scheme == "http://" || !hosts.contains(host))
    }
    return false
  }

  /// Returns the access rights that the secrets of a request grant.
  func access(of request: HTTPRequest) -> Access {
    if let header = request.headers["authorization"] {
      let parts = header.split(separator: " ", maxSplits: 1)
      return parts.count == 2 && parts[0].lowercased() == "bearer" && token.matches(parts[1].trimmed)
        ? .writing : .none
    }
    guard let session, let cookie = request.cookie(Self.cookie), session.matches(cookie) else { return .none }
    guard let key = request.headers["liveedit-key"], self.key.matches(key) else { return .reading }
    return .writing
  }
}
