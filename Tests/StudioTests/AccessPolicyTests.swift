import Testing

@testable import Studio

@Suite struct AccessPolicyTests {
  private let policy = AccessPolicy(port: 8080, allowed: ["Photos.example.org"], hasPage: true)

  private func request(_ headers: [String: String], method: String = "GET") -> HTTPRequest {
    HTTPRequest(method: method, path: policy.base, headers: headers)
  }

  @Test(
    arguments: [
      "127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080", "photos.example.org",
      "photos.example.org:443",
    ])
  func ownNamesAreAnswered(_ host: String) {
    #expect(policy.refusal(of: request(["host": host])) == nil)
  }

  /// A foreign page whose name was redirected to this computer (DNS rebinding) sends its own name as the host.
  @Test(
    arguments: [
      nil, "", "evil.example.org", "evil.example.org:8080", "127.0.0.1", "127.0.0.1:8081",
      "localhost.evil.org:8080",
      "127.0.0.1:8080, evil.example.org", "photos.example.org.evil.org", "photos.example.org:",
      "0.0.0.0:8080",
      "photos.example.org:80x",
    ].map { $0 == "photos.example.org:" ? "photos.example.org:x" : $0 })
  func otherNamesAreRefused(_ host: String?) {
    let refusal = policy.refusal(of: request(host.map { ["host": $0] } ?? [:]))
    #expect(refusal?.status == 403)
  }

  @Test(
    arguments: [
      ("http://127.0.0.1:8080", true), ("http://localhost:8080", true), ("https://photos.example.org", true),
      ("http://photos.example.org:8000", true), ("https://127.0.0.1:8080", false),
      ("http://127.0.0.1:8081", false),
      ("null", false), ("http://evil.example.org", false), ("file://", false), ("", false),
      ("http://127.0.0.1:8080.evil.org", false),
    ])
  func otherOriginsAreRefused(_ origin: String, _ isOwn: Bool) {
    let refusal = policy.refusal(of: request(["host": "127.0.0.1:8080", "origin": origin], method: "POST"))
    #expect((refusal == nil) == isOwn)
  }

  @Test func otherSitesMayOnlyLeadHere() {
    let host = ["host": "127.0.0.1:8080"]
    func refused(_ site: String, _ mode: String, _ method: String = "GET") -> Bool {
      let headers = host.merging(["sec-fetch-site": site, "sec-fetch-mode": mode]) { $1 }
      return policy.refusal(of: request(headers, method: method)) != nil
    }
    #expect(
      !refused("same-origin", "cors") && !refused("none", "navigate") && !refused("cross-site", "navigate"))
    #expect(
      refused("cross-site", "no-cors") && refused("same-site", "cors")
        && refused("cross-site", "navigate", "POST"))
  }

  @Test func secretsOpenWhatTheyAreFor() throws {
    let session = try #require(policy.session).text
    func access(_ headers: [String: String]) -> AccessPolicy.Access { policy.access(of: request(headers)) }
    #expect(access([:]) == .none)
    #expect(access(["cookie": "liveedit=\(session)"]) == .reading)
    #expect(access(["cookie": "other=1; liveedit=\(session)"]) == .reading)
    #expect(access(["cookie": "liveedit=\(session)", "liveedit-key": policy.key.text]) == .writing)
    #expect(access(["cookie": "liveedit=\(session)", "liveedit-key": session]) == .reading)
    #expect(access(["cookie": "liveedit=\(policy.token.text)"]) == .none)
    #expect(access(["liveedit-key": policy.key.text]) == .none)
    #expect(access(["authorization": "Bearer \(policy.token.text)"]) == .writing)
    #expect(access(["authorization": "bearer  \(policy.token.text) "]) == .writing)
    #expect(access(["authorization": "Basic \(policy.token.text)"]) == .none)
    #expect(access(["authorization": "Bearer \(session)"]) == .none)
    #expect(access(["authorization": "Bearer "]) == .none)
    // A valid cookie does not compensate for a wrong token.
    #expect(access(["authorization": "Bearer x", "cookie": "liveedit=\(session)"]) == .none)
  }

  @Test func theCookieIsForThisPathAlone() throws {
    let cookie = try #require(policy.cookieHeader)
    #expect(policy.base.count == 34 && policy.base.hasPrefix("/") && policy.base.hasSuffix("/"))
    #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Path=\(policy.base)"))
    let program = AccessPolicy(port: 80, hasPage: false)
    #expect(program.base == "/" && program.cookieHeader == nil)
    #expect(program.refusal(of: HTTPRequest(method: "GET", path: "/", headers: ["host": "localhost"])) == nil)
  }

  /// A server that listens on all addresses accepts every numeric address, but still no other name.
  @Test func numbersAreAnsweredWhereAllAreListenedAt() {
    let open = AccessPolicy(port: 8080, address: "0.0.0.0", hasPage: true)
    func status(_ host: String) -> Int? {
      open.refusal(of: HTTPRequest(method: "GET", path: open.base, headers: ["host": host]))?.status
    }
    for host in ["192.168.1.5:8080", "[fe80::1]:8080", "localhost:8080"] {
      #expect(status(host) == nil, "\(host)")
    }
    for host in ["192.168.1.5:80", "192.168.1.5", "evil.example.org:8080", "1.evil.org:8080"] {
      #expect(status(host) == 403, "\(host)")
    }
    #expect(policy.refusal(of: request(["host": "192.168.1.5:8080"]))?.status == 403)
  }

  @Test func secretsDiffer() {
    let secrets = Set((0..<1000).map { _ in Secret().text })
    #expect(secrets.count == 1000 && secrets.allSatisfy { $0.utf8.count == 32 })
    #expect(Secret("abc").matches("abc") && !Secret("abc").matches("abd") && !Secret("abc").matches("ab"))
    #expect(!Secret("abc").matches(""))
  }
}
