import Foundation
import TestSupport
import Testing

/// Tests of the requests that an editor sends before an edit is made.
@Suite struct EditorRouteTests {
  /// Returns a value as it appears in a URL.
  private func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  @Test func theTableOfParametersIsThatOfTheCommandLine() throws {
    let server = try RunningServer(fixtures: ["IMG_0001.JPG", "IMG_0001.MOV"])
    let answer = try server.ask("api/1/parameters").json
    let parameters = try #require(answer["parameters"] as? [[String: Any]])
    let help = try Tools.output(
      RunningServer.programs.appendingPathComponent("liveedit").path, "adjust", "--help",
      in: server.folder.url
    ).text
    for parameter in parameters {
      let name = try #require(parameter["name"] as? String)
      let option = name.reduce(into: "--") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
      #expect(help.contains(option), "\(option)")
      let numbers = ["minimum", "neutral", "maximum"].compactMap { parameter[$0] as? Double }
      #expect(numbers.count == 3 && numbers == numbers.sorted(), "\(name)")
    }
    #expect((answer["looks"] as? [[String: Any]])?.contains { $0["name"] as? String == "noir" } == true)
  }

  @Test func anEditorLearnsWhatIsThere() throws {
    let server = try RunningServer(fixtures: ["IMG_0001.JPG", "IMG_0001.MOV", "gainmap.JPG"])
    let assets = try server.assets()
    let id = try #require(assets["IMG_0001"])
    let before = try server.ask("api/1/assets/\(id)/edit").json
    #expect((before["edit"] as? [String: Any])?.isEmpty == true && before["hasPhoto"] as? Bool == true)
    let movie = try #require(before["movie"] as? [String: Any])
    let frames = try #require(movie["frames"] as? [Double])
    let times = try Tools.ffprobe(
      server.folder.file("Photos/IMG_0001.MOV"), "-select_streams", "v", "-show_entries", "frame=pts_time"
    ).compactMap { Double($0.filter { $0.isNumber || $0 == "." }) }
    #expect(frames.count == times.count)
    for (frame, time) in zip(frames, times) { #expect(abs(frame - time) < 0.001) }
    let job = try server.post(
      "edits", #"{"assets":["\#(id)"],"change":{"type":"set","edit":{"light":{"exposure":0.5}}}}"#)
    _ = try server.finished(job)
    let after = try server.ask("api/1/assets/\(id)/edit").json
    #expect((after["edit"] as? [String: [String: Double]])?["light"] == ["exposure": 0.5])
    #expect(after["revision"] as? String != before["revision"] as? String)
    // An edit based on an older revision is refused.
    let change = #""change":{"type":"set","edit":{"light":{"contrast":0.5}}}"#
    let late = try server.post(
      "edits", #"{"assets":["\#(id)"],"revision":"\#(before["revision"] ?? "")",\#(change)}"#)
    #expect(late.status == 409 && late.code == "conflict")
    let inTime = try server.post(
      "edits", #"{"assets":["\#(id)"],"revision":"\#(after["revision"] ?? "")",\#(change)}"#)
    #expect(inTime.status == 202)
    _ = try server.finished(inTime)
    // An edit that waits for another edit is refused when it is processed, or at once if the other edit finished
    // quickly.
    let now = try server.ask("api/1/assets/\(id)/edit").json["revision"] ?? ""
    let turn = try server.post("edits", #"{"assets":["\#(id)"],"change":{"type":"turn","degrees":90}}"#)
    let waiting = try server.post("edits", #"{"assets":["\#(id)"],"revision":"\#(now)",\#(change)}"#)
    #expect(try server.finished(turn)["state"] as? String == "done")
    if waiting.status == 202 {
      let refused = try server.finished(waiting)
      let result = try #require((refused["results"] as? [[String: Any]])?.first)
      #expect(refused["state"] as? String == "failed" && result["asset"] as? String == id)
      #expect((result["error"] as? [String: Any])?["code"] as? String == "conflict")
      #expect(result["message"] as? String == late.json["message"] as? String)
    } else {
      #expect(waiting.status == 409)
    }
    let last = try server.ask("api/1/assets/\(id)/edit").json["edit"] as? [String: Any]
    #expect(last?["orientation"] as? Int == 6, "\(last ?? [:])")
    let photo = try server.ask("api/1/assets/\(assets["gainmap"] ?? "")/edit").json
    #expect(photo["movie"] == nil && photo["hasPhoto"] as? Bool == true)
  }

  @Test func proposalsChangeAnEditThatIsNotMadeYet() throws {
    let server = try RunningServer(fixtures: ["IMG_0003.JPG", "IMG_0003.MOV"])
    let id = try #require(try server.assets()["IMG_0003"])
    func proposal(_ edit: String, _ rest: String) throws -> [String: Any] {
      let reply = try server.ask("api/1/assets/\(id)/proposal?edit=\(escaped(edit))&\(rest)")
      #expect(reply.status == 200, "\(reply.text)")
      return reply.json["edit"] as? [String: Any] ?? [:]
    }
    let edit = #"{"light":{"exposure":0.5},"geometry":{"straighten":2}}"#
    let vivid = try proposal(edit, "preset=vivid&replace=true")
    let presets = try server.ask("api/1/presets").json["presets"] as? [[String: Any]]
    let known = try #require(
      presets?.first { $0["preset"] as? String == "vivid" }?["edit"] as? [String: [String: Double]])
    // The preset's values replace light and colour, and the straightening is kept.
    #expect(vivid["geometry"] as? [String: Double] == ["straighten": 2])
    for (part, values) in known { #expect(vivid[part] as? [String: Double] == values, "\(part)") }
    let half = try proposal("{}", "preset=vivid&intensity=0.5")
    // Colour values are neutral at 0.
    for (name, value) in known["color"] ?? [:] {
      let found = try #require((half["color"] as? [String: Double])?[name])
      #expect(abs(found - value / 2) <= 0.0051, "\(name)")
    }
    // The fixture's grey square is already grey.
    let white = try proposal(edit, "white=0.51,0.92")
    #expect(white["light"] as? [String: Double] == ["exposure": 0.5])
    let color = white["color"] as? [String: Double] ?? [:]
    #expect(abs(color["temperature", default: 6504] - 6504) < 300 && abs(color["tint", default: 0]) < 0.1)
    let auto = try proposal(#"{"light":{"shadows":0.9}}"#, "auto=light")
    #expect((auto["light"] as? [String: Double])?["shadows"] != 0.9)
    for (bad, status) in [
      ("edit=%7B%22no%22:1%7D", 400), ("white=2,2", 400), ("auto=everything", 400), ("preset=none", 404),
      ("edit=\(escaped(#"{"motion":{"keyPhoto":99}}"#))", 422),
    ] {
      #expect(try server.ask("api/1/assets/\(id)/proposal?\(bad)").status == status, "\(bad)")
    }
  }

  @Test func anEditWithATableOfColoursIsNamed() throws {
    let server = try RunningServer(fixtures: ["IMG_0003.JPG", "IMG_0003.MOV"])
    let id = try #require(try server.assets()["IMG_0003"])
    // The look keeps all colours except green, which it removes.
    try server.folder.write(
      Array("LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 0 0\n1 0 0\n0 0 1\n1 0 1\n0 0 1\n1 0 1\n".utf8),
      to: "no green.cube")
    let liveedit = RunningServer.programs.appendingPathComponent("liveedit").path
    try Tools.output(
      liveedit, "adjust", "--look", "no green.cube", "Photos/IMG_0003.JPG", in: server.folder.url)
    let known = try server.ask("api/1/assets/\(id)/edit")
    let edit = try #require(known.json["edit"] as? [String: Any])
    let json = String(decoding: try JSONSerialization.data(withJSONObject: edit), as: UTF8.self)
    let reply = try server.post("kept-edits", json)
    let name = try #require(reply.json["edit"] as? String)
    #expect(name.hasPrefix("@") && name.count < 20)
    let again = try server.ask("api/1/assets/\(id)/proposal?edit=\(name)")
    #expect(again.json["edit"] as? NSObject == edit as NSObject)
    let picture = try server.ask("api/1/assets/\(id)/picture?size=320&edit=\(name)")
    #expect(picture.status == 200)
    let file = try server.folder.write(picture.body, to: "shown.jpg")
    let mean = try Tools.output(
      "convert", file.path, "-channel", "G", "-separate", "-format", "%[fx:mean]", "info:")
    #expect((Double(mean.text) ?? 1) < 0.02)
    #expect(try server.ask("api/1/assets/\(id)/picture?edit=@forgotten").status == 409)
    #expect(try server.post("kept-edits", #"{"no":1}"#).status == 400)
  }

  @Test func anEditBecomesAPreset() throws {
    let server = try RunningServer(fixtures: ["IMG_0001.JPG", "IMG_0001.MOV"])
    let body = #"{"preset":"Mine","edit":{"light":{"exposure":0.3}}}"#
    #expect(try server.post("presets", body).status == 200)
    let again = try server.post("presets", body)
    #expect(again.status == 409 && again.code == "inTheWay")
    for bad in [#"{"preset":"../x","edit":{"light":{"exposure":0.3}}}"#, #"{"preset":"none","edit":{}}"#] {
      #expect([400, 422].contains(try server.post("presets", bad).status), "\(bad)")
    }
    let listed = try server.ask("api/1/presets").json["presets"] as? [[String: Any]] ?? []
    let mine = try #require(listed.first { $0["preset"] as? String == "Mine" })
    #expect(mine["isOwn"] as? Bool == true && mine["summary"] as? String != "")
  }
}
