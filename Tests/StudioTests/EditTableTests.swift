import Foundation
import TestSupport
import Testing

/// Tests of the route that tells a shader the effect of an edit, and of the helper behind the route.
@Suite struct EditTableTests {
  private static func header(_ reply: RunningServer.Reply) throws -> [String: Any] {
    try #require(reply.status == 200, "\(reply.text)")
    let length = reply.body[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
    let json = try JSONSerialization.jsonObject(with: Data(reply.body[4..<4 + length]))
    return try #require(json as? [String: Any])
  }

  private static func query(_ edit: String, _ rest: String = "") -> String {
    "table?edit=" + (edit.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "") + rest
  }

  private static func helpers(of server: RunningServer) throws -> [Int32] {
    try RunningProcess.descendants(of: server.identifier)
      .filter { $0.name == "liveedit-render" }.map(\.identifier)
  }

  @Test func tablesOfBothHalvesAreAnswered() throws {
    let server = try RunningServer(fixtures: ["IMG_0002.JPG", "IMG_0002.MOV"])
    let id = try #require(try server.assets()["IMG_0002"])
    let path = "api/1/assets/\(id)/"
    let reply = try server.ask(path + Self.query(#"{"light":{"exposure":0.5}}"#, "&colors=p3"))
    #expect(reply.headers["content-type"] == "application/octet-stream")
    #expect(reply.headers["cache-control"] == "no-store")
    let photo = try Self.header(reply)
    let asset = try #require(try server.ask("api/1/assets/" + id).json["asset"] as? [String: Any])
    #expect(
      photo["width"] as? Int == asset["width"] as? Int && photo["height"] as? Int == asset["height"] as? Int)
    let table = try #require(photo["table"] as? [String: Any])
    #expect(table["nodes"] as? Int == 33)
    let rough = try Self.header(
      try server.ask(path + Self.query(#"{"light":{"exposure":0.5}}"#, "&rough=true")))
    #expect((rough["table"] as? [String: Any])?["nodes"] as? Int == 17)
    let movie = try Self.header(try server.ask(path + Self.query("{}", "&half=movie")))
    #expect(movie["half"] as? String == "movie")
    let name = try #require(table["name"] as? String)
    let known = try server.ask(path + Self.query(#"{"light":{"exposure":0.5}}"#, "&colors=p3&have=" + name))
    #expect(known.body.count < 1000)
    // The light areas are calculated from the small picture that is created for this purpose.
    let light = try Self.header(try server.ask(path + Self.query(#"{"light":{"shadows":0.5}}"#, "&size=640")))
    #expect((light["areas"] as? [String: Any])?["columns"] as? Int != nil)
    #expect((light["missing"] as? [String]) == [])
    for (wrong, status) in [
      (Self.query("{"), 400), (Self.query(#"{"light":{"colour":1}}"#), 400),
      (Self.query("{}", "&half=both"), 400),
      (Self.query("{}", "&colors=cmyk"), 400), (Self.query("{}", "&size=none"), 400),
    ] {
      #expect(try server.ask(path + wrong).status == status, "\(wrong)")
    }
    #expect(try server.ask("api/1/assets/none/" + Self.query("{}")).status == 404)
    // The base of an edit remains the original.
    let base = try server.ask(path + "picture?version=base&colors=p3&size=320")
    #expect(base.status == 200)
    let job = try server.post("edits", #"{"assets":["\#(id)"],"change":{"type":"turn","degrees":90}}"#)
    #expect(try server.finished(job)["state"] as? String == "done")
    let again = try server.ask(path + "picture?version=base&colors=p3&size=320")
    #expect(again.body == base.body)
    #expect(try server.ask(path + "picture?colors=p3&size=320").body != base.body)
    #expect(try server.ask(path + "movie?version=base").status == 200)
  }

  /// Edits that no shader can show are painted, from the photo or a frame, and edits that no picture can show become a
  /// movie.
  @Test func editsArePaintedAndPlayed() throws {
    let server = try RunningServer(fixtures: ["IMG_0003.JPG", "IMG_0003.MOV"])
    let id = try #require(try server.assets()["IMG_0003"])
    func path(_ route: String, _ edit: String, _ rest: String) -> String {
      "api/1/assets/\(id)/\(route)" + Self.query(edit, rest).dropFirst(5)
    }
    func size(_ reply: RunningServer.Reply) throws -> [String?] {
      let file = server.folder.file("painted-\(UUID().uuidString)")
      try Data(reply.body).write(to: file)
      let facts = try Tools.exiftool(file)
      return [facts["File:ImageWidth"], facts["File:ImageHeight"]]
    }
    let sharp = #"{"detail":{"sharpness":0.5}}"#
    let photo = try server.ask(path("picture", sharp, "&size=500"))
    #expect(photo.headers["content-type"] == "image/jpeg")
    #expect(try size(photo) == ["500", "375"])
    #expect(try server.ask(path("picture", "{}", "&size=500")).body != photo.body)
    let frame = try server.ask(path("picture", sharp, "&size=400&time=0.5"))
    #expect(try size(frame)[0] == "400")
    #expect(frame.body != photo.body)
    #expect(try server.ask(path("picture", sharp, "&size=400&time=1")).body != frame.body)
    for wrong in ["&time=-1", "&time=inf", "&time=soon"] {
      #expect(try server.ask(path("picture", sharp, wrong)).status == 400, "\(wrong)")
    }
    let movie = try server.ask(path("movie", #"{"motion":{"effect":"bounce"}}"#, "&progress=one"))
    #expect(movie.headers["content-type"] == "video/mp4")
    let file = server.folder.file("bounce.mp4")
    try Data(movie.body).write(to: file)
    func length(_ file: URL) throws -> Double {
      try #require(
        Tools.ffprobe(file, "-select_streams", "v", "-show_entries", "stream=duration")
          .compactMap { Double($0.filter { $0.isNumber || $0 == "." }) }.first)
    }
    let plain = try length(server.folder.file("Photos/IMG_0003.MOV"))
    #expect(try length(file) > 1.7 * plain)
    #expect(try server.ask(path("movie", "{", "")).status == 400)
    // Nothing was recorded.
    #expect(try FileManager.default.contentsOfDirectory(atPath: server.folder.file("Photos").path).count == 2)
  }

  /// A Motion Photo's movie is edited like a separate movie: its frames are those of the separate movie with the same
  /// edit.
  @Test func aMotionPhotoIsEditedWithItsMovie() throws {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0003.JPG"), TestFiles.fixture("IMG_0003.MOV"))
    _ = try Tools.output(
      RunningServer.programs.appendingPathComponent("liveedit").path, "export", "--as", "motion-photo", "-o",
      "motion", "IMG_0003.JPG", in: folder.url)
    let made = folder.file("motion")
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: made.path).first)
    let whole = folder.file("whole.jpg")
    try FileManager.default.moveItem(at: made.appendingPathComponent(name), to: whole)
    let server = try RunningServer(fixtures: ["IMG_0003.JPG", "IMG_0003.MOV"], below: whole)
    let ids = try server.assets()
    let (pair, single) = (try #require(ids["IMG_0003"]), try #require(ids["whole"]))
    func movie(_ id: String) throws -> [String: Any] {
      try #require(server.ask("api/1/assets/\(id)/edit").json["movie"] as? [String: Any])
    }
    #expect(try movie(single)["frames"] as? [Double] == movie(pair)["frames"] as? [Double])
    #expect(try movie(single)["keyPhoto"] as? Double != nil)
    func answer(_ id: String, _ route: String, _ edit: String, _ rest: String) throws -> RunningServer.Reply {
      let reply = try server.ask("api/1/assets/\(id)/\(route)" + Self.query(edit, rest).dropFirst(5))
      #expect(reply.status == 200, "\(reply.text)")
      return reply
    }
    // Frames are painted, also in place of the photo, and the movie is played and created.
    let sharp = #"{"light":{"exposure":0.5},"detail":{"sharpness":0.5}}"#
    for rest in ["&size=400&time=0.5", "&size=400"] {
      let frames = try [pair, single].map { try answer($0, "picture", sharp, rest).body }
      #expect(frames[0] == frames[1], "\(rest)")
    }
    let header = try Self.header(answer(single, "table", sharp, "&half=movie"))
    #expect(header["table"] != nil)
    let keyed = try answer(single, "picture", #"{"motion":{"keyPhoto":0.5}}"#, "&size=400")
    #expect(keyed.headers["content-type"] == "image/jpeg")
    for edit in ["{}", #"{"motion":{"effect":"bounce"}}"#] {
      #expect(try answer(single, "movie", edit, "").headers["content-type"] == "video/mp4")
    }
  }

  /// A helper is kept while requests arrive. A killed helper is replaced, and no helper outlives the server.
  @Test func aHelperThatIsKilledIsStartedAgain() throws {
    let server = try RunningServer()
    let ids = try server.assets()
    let path = "api/1/assets/\(try #require(ids["IMG_0001"]))/"
    for value in ["0.1", "0.2", "0.3"] {
      _ = try Self.header(try server.ask(path + Self.query(#"{"light":{"exposure":\#(value)}}"#)))
    }
    let first = try Self.helpers(of: server)
    #expect(first.count == 1)
    for helper in first { kill(helper, SIGKILL) }
    let after = try Self.header(try server.ask(path + Self.query(#"{"light":{"exposure":0.4}}"#)))
    #expect((after["table"] as? [String: Any])?["nodes"] as? Int == 33)
    let second = try Self.helpers(of: server)
    #expect(second.count == 1 && second != first)
    #expect(server.end() == 0)
    for helper in second { try Event.wait(for: "the end of a helper") { kill(helper, 0) != 0 } }
  }

  /// An unreadable file is reported for every request.
  @Test func filesThatAreBrokenAreSentences() throws {
    let server = try RunningServer(fixtures: ["IMG_0003.JPG"])
    let id = try #require(try server.assets()["IMG_0003"])
    let file = server.folder.file("Photos/IMG_0003.JPG")
    let bytes = try Data(contentsOf: file)
    try bytes.prefix(700).write(to: file)
    let reply = try server.ask("api/1/assets/\(id)/" + Self.query("{}"))
    #expect([404, 409, 422].contains(reply.status), "\(reply.status) \(reply.text)")
    #expect((reply.json["message"] as? String)?.contains("IMG_0003") == true)
  }
}
