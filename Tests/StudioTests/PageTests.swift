import Foundation
import TestSupport
import Testing

/// Tests of the steps of a browser: from the file that opens the page to a cookie and a key.
@Suite struct PageTests {
  /// The page reports missing parts of the helper's sandbox in the language of the request.
  @Test(.enabled("this kernel has no Landlock", Kernel.hasLandlock))
  func theSessionTellsOfAnIncompleteSandbox() throws {
    #expect(try RunningServer().ask("api/1/session").json["sandbox"] == nil)
    let server = try RunningServer(launcher: Kernel.without([Kernel.landlockCall]))
    let told = try #require(try server.ask("api/1/session").json["sandbox"] as? String)
    #expect(told.hasPrefix("this system does not support Landlock: "))
    #expect(server.said.components(separatedBy: "this system does not support Landlock").count == 2)
  }

  @Test func theBrowserIsLedInAndNobodyElse() throws {
    // A stand-in browser that stores the file it was told to open.
    let tools = try TemporaryFolder()
    try MadePrograms.write(
      "cp \"$1\" \(tools.file("opened").path)\nstat -c %a \"$1\" > \(tools.file("mode").path)",
      to: tools.file("xdg-open"))
    let path = tools.url.path + ":" + (Child.environment["PATH"] ?? "/usr/bin:/bin")
    let server = try RunningServer(["studio"], environment: ["PATH": path])
    try Event.wait(for: "the browser") { (try? tools.read("mode").last) == 10 }
    let opened = String(decoding: try tools.read("opened"), as: UTF8.self)
    #expect(opened.contains("url=\(server.address)?\(server.query)\""))
    #expect(String(decoding: try tools.read("mode"), as: UTF8.self) == "600\n")
    // The address does not appear in the process list.
    let commands = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }
      .map {
        String(
          decoding: (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\($0)/cmdline"))) ?? Data(),
          as: UTF8.self)
      }
      .joined(separator: "\n")
    #expect(commands.contains("liveedit-studio") && !commands.contains(server.query))

    let root = server.address.split(separator: "/").dropLast().joined(separator: "/").replacing(
      "http:/", with: "http://")
    #expect(try Tools.output("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", root + "/").text == "404")
    #expect(try server.ask("", token: nil).status == 401)
    #expect(try server.ask("?token=wrong", token: nil).status == 401)
    let entrance = try server.ask("?" + server.query, token: nil)
    #expect(entrance.status == 200 && entrance.headers["content-type"] == "text/html; charset=utf-8")
    let cookie = try #require(entrance.headers["set-cookie"])
    let place = try #require(URL(string: server.address)).path
    #expect(
      cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && cookie.contains("Path=\(place)"))
    let key = try #require(entrance.text.firstMatch(of: /name="liveedit-key" content="([^"]+)"/)?.1)
    let pair = ["Cookie: " + cookie.prefix { $0 != ";" }]
    let types = ["js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "html": "text/html"]
    let folder = TestFiles.project.appendingPathComponent("Sources/Studio/Page")
    // Declarations for tsc and its settings are not served.
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).compactMap { name in
      types[(name as NSString).pathExtension].map { (name, $0) }
    }
    #expect(files.contains { $0.0 == "editor/editor.js" })
    for (name, type) in [("", "text/html")] + files {
      let file = try server.ask(name, pair, token: nil)
      #expect(file.status == 200 && file.headers["content-type"]?.hasPrefix(type) == true, "\(name)")
      #expect(file.headers["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
      // The page contains nothing that such a policy forbids.
      #expect(
        !file.text.contains("onclick=") && !file.text.contains("<style") && !file.text.contains("<script>"))
      #expect(try server.ask(name, token: nil).status == 401)
    }
    #expect(try server.ask("other.js", pair, token: nil).status == 404)
    let session = try server.ask("api/1/session", pair, token: nil)
    #expect(session.status == 200 && session.json["mayWrite"] as? Bool == false)
    let id = try #require(
      (try server.ask("api/1/assets", pair, token: nil).json["assets"] as? [[String: Any]])?.first?["id"])
    let (type, mark) = (["Content-Type: application/json"], #"{"assets":["\#(id)"],"favourite":true}"#)
    #expect(try server.ask("api/1/marks", pair + type, body: mark, token: nil).status == 401)
    #expect(
      try server.ask("api/1/marks", pair + type + ["Liveedit-Key: wrong"], body: mark, token: nil).status
        == 401)
    let keyed = pair + ["Liveedit-Key: \(key)"]
    #expect(try server.ask("api/1/marks", keyed + type, body: mark, token: nil).status == 200)
    #expect(try server.ask("api/1/session", keyed, token: nil).json["mayWrite"] as? Bool == true)
    #expect(try server.ask("api/1/quit", keyed + type, body: "{}", token: nil).status == 200)
    #expect(server.end(nil) == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: server.folder.file("run").path) == [])
  }

  /// The server warns about an address that other computers can reach.
  @Test func listeningElsewhereIsWarnedOf() throws {
    let server = try RunningServer(["studio", "--no-open", "--listen", "0.0.0.0"])
    #expect(server.said.contains("liveedit: listening on 0.0.0.0: anyone who has the token"))
    #expect(server.end() == 0)
  }
}
