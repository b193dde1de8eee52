import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of the server's access control, robustness and shutdown.
@Suite struct ServerTests {
  @Test func nobodyElseGetsIn() throws {
    let server = try RunningServer()
    let id = try #require(try server.assets()["IMG_0001"])
    let routes = [
      "session", "sections", "assets", "albums", "jobs", "events", "presets", "filter",
      "assets/\(id)/thumbnail",
      "assets/\(id)/original/photo",
    ]
    for route in routes {
      for token in [nil, "", "wrong", RunningServer.token + "0", String(RunningServer.token.dropLast())] {
        let reply = try server.ask("api/1/" + route, token: token)
        #expect(
          reply.status == 401 && reply.code == "unauthorized", "\(route) \(token ?? "-"): \(reply.status)")
        #expect(reply.headers["www-authenticate"] == "Bearer")
      }
      let host = try server.ask("api/1/" + route, ["Host: evil.example.org"])
      #expect(host.status == 403 && host.code == "forbidden")
      let origin = try server.ask("api/1/" + route, ["Origin: http://evil.example.org"])
      #expect(origin.status == 403)
    }
    let body = #"{"assets":["\#(id)"],"favourite":true}"#
    #expect(try server.post("marks", body, ["Origin: null"]).status == 403)
    #expect(try server.curl("api/1/marks", ["-d", body]).status == 415)
    #expect(try server.ask("api/1/marks", ["Content-Type: text/plain"], body: body).status == 415)
    #expect(try server.ask("api/1/marks").status == 404)
    for method in ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
      #expect(try server.curl("api/1/marks", ["-X", method]).status == 405, "\(method)")
    }
    #expect(try server.post("quit", "{}").status == 403)
    #expect(try server.ask("api/1/sections?filter=favourite").json["count"] as? Int == 0)
    let headers = try server.ask("api/1/session").headers
    #expect(headers["x-content-type-options"] == "nosniff" && headers["x-frame-options"] == "DENY")
    #expect(headers["referrer-policy"] == "no-referrer" && headers["cache-control"] == "no-store")
    #expect(headers["content-security-policy"]?.hasPrefix("default-src 'none'; script-src 'self';") == true)
    #expect(headers["access-control-allow-origin"] == nil)
  }

  @Test func pathsLeadNowhereElse() throws {
    let server = try RunningServer()
    for path in [
      "../token", "%2e%2e/token", "..%2ftoken", "%2e%2e%2f%2e%2e%2fetc/passwd", "/etc/passwd", "//etc/passwd",
      "Photos/IMG_0001.JPG", "api/1/../../token", "api/1/assets/..%2f..%2ftoken/original/photo",
      "api/1/assets/IMG_0001.JPG", "api/1/downloads/../token", "api/1/downloads/%2e%2e/token",
      "index.html%00.js",
      "api/1/", "api/2/session", "api/1/session/", "api/1/assets//thumbnail", ".", "%ff%fe",
    ] {
      let reply = try server.ask(path)
      #expect([400, 404].contains(reply.status), "\(path): \(reply.status)")
      #expect(!reply.text.contains(RunningServer.token) && !reply.text.contains("root:"))
    }
  }

  @Test func bodiesAndHeadersAreBounded() throws {
    let server = try RunningServer()
    let large = try server.folder.write(Array(repeating: 0x20, count: (4 << 20) + 1), to: "large")
    let declared = try server.curl(
      "api/1/marks", ["-H", "Content-Type: application/json", "--data-binary", "@" + large.path])
    #expect(declared.status == 413)
    // The maximum number of assets in a request. None of them exists.
    let names = (0..<100_000).map { #""\#(String(repeating: "0", count: 27))\#(10000 + $0 % 90000)""# }
    let many = try server.folder.write(
      Array(#"{"assets":[\#(names.joined(separator: ","))],"favourite":true}"#.utf8), to: "many")
    let taken = try server.curl(
      "api/1/marks",
      ["-H", "Content-Type: application/json", "-H", "Expect:", "--data-binary", "@" + many.path])
    #expect(taken.status == 404, "\(taken.text.prefix(300))")
    let head =
      "POST /api/1/marks HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Type: application/json\r\n"
      + "Authorization: Bearer \(RunningServer.token)\r\n"
    // A request that does not state its length.
    let chunked = try RawConnection(port: server.port)
    chunked.send(head + "Transfer-Encoding: chunked\r\n\r\n")
    let chunk = "10000\r\n" + String(repeating: " ", count: 0x10000) + "\r\n"
    var sent = 0
    while sent < 80, chunked.send(chunk) { sent += 1 }
    chunked.send("0\r\n\r\n")
    let answer = chunked.receive()
    #expect(answer == nil || answer?.contains(" 413 ") == true || answer?.contains(" 400 ") == true)
    for length in ["-1", "99999999999999999999999999", "ten"] {
      let odd = try RawConnection(port: server.port)
      odd.send(head + "Content-Length: \(length)\r\n\r\n{}")
      let answer = odd.receive()
      #expect(answer == nil || answer?.contains(" 4") == true, "\(length): \(answer ?? "")")
    }
    // JSON nested deeper than allowed.
    for (opening, closing) in [("[", "]"), (#"{"a":"#, "}")] {
      let deep = String(repeating: opening, count: 128) + "1" + String(repeating: closing, count: 128)
      let refused = try server.post("edits", #"{"assets":[],"change":\#(deep)}"#)
      #expect(refused.status == 400)
    }
    let brackets = String(repeating: "(", count: 30)
    #expect(try server.ask("api/1/sections?filter=" + brackets).status == 400)
    let headers = try RawConnection(port: server.port)
    headers.send(
      "GET /api/1/session HTTP/1.1\r\nHost: x\r\nX-Large: " + String(repeating: "a", count: 200_000)
        + "\r\n\r\n")
    let refused = headers.receive()
    #expect(refused == nil || refused?.contains(" 431 ") == true || refused?.contains(" 4") == true)
    for odd in [
      "\r\n\r\n\r\n", "GET\r\n\r\n", "\u{16}\u{3}\u{1}", "GET /api/1/session HTTP/9.9\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
      try RawConnection(port: server.port).send(odd)
    }
    #expect(try server.ask("api/1/session").status == 200)
  }

  /// A query with too many members is refused with a response, because libmicrohttpd has no room for them.
  @Test func membersOfAQueryAreCounted() throws {
    let server = try RunningServer()
    for (count, status) in [(1, 200), (100, 200), (101, 414), (600, 414), (5000, 414)] {
      for member in ["a=b", "a", ""] {
        let query = Array(repeating: member, count: count).joined(separator: "&")
        let reply = try server.ask("api/1/session?" + query)
        #expect(reply.status == status, "\(count) times “\(member)”")
        if status == 414 {
          #expect(reply.code == "usage" && reply.headers["connection"] == "close")
          #expect(reply.headers["x-content-type-options"] == "nosniff")
        }
      }
    }
    #expect(try server.ask("api/1/session?a=" + String(repeating: "%26", count: 600)).status == 200)
    // A refused request has no effect.
    let id = try #require(try server.assets()["IMG_0001"])
    let query = Array(repeating: "a", count: 101).joined(separator: "&")
    #expect(try server.post("marks?" + query, #"{"assets":["\#(id)"],"favourite":true}"#).status == 414)
    #expect(try server.ask("api/1/sections?filter=favourite").json["count"] as? Int == 0)
  }

  /// A folder named several times is processed once, and work that no client waits for any more is not completed.
  @Test func listsInBodiesAreBounded() throws {
    let many = try TemporaryFolder()
    for number in 0..<100 {
      let folder = many.file("many/\(number)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: TestFiles.fixture("gainmap.JPG"), to: folder.appendingPathComponent("photo.JPG"))
    }
    let server = try RunningServer(["serve", "-r"], below: many.file("many"))
    let numbers = (0..<100_000).map { "\($0 % 2)" }.joined(separator: ",")
    let created = try server.post("albums", #"{"action":"create","album":"A","folders":[\#(numbers)]}"#)
    #expect(
      (created.json["results"] as? [[String: Any]])?.map { $0["status"] as? String } == [
        "created", "created",
      ])
    #expect(try server.post("albums", #"{"action":"create","album":"B","folders":[101]}"#).status == 400)
    let id = try #require(try server.assets()["IMG_0001"])
    let ids = Array(repeating: "\"\(id)\"", count: 1000).joined(separator: ",")
    let marked = try server.post("marks", #"{"assets":[\#(ids)],"favourite":true}"#)
    #expect((marked.json["results"] as? [Any])?.count == 1)
    let job = try server.finished(
      server.post("edits", #"{"assets":[\#(ids)],"change":{"type":"turn","degrees":90}}"#))
    #expect(job["total"] as? Int == 1 && job["done"] as? Int == 1)
    let connection = try RawConnection(port: server.port)
    let body = #"{"action":"create","album":"C"}"#
    connection.send(
      "POST /api/1/albums HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Type: application/json\r\n"
        + "Authorization: Bearer \(RunningServer.token)\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
    connection.finish()
    func folders() throws -> Int {
      let albums = try server.ask("api/1/albums").json["albums"] as? [[String: Any]] ?? []
      return (albums.first { $0["album"] as? String == "C" }?["folders"] as? [Any])?.count ?? 0
    }
    var counts = [try folders()]
    repeat {
      usleep(500_000)
      counts.append(try folders())
    } while counts[counts.count - 2] != counts[counts.count - 1]
    #expect(counts[counts.count - 1] < 101, "\(counts)")
  }

  /// The job checks whether many assets exist. The response does not wait for this check.
  @Test func theAnswerDoesNotWaitForManyAssets() throws {
    let server = try RunningServer()
    let assets = try server.assets()
    let ids = ["IMG_0001", "IMG_0002"].compactMap { assets[$0] }.map { "\"\($0)\"" }.joined(separator: ",")
    for name in ["IMG_0001", "IMG_0002"] {
      for suffix in [".JPG", ".MOV"] {
        try FileManager.default.removeItem(at: server.folder.file("Photos/" + name + suffix))
      }
    }
    for (route, rest) in [
      ("edits", #""change":{"type":"turn","degrees":90}"#), ("share", #""as":"pair","to":"folder""#),
    ] {
      let reply = try server.post(route, #"{"assets":[\#(ids)],\#(rest)}"#)
      #expect(reply.status == 202)
      let results = try server.finished(reply)["results"] as? [[String: Any]] ?? []
      #expect(
        results.map { ($0["error"] as? [String: Any])?["code"] as? String } == ["notFound", "notFound"])
      #expect(try server.post(route, #"{"assets":["0000","0001"],\#(rest)}"#).status == 404)
    }
  }

  /// Connections that send nothing or half a request do not keep other clients out, and do not end the server.
  @Test func aThousandConnectionsAreBorne() throws {
    let server = try RunningServer()
    var connections: [RawConnection] = []
    for count in [300, 1000] {
      while connections.count < count {
        let connection = try RawConnection(port: server.port, waits: false)
        connection.send(connections.count % 2 == 0 ? "GET /api/1/session HTTP/1.1\r\nHost: x\r\n" : "")
        connections.append(connection)
      }
      // Each connection has 15 seconds.
      #expect(try server.curl("api/1/session", ["-m", "10"]).status == 200)
    }
    #expect(server.isRunning)
    #expect(server.end() == 0)
  }

  /// Events report changes that any process makes in the folder, and the server announces its end.
  @Test(arguments: [SIGTERM, SIGINT]) func eventsTellOfChanges(_ signal: Int32) throws {
    let server = try RunningServer()
    let ids = try server.assets()
    let id = try #require(ids["IMG_0002"])
    let stream = try RawConnection(port: server.port)
    stream.send(
      "GET /api/1/events HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nAuthorization: Bearer \(RunningServer.token)\r\n\r\n"
    )
    let hello = try #require(stream.receive(until: "event: hello"))
    #expect(hello.contains("text/event-stream") && hello.hasPrefix("HTTP/1.1 200"))
    try Tools.output(
      RunningServer.programs.appendingPathComponent("liveedit").path, "mark", "--favourite",
      "Photos/IMG_0002.JPG",
      in: server.folder.url)
    let change = try #require(stream.receive(until: id))
    #expect(change.contains("event: change\n"))
    let job = try server.post("edits", #"{"assets":["\#(id)"],"change":{"type":"flip","axis":"horizontal"}}"#)
    #expect(job.status == 202)
    let told = try #require(stream.receive(until: #""state":"done""#))
    #expect(told.contains("event: job\n"))
    server.signal(signal)
    #expect(stream.receive(until: "event: bye") != nil)
    // A second signal would end the server at once.
    #expect(server.end(nil) == 0)
    // No unexpected files remain.
    let names = try server.folder.names()
    #expect(names == ["Photos", "address", "cache", "out", "run", "said", "token"], "\(names)")
  }

  /// If a job is stopped, the remaining assets are unchanged.
  @Test func jobsAreStopped() throws {
    let server = try RunningServer(fixtures: ["IMG_0001.JPG", "IMG_0001.MOV"])
    for number in 2..<12 {
      for suffix in [".JPG", ".MOV"] {
        try FileManager.default.copyItem(
          at: server.folder.file("Photos/IMG_0001" + suffix),
          to: server.folder.file("Photos/IMG_\(1000 + number)" + suffix))
      }
    }
    let ids = try server.assets().values.map { "\"\($0)\"" }.joined(separator: ",")
    let begun = try server.post("edits", #"{"assets":[\#(ids)],"change":{"type":"turn","degrees":90}}"#)
    let name = try #require((begun.json["job"] as? [String: Any])?["job"] as? String)
    #expect(try server.post("jobs/\(name)/cancel", "{}").status == 200)
    let job = try server.finished(begun)
    #expect(job["state"] as? String == "cancelled", "\(job)")
    let done = job["done"] as? Int ?? -1
    #expect(done < 11)
    let renders = try FileManager.default.contentsOfDirectory(atPath: server.folder.file("Photos").path)
      .filter { $0.hasPrefix("IMG_E") && $0.hasSuffix(".JPG") }
    #expect(renders.count == done)
    #expect(try server.post("jobs/\(name)/dismiss", "{}").status == 200)
    #expect(try server.ask("api/1/jobs/\(name)").status == 404)
    #expect(try server.post("jobs/none/cancel", "{}").status == 404)
  }

  /// Requests for assets that left the view are cancelled. A file that kills its helper does not affect other files.
  @Test func whatIsScrolledAwayIsGivenUp() throws {
    let folder = try TemporaryFolder()
    let programs = folder.file("programs")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: false)
    for name in ["liveedit", "liveedit-studio"] {
      try MadePrograms.copy(RunningServer.programs.appendingPathComponent(name), to: programs)
    }
    // A helper that works only while no file of this name exists, and does not act as a fork server.
    let brake = folder.file("brake")
    let helper = RunningServer.programs.appendingPathComponent("liveedit-render").path
    try MadePrograms.write(
      """
      case "$*" in *--fork-server*) exit 1 ;; esac
      while [ -e '\(brake.path)' ]; do sleep 0.05; done
      exec '\(helper)' "$@"
      """, to: programs.appendingPathComponent("liveedit-render"))
    let server = try RunningServer(programs: programs)
    var broken = try server.folder.read("Photos/IMG_0002.JPG")
    for index in stride(from: broken.count / 2, to: broken.count, by: 7) { broken[index] = 0xFF }
    try server.folder.write(broken, to: "Photos/IMG_0003.JPG")
    let ids = try server.assets()
    let (first, odd) = (try #require(ids["IMG_0001"]), try #require(ids["IMG_0003"]))
    let reply = try server.ask("api/1/assets/\(odd)/picture?size=320")
    #expect([200, 422, 500].contains(reply.status))
    try folder.write([], to: "brake")
    let waiting = try ["verify", "movie?version=current", "movie?version=original"].map { path in
      let connection = try RawConnection(port: server.port)
      connection.send(
        "GET /api/1/assets/\(first)/\(path) HTTP/1.1\r\nHost: localhost:\(server.port)\r\n"
          + "Authorization: Bearer \(RunningServer.token)\r\n\r\n")
      return connection
    }
    // The server may receive the view before it receives a request.
    var count = 0
    try Event.wait(for: "the cancellation of all requests") {
      let gone = try server.post("view", #"{"assets":["\#(odd)"]}"#)
      count += try #require(gone.json["cancelled"] as? Int)
      return count >= waiting.count
    }
    for connection in waiting {
      #expect(connection.receive()?.split(separator: " ").dropFirst().first == "503")
    }
    try FileManager.default.removeItem(at: brake)
    #expect(try server.ask("api/1/assets/\(first)/movie").status == 200)
  }

  @Test func aSocketAndAProxyLeadHere() throws {
    let server = try RunningServer(["serve", "--socket", "s", "--allow-host", "photos.example.org"])
    #expect(server.address == "unix:s")
    #expect(try server.ask("api/1/session").status == 200)
    let proxied = ["Host: photos.example.org", "Origin: https://photos.example.org"]
    #expect(try server.ask("api/1/session", proxied).status == 200)
    #expect(try server.ask("api/1/session", ["Host: other.example.org"]).status == 403)
    let status = try FileManager.default.attributesOfItem(atPath: server.folder.file("s").path)
    #expect(status[.posixPermissions] as? Int == 0o600)
    #expect(server.end() == 0 && !FileManager.default.fileExists(atPath: server.folder.file("s").path))
  }

  @Test func aTokenThatOthersReadIsRefused() throws {
    let server = try RunningServer()
    let program = RunningServer.programs.appendingPathComponent("liveedit").path
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: server.folder.file("token").path)
    let open = try Tools.run([program, "serve", "--token-file", "token", "Photos"], in: server.folder.url)
    #expect(open.status == 1 && open.standardError.contains("token: can be read by other users"))
    let taken = try Tools.run(
      [program, "serve", "--port", "\(server.port)", "Photos"], in: server.folder.url)
    #expect(taken.status == 1 && taken.standardError.contains("cannot listen on port \(server.port)"))
  }
}
