#if DEBUG || TESTABLE
  import Basics
  import Dispatch
  import EditModel
  import Foundation
  import RenderClient
  @testable import Studio
  import Synchronization
  import Workflows

  extension FuzzTarget {
    /// Fuzzes requests to a server of two photos, in the form after libmicrohttpd has parsed them: a line with method
    /// and address, headers, an empty line, the body. `@1` and `@2` stand for the names of the photos. Required headers
    /// are added if they are missing.
    static let http = FuzzTarget(
      "http",
      words: [
        "GET ", "HEAD ", "POST ", "/api/1/", "session", "sections", "assets", "filter", "presets",
        "parameters", "albums", "jobs",
        "events", "view", "edits", "marks", "share", "kept-edits", "downloads", "thumbnail", "table",
        "picture", "movie",
        "original/photo", "history", "edit", "proposal", "inspect", "verify", "@1", "@2", "?filter=",
        "&sort=", "&limit=", "&offset=",
        "size=", "half=", "colors=", "version=", "Range: bytes=0-1", "If-None-Match: ", "If-Range: ",
        "Accept-Language: de",
        "Cookie: liveedit=", "Origin: ", "{\"assets\":[\"@1\"],", "\"change\":", "\"type\":", "\"rotate\"",
        "\"dryRun\":true",
        "\"degrees\":90", "\"presets\":[\"vivid\"]", "\"revision\":",
      ],
      seeds: { name, _ in
        name.isEmpty
          ? [
            "GET /api/1/session\n\n", "GET /api/1/assets?filter=kind%20%3D%20photo&limit=2\n\n",
            "GET /api/1/sections\n\n",
            "GET /api/1/assets/@1\n\n",
            "GET /api/1/assets/@1/original/photo\nRange: bytes=0-9\nIf-None-Match: *\n\n",
            "GET /api/1/assets/@2/history\nAccept-Language: de, en;q=0.5\n\n",
            "GET /api/1/filter?text=kind%20%3D\n\n",
            "GET /api/1/assets/@1/table?edit=%7B%22adjustments%22:%7B%7D%7D&half=photo&colors=p3&size=640\n\n",
            "GET /api/1/assets/@1/thumbnail?size=256\n\n",
            "GET /api/1/assets/@1/picture?version=base&size=1280\n\n",
            "POST /api/1/edits\n\n{\"assets\":[\"@1\"],\"change\":{\"type\":\"rotate\",\"degrees\":90},\"dryRun\":true}",
            "POST /api/1/edits\n\n{\"assets\":[\"@1\",\"@2\"],\"change\":{\"type\":\"edit\",\"edit\":{}},\"dryRun\":true}",
            "POST /api/1/marks\n\n{\"assets\":[\"@1\"],\"favourite\":true}",
            "POST /api/1/albums\n\n{\"create\":\"a\"}",
            "POST /api/1/kept-edits\n\n{\"adjustments\":{\"exposure\":0.5}}",
            "POST /api/1/view\n\n{\"assets\":[\"@1\"]}",
            "POST /api/1/presets\n\n{\"name\":\"a\",\"summary\":\"b\",\"edit\":{}}",
            "GET /api/1/parameters\n\n",
            "GET /api/1/assets/@1/proposal?grey=0.5,0.5\n\n",
            "GET /api/1/jobs/1\nHost: [::1]:7\nCookie: liveedit=x; a=b\n\n",
            "POST /api/1/share\n\n{\"assets\":[\"@1\"],\"as\":\"still\",\"to\":\"download\",\"strip\":\"all\",\"name\":\"{stem}\"}",
          ].map { Array($0.utf8) } : []
      },
      body: { input in
        guard let server = Server.shared, let request = server.request(input) else { return }
        let response = server.handler.refuse(request) ?? server.answer(request)
        expect(200..<600 ~= response.status, "an answer has the status \(response.status)")
        switch response.said(by: request.speaker).body {
        case .json: broken("an answer is not encoded")
        case .bytes(let bytes) where response["Content-Type"] == "application/json":
          let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
          // Since no helper runs, only errors of the helper are allowed on the server's side.
          let code = (object?["error"] as? [String: Any])?["code"] as? String
          expect(object != nil, "an answer is no JSON")
          expect(
            response.status != 500 || code == "renderer",
            "the server failed: \(String(decoding: bytes, as: UTF8.self))")
        default: break
        }
        for (name, value) in response.headers {
          expect(
            (name + value).utf8.allSatisfy { $0 != 10 && $0 != 13 && $0 != 0 },
            "a header ends early: \(name): \(value)")
        }
        _ = ByteRange(request.headers["range"], of: 1000)
      })

    /// A server without a socket and without a helper.
    private struct Server: Sendable {
      let handler: HTTPServer.Handler
      private let names: [String]

      static let shared: Server? = try? Server()

      private init() throws {
        let folder = ScratchFolder.path + "/server"
        try FileManager.default.createDirectory(atPath: folder + "/photos", withIntermediateDirectories: true)
        setenv("XDG_CACHE_HOME", folder + "/cache", 1)
        setenv("XDG_CONFIG_HOME", folder + "/configuration", 1)
        for (name, bytes) in [
          ("IMG_0001.JPG", FuzzTarget.jpeg(with: [])), ("two.jpg", FuzzTarget.jpeg(with: [0])),
        ] {
          _ = FileManager.default.createFile(atPath: folder + "/photos/" + name, contents: Data(bytes))
        }
        let options = ServerOptions(folders: [folder + "/photos"], hasPage: false)
        let renderer = HelperRenderer(path: folder + "/no-helper")
        let folders = try ServedFolders(options) { _ in }
        let policy = AccessPolicy(port: 7, token: Secret(Self.token), hasPage: false)
        let studio = try Studio(options, policy, folders, renderer: renderer) {}
        handler = studio.handler
        let found = Shared<[String]>([])
        wait {
          for folder in folders.all {
            guard let assets = try? await folder.library.fetch(AssetQuery(includesHidden: true))
            else { continue }
            do {
              for try await asset in assets {
                let name = studio.names.name(of: asset, in: folder)
                found.value.withLock { $0.append(name) }
              }
            } catch { continue }
          }
        }
        names = found.value.withLock { $0 }
      }

      private static let token = "0123456789abcdefghij"

      /// Returns the request in an input, or nil if libmicrohttpd would not accept it.
      func request(_ input: [UInt8]) -> HTTPRequest? {
        guard var text = String(validating: input, as: UTF8.self), !input.contains(0) else { return nil }
        for (number, name) in names.enumerated() { text = text.replacing("@\(number + 1)", with: name) }
        let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        var lines = (parts.first ?? "").split(separator: "\n", omittingEmptySubsequences: false)[...]
        let first = (lines.popFirst() ?? "").split(separator: " ", maxSplits: 1)
        guard first.count == 2 else { return nil }
        let address = first[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        func plain(_ text: Substring) -> String { String(text).removingPercentEncoding ?? String(text) }
        var request = HTTPRequest(method: String(first[0]), path: plain(address[0]))
        guard !["/api/1/events", "/api/1/quit"].contains(request.path) else { return nil }
        for pair in address.count > 1 ? address[1].split(separator: "&") : [] {
          let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          request.query[plain(parts[0])] = parts.count > 1 ? plain(parts[1]) : ""
        }
        request.headers = [
          "host": "127.0.0.1:7", "authorization": "Bearer " + Self.token, "content-type": "application/json",
        ]
        for line in lines {
          let parts = line.split(separator: ":", maxSplits: 1)
          if parts.count == 2 { request.headers[parts[0].lowercased()] = parts[1][...].trimmed }
        }
        request.body = parts.count > 1 ? Array(parts[1].utf8) : []
        return request
      }

      func answer(_ request: HTTPRequest) -> HTTPResponse {
        let answer = Shared<HTTPResponse?>(nil)
        wait {
          let response = await handler.answer(request)
          answer.value.withLock { $0 = response }
        }
        return answer.value.withLock { $0 } ?? HTTPResponse(500)
      }
    }
  }

  /// A value that a task passes to a waiting thread.
  private final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
  }

  /// Waits for a task to finish.
  private func wait(_ body: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
      await body()
      done.signal()
    }
    done.wait()
  }
#endif
