/// Who may ask what: by host and origin, against other pages and names that lead here (DNS rebinding), and by secrets.
struct AccessPolicy: Sendable {
  /// The rights of a request.
  enum Access: Hashable, Sendable {
    /// It has shown nothing.
    case none
    /// It may read.
    case reading
    /// It may change things, too.
    case writing
  }

  /// The path that everything lies below: `/`, or a random one.
  let base: String
  /// The names, each with the port where it has one, that a request may call the server by; in lower case.
  let hosts: Set<String>
  /// The port where every address in numbers is the server's own, because it listens at all of them; names in a page of
  /// somebody else never are numbers.
  let openPort: UInt16?
  /// The names of a reverse proxy, which may speak HTTPS to the page.
  let proxies: Set<String>
  /// The secret of the address, and of programs.
  let token: Secret
  /// The secret in the cookie; nil where there is no page.
  let session: Secret?
  /// The secret that a page keeps for changes.
  let key: Secret

  /// The cookie's name.
  static let cookie = "liveedit"

  /// - Parameters:
  ///   - port: the port; nil for a socket that is a file.
  ///   - address: the address that is listened at, if it is another than this computer's own.
  ///   - allowed: names of a reverse proxy.
  ///   - token: the secret of the address, and of programs.
  ///   - hasPage: whether there is a page, below a random path.
  ///   - last: the session that goes on; nil for new secrets.
  init(
    port: UInt16?, address: String? = nil, allowed: [String] = [], token: Secret = Secret(), hasPage: Bool,
    goingOn last: KeptSession.Session? = nil
  ) {
    var names = ["127.0.0.1", "localhost", "[::1]"]
    if let address { names.append(address.contains(":") ? "[\(address)]" : address) }
    var hosts = Set(port.map { port in names.map { "\($0):\(port)" } } ?? names)
    // Port 80 is left out.
    if port == 80 { hosts.formUnion(names) }
    self.hosts = hosts
    openPort = address == "0.0.0.0" || address == "::" ? port : nil
    proxies = Set(allowed.map { $0.lowercased() })
    self.token = last.map { Secret($0.token) } ?? token
    base = hasPage ? last?.base ?? "/" + Secret().text + "/" : "/"
    session = hasPage ? last.map { Secret($0.cookie) } ?? Secret() : nil
    key = last.map { Secret($0.key) } ?? Secret()
  }

  /// The header that gives a page its cookie.
  var cookieHeader: String? {
    session.map { "\(Self.cookie)=\($0.text); HttpOnly; SameSite=Strict; Path=\(base)" }
  }

  /// Why nobody may ask this, whatever they have shown; nil when they may.
  func refusal(of request: HTTPRequest) -> RouteError? {
    guard let host = request.headers["host"]?.lowercased(), isOwn(host) else {
      return .forbidden("this server does not accept the name in the Host header")
    }
    if let origin = request.headers["origin"]?.lowercased(), !isOwn(origin: origin) {
      return .forbidden("requests from other servers' pages are not allowed")
    }
    // Browsers say where a request comes from (Fetch Metadata): another port of this computer is another server.
    let isNavigation = request.method == "GET" && request.headers["sec-fetch-mode"] == "navigate"
    if let site = request.headers["sec-fetch-site"], !["same-origin", "none"].contains(site), !isNavigation {
      return .forbidden("requests from other servers' pages are not allowed")
    }
    return nil
  }

  private func isOwn(_ host: String) -> Bool {
    if hosts.contains(host) || proxies.contains(host) { return true }
    // A proxy's name with any port.
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

  /// The rights that a request has by the secrets that it carries.
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
