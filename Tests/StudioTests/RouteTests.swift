import Foundation
import TestSupport
import Testing

/// Requests every route once with curl, from a server started by `liveedit serve`. exiftool, ffprobe and ffmpeg check
/// pictures and movies.
@Suite struct RouteTests {
  @Test func listsSayWhatIsThere() throws {
    let server = try RunningServer()
    let session = try server.ask("api/1/session")
    #expect(session.status == 200 && session.json["mode"] as? String == "serve")
    #expect(session.json["mayWrite"] as? Bool == true && session.json["shares"] as? Bool == true)
    let folders = try #require(session.json["folders"] as? [[String: Any]])
    #expect(folders.count == 1 && folders[0]["name"] as? String == "Photos")

    let sections = try server.ask("api/1/sections")
    let months = try #require(sections.json["sections"] as? [[String: Any]])
    #expect(sections.json["count"] as? Int == 2)
    #expect(months.compactMap { $0["count"] as? Int }.reduce(0, +) == 2)
    let view = try #require(sections.json["view"] as? String)
    let shapes = months.flatMap { $0["shapes"] as? [Int] ?? [] }

    let list = try #require(try server.ask("api/1/assets?view=" + view).json["assets"] as? [[String: Any]])
    #expect(list.map { $0["shape"] as? Int } == shapes)
    for asset in list {
      let name = try #require(asset["name"] as? String)
      let file = server.folder.file("Photos/\(name).JPG")
      let tags = try Tools.exiftool(file)
      #expect(asset["file"] as? String == name + ".JPG")
      #expect(asset["originals"] as? [String: String] == ["photo": name + ".JPG", "movie": name + ".MOV"])
      let isTurned = (Int(tags["IFD0:Orientation"] ?? "1") ?? 1) >= 5
      let size = [tags["File:ImageWidth"], tags["File:ImageHeight"]].compactMap { $0.flatMap { Int($0) } }
      #expect([asset["width"], asset["height"]].map { $0 as? Int } == (isTurned ? size.reversed() : size))
      let month = String(tags["ExifIFD:DateTimeOriginal"]?.prefix(7).replacing(":", with: "-") ?? "")
      #expect((asset["date"] as? String)?.hasPrefix(month) == true)
      #expect(months.contains { $0["month"] as? String == month })
      let one = try server.ask("api/1/assets/\(asset["id"] ?? "")")
      #expect((one.json["asset"] as? [String: Any])?["revision"] as? String == asset["revision"] as? String)
    }
    let whole = try server.ask("api/1/assets?sort=name&limit=1&offset=1")
    #expect((whole.json["assets"] as? [[String: Any]])?.map { $0["name"] as? String } == ["IMG_0002"])
    let live = try server.ask("api/1/assets?filter=kind%20%3D%20photo")
    #expect(live.json["count"] as? Int == 0)
    let wrong = try server.ask("api/1/sections?filter=kind%20%3D")
    #expect(
      wrong.status == 400 && wrong.code == "usage"
        && (wrong.json["message"] as? String)?.contains("filter") == true)
    #expect(try server.ask("api/1/sections?sort=colour").status == 400)
    #expect(try server.ask("api/1/assets?limit=0").status == 400)
    #expect(try server.ask("api/1/assets?view=forgotten").code == "conflict")
    let ids = list.compactMap { $0["id"] as? String }
    let names = try server.ask("api/1/names?view=" + view)
    #expect(names.json["assets"] as? [String] == ids && names.json["count"] as? Int == 2)
    #expect(try server.ask("api/1/names?offset=1&view=" + view).json["assets"] as? [String] == [ids[1]])
    #expect(try server.ask("api/1/names?limit=1&view=" + view).json["assets"] as? [String] == [ids[0]])
    #expect(try server.ask("api/1/names?view=forgotten").code == "conflict")

    let typed = try server.ask("api/1/filter?text=kind%20%3D%20")
    #expect(typed.json["valid"] as? Bool == false)
    #expect(typed.json["proposals"] as? [String] == ["kind = photo", "kind = movie", "kind = live"])
    let camera = try #require(list[0]["camera"] as? String)
    let values = try server.ask("api/1/filter?text=camera%20%3D%20").json["proposals"] as? [String] ?? []
    #expect(values.contains("camera = \"\(camera)\""))
    #expect(try server.ask("api/1/filter?text=").json["valid"] as? Bool == true)
    let presets = try #require(try server.ask("api/1/presets").json["presets"] as? [[String: Any]])
    #expect(presets.contains { $0["preset"] as? String == "vivid" && $0["isOwn"] as? Bool == false })
  }

  /// A photo and a movie of the same name that do not belong together are two assets with different identifiers.
  @Test func strangersOfOneNameAreTwo() throws {
    let server = try RunningServer(fixtures: ["IMG_0001.JPG", "gainmap.JPG"])
    try FileManager.default.copyItem(
      at: TestFiles.fixture("IMG_0002.MOV"), to: server.folder.file("Photos/IMG_0001.MOV"))
    let assets = try #require(try server.ask("api/1/assets?sort=name").json["assets"] as? [[String: Any]])
    #expect(assets.compactMap { $0["file"] as? String } == ["IMG_0001.JPG", "IMG_0001.MOV", "gainmap.JPG"])
    #expect(Set(assets.compactMap { $0["id"] as? String }).count == 3)
    for (asset, half) in zip(assets, ["photo", "movie", "photo"]) {
      let id = asset["id"] as? String ?? ""
      let original = try server.ask("api/1/assets/\(id)/original/\(half)")
      #expect(try original.body == server.folder.read("Photos/" + (asset["file"] as? String ?? "")))
    }
    // Subfolders are separate folders, and their names start with the folder given on the command line.
    let folder = server.folder.file("Photos/Below")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try FileManager.default.copyItem(
      at: TestFiles.fixture("IMG_0003.JPG"), to: folder.appendingPathComponent("IMG_0003.JPG"))
    server.end()
    let deep = try RunningServer(["serve", "-r"], fixtures: ["IMG_0001.JPG"], below: folder)
    #expect(
      (try deep.ask("api/1/session").json["folders"] as? [[String: Any]])?.map { $0["name"] as? String }
        == ["Photos", "Photos/Below"])
    let all = try #require(try deep.ask("api/1/assets?sort=name").json["assets"] as? [[String: Any]])
    #expect(Set(all.compactMap { $0["file"] as? String }) == ["IMG_0001.JPG", "Below/IMG_0003.JPG"])
    #expect(!(try deep.ask("api/1/assets").text.contains(deep.folder.url.path)))
  }

  /// Pictures are upright, have the requested size, are cached, and can be requested in ranges.
  @Test func picturesAreForScreens() throws {
    let server = try RunningServer(fixtures: [
      "IMG_0002.JPG", "IMG_0002.MOV", "IMG_0004.HEIC", "IMG_0004.MOV",
    ])
    let folder = try TemporaryFolder()
    for (name, id) in try server.assets() {
      let asset = try #require(try server.ask("api/1/assets/" + id).json["asset"] as? [String: Any])
      let (width, height) = (try #require(asset["width"] as? Int), try #require(asset["height"] as? Int))
      let thumbnail = try server.ask("api/1/assets/\(id)/thumbnail")
      #expect(thumbnail.status == 200 && thumbnail.headers["liveedit-picture"] == "embedded")
      let shown = try folder.write(thumbnail.body, to: name + "-thumbnail.jpg")
      // The reference is the thumbnail and orientation that exiftool reads.
      let source = server.folder.file("Photos/" + (try #require(asset["file"] as? String)))
      let embedded = try Tools.output("exiftool", "-b", "-ThumbnailImage", source.path).bytes
      #expect(thumbnail.body.suffix(embedded.count - 2) == embedded.suffix(embedded.count - 2))
      #expect(try Tools.exiftool(shown)["IFD0:Orientation"] == Tools.exiftool(source)["IFD0:Orientation"])

      let picture = try server.ask("api/1/assets/\(id)/picture?size=300")
      #expect(picture.status == 200 && picture.headers["content-type"] == "image/jpeg")
      let tags = try Tools.exiftool(try folder.write(picture.body, to: name + ".jpg"))
      let longer = Double(max(width, height))
      let expected = [width, height].map { Int((Double($0) * 320 / longer).rounded()) }
      #expect([tags["File:ImageWidth"], tags["File:ImageHeight"]] == expected.map { String($0) })
      #expect(["1", nil].contains(tags["IFD0:Orientation"]))
      #expect(tags["ICC_Profile:ProfileDescription"]?.contains("P3") != true)

      let preset = try server.ask("api/1/assets/\(id)/picture?size=320&preset=mono")
      #expect(preset.status == 200, "\(preset.text)")
      let grey = try folder.write(preset.body, to: name + "-mono.jpg")
      #expect(try Self.saturation(grey) < 6)
      #expect(try Self.saturation(folder.file(name + ".jpg")) > 10)
    }
    let id = try #require(try server.assets().first?.value)
    #expect(try server.ask("api/1/assets/\(id)/picture?preset=none").status == 404)
    #expect(try server.ask("api/1/assets/\(id)/picture?preset=../../token.json").status == 404)
    #expect(try server.ask("api/1/assets/\(id)/picture?preset=vivid&intensity=2").status == 400)
    #expect(try server.ask("api/1/assets/\(id)/picture?size=none").status == 400)
    #expect(try server.ask("api/1/assets/\(id)/picture?version=7").status == 404)
    let edited = try server.ask("api/1/assets/\(id)/picture?size=320&edit=%7B%22orientation%22%3A6%7D")
    let plain = try server.ask("api/1/assets/\(id)/picture?size=320")
    let (turned, before) = (
      try Tools.exiftool(try folder.write(edited.body, to: "turned.jpg")),
      try Tools.exiftool(try folder.write(plain.body, to: "plain.jpg"))
    )
    #expect(turned["File:ImageWidth"] == before["File:ImageHeight"])
    #expect(try server.ask("api/1/assets/\(id)/picture?edit=%7B%22colour%22%3A6%7D").status == 400)
    // A known picture is not sent again, and a picture whose URL contains its revision can be cached permanently.
    let tag = try #require(plain.headers["etag"])
    let again = try server.ask("api/1/assets/\(id)/picture?size=320", ["If-None-Match: \(tag)"])
    #expect(again.status == 304 && again.body.isEmpty)
    let revision = (try server.ask("api/1/assets/" + id).json["asset"] as? [String: Any])?["revision"] ?? ""
    let kept = try server.ask("api/1/assets/\(id)/picture?size=320&v=\(revision)")
    #expect(kept.headers["cache-control"]?.contains("immutable") == true)
    #expect(plain.headers["cache-control"] == "private, no-cache")
  }

  /// Returns the mean saturation that ffmpeg measures, which is based on the distance of chroma from grey.
  private static func saturation(_ picture: URL) throws -> Double {
    let output = try Tools.output(
      "ffprobe", "-v", "error", "-f", "lavfi", "-i", "movie=\(picture.path),signalstats", "-show_entries",
      "frame_tags=lavfi.signalstats.SATAVG", "-of", "csv=p=0")
    return try #require(Double(output.text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  @Test func moviesPlayAtOnceAndInParts() throws {
    let server = try RunningServer(fixtures: ["IMG_0001.JPG", "IMG_0001.MOV", "gainmap.JPG"])
    let assets = try server.assets()
    let id = try #require(assets["IMG_0001"])
    let movie = try server.ask("api/1/assets/\(id)/movie")
    #expect(movie.status == 200 && movie.headers["content-type"] == "video/mp4")
    #expect(movie.headers["accept-ranges"] == "bytes")
    let folder = try TemporaryFolder()
    let file = try folder.write(movie.body, to: "movie.mp4")
    #expect(try Tools.ffprobe(file, "-select_streams", "v", "-show_entries", "stream=codec_name") == ["h264"])
    func frames(_ file: URL) throws -> Int? {
      let said = try Tools.ffprobe(
        file, "-count_packets", "-select_streams", "v", "-show_entries", "stream=nb_read_packets")
      return Int(said.first?.filter(\.isNumber) ?? "")
    }
    let original = try frames(server.folder.file("Photos/IMG_0001.MOV"))
    #expect(try original != nil && frames(file) == original)
    // The positions in the file show that the tables precede the frames.
    let places = ["moov", "mdat"].map { Data(movie.body).firstRange(of: Data($0.utf8))?.lowerBound ?? -1 }
    #expect(places[0] > 0 && places[0] < places[1])

    let count = movie.body.count
    func part(_ range: String, _ headers: [String] = []) throws -> RunningServer.Reply {
      try server.ask("api/1/assets/\(id)/movie", ["Range: bytes=\(range)"] + headers)
    }
    for (range, expected) in [("0-99", 0..<100), ("100-", 100..<count), ("-50", count - 50..<count)] {
      let reply = try part(range)
      #expect(reply.status == 206 && reply.body == Array(movie.body[expected]), "\(range)")
      #expect(
        reply.headers["content-range"] == "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/\(count)")
    }
    let beyond = try part("\(count)-")
    #expect(
      beyond.status == 416 && beyond.headers["content-range"] == "bytes */\(count)" && beyond.body.isEmpty)
    let tag = try #require(movie.headers["etag"])
    #expect(try part("0-9", ["If-Range: \(tag)"]).status == 206)
    let changed = try part("0-9", ["If-Range: \"other\""])
    #expect(changed.status == 200 && changed.body == movie.body)
    let head = try server.curl("api/1/assets/\(id)/movie", ["-I"])
    #expect(head.status == 200 && head.headers["content-length"] == "\(count)")
    #expect(try server.ask("api/1/assets/\(assets["gainmap"] ?? "")/movie").status == 404)

    let bytes = try server.folder.read("Photos/IMG_0001.MOV")
    let download = try server.ask("api/1/assets/\(id)/original/movie", ["Range: bytes=1000-1999"])
    #expect(download.body == Array(bytes[1000..<2000]))
    #expect(download.headers["content-disposition"]?.contains("IMG_0001.MOV") == true)
    #expect(
      try server.ask("api/1/assets/\(id)/original/photo").body == server.folder.read("Photos/IMG_0001.JPG"))
  }

  /// Google's Motion Photos may have a second track of a single frame in the photo's size. The track that plays is
  /// shown.
  @Test func ofTwoTracksTheOneThatMovesIsShown() throws {
    let server = try RunningServer(fixtures: [])
    let file = server.folder.file("Photos/two.MOV")
    for (name, source) in [
      ("large", "testsrc2=s=640x480:r=1:d=1"), ("small", "testsrc2=s=320x240:r=30:d=0.6"),
    ] {
      try Tools.output(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, "-c:v", "libx264", "-pix_fmt", "yuv420p",
        server.folder.file(name + ".mov").path)
    }
    try Tools.output(
      "ffmpeg", "-v", "error", "-i", server.folder.file("large.mov").path, "-i",
      server.folder.file("small.mov").path, "-map", "0", "-map", "1", "-c", "copy", "-disposition:v:0",
      "default", "-disposition:v:1", "default", file.path)
    let id = try #require(try server.assets()["two"])
    let movie = try server.ask("api/1/assets/\(id)/movie")
    #expect(movie.status == 200, "\(movie.text)")
    let shown = try server.folder.write(movie.body, to: "shown.mp4")
    let entries = "stream=width,height,nb_read_packets"
    #expect(
      try Tools.ffprobe(shown, "-count_packets", "-select_streams", "v", "-show_entries", entries)
        == ["320,240,18"])
  }

  /// Tests an edit from its plan to its revert. The original remains unchanged throughout.
  @Test func editsMakeVersions() throws {
    let server = try RunningServer()
    let id = try #require(try server.assets()["IMG_0001"])
    let before = try server.folder.read("Photos/IMG_0001.JPG")
    let turn = #"{"assets":["\#(id)"],"change":{"type":"turn","degrees":90}"#
    let plan = try server.post("edits", turn + #","dryRun":true}"#)
    let planned = try #require((plan.json["results"] as? [[String: Any]])?.first)
    #expect(planned["status"] as? String == "planned" && planned["asset"] as? String == id)
    #expect(planned["notCarriedOver"] is [Any])
    #expect(try server.folder.names().contains("IMG_E0001.JPG") == false)

    let job = try server.finished(server.post("edits", turn + "}"))
    #expect(job["state"] as? String == "done" && job["done"] as? Int == 1, "\(job)")
    let result = try #require((job["results"] as? [[String: Any]])?.first)
    #expect(result["written"] as? [String] == ["IMG_E0001.JPG", "IMG_E0001.MOV", "IMG_0001.AAE"])
    #expect(result["version"] as? Int == 1)
    // The reference is the same command in another folder.
    let other = try TemporaryFolder()
    try other.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
    try Tools.output(
      RunningServer.programs.appendingPathComponent("liveedit").path, "rotate", "--degrees", "90",
      "IMG_0001.JPG",
      in: other.url)
    for name in ["IMG_E0001.JPG", "IMG_E0001.MOV"] {
      #expect(try server.folder.read("Photos/" + name) == other.read(name), "\(name)")
    }
    for change in [
      #"{"type":"flip","axis":"vertical"}"#, #"{"type":"apply","presets":["vivid"],"intensity":0.5}"#,
      #"{"type":"auto","only":["light"]}"#, #"{"type":"merge","edit":{"light":{"exposure":0.2}}}"#,
      #"{"type":"set","edit":{"orientation":3}}"#,
    ] {
      let job = try server.finished(server.post("edits", #"{"assets":["\#(id)"],"change":\#(change)}"#))
      #expect(job["state"] as? String == "done", "\(change): \(job)")
    }
    let history = try server.ask("api/1/assets/\(id)/history").json
    let versions = try #require(history["versions"] as? [[String: Any]])
    #expect(history["canRevert"] as? Bool == true && history["canRedo"] as? Bool == false)
    #expect((versions.last?["edit"] as? [String: Any])?["orientation"] as? Int == 3)
    for version in ["original", "1", "current"] {
      #expect(
        try server.ask("api/1/assets/\(id)/picture?size=320&version=\(version)").status == 200, "\(version)")
    }
    let second = try #require(try server.assets()["IMG_0002"])
    let copy = try server.finished(
      server.post("edits", #"{"assets":["\#(second)"],"change":{"type":"copy","from":"\#(id)"}}"#))
    #expect(copy["state"] as? String == "done", "\(copy)")
    for (change, current) in [
      (#"{"type":"revert","to":"original"}"#, 0), (#"{"type":"redo"}"#, 1), (#"{"type":"revert"}"#, 0),
      (#"{"type":"revert","to":1}"#, 1),
    ] {
      let job = try server.finished(server.post("edits", #"{"assets":["\#(id)"],"change":\#(change)}"#))
      #expect(job["state"] as? String == "done", "\(change): \(job)")
      #expect(try server.ask("api/1/assets/\(id)/history").json["current"] as? Int == current, "\(change)")
    }
    let failed = try server.finished(
      server.post("edits", #"{"assets":["\#(id)"],"change":{"type":"revert","to":99}}"#))
    #expect(failed["state"] as? String == "failed" && failed["failed"] as? Int == 1)
    let error = (failed["results"] as? [[String: Any]])?.first?["error"] as? [String: Any]
    #expect(error?["code"] as? String == "notFound")
    #expect(try server.folder.read("Photos/IMG_0001.JPG") == before)
    for (body, status) in [
      (#"{"assets":[],"change":{"type":"redo"}}"#, 400),
      (#"{"assets":["\#(id)"],"change":{"type":"paint"}}"#, 400),
      (#"{"assets":["\#(id)"],"change":{"type":"turn","degrees":45}}"#, 400), ("{", 400),
      (#"{"assets":["\#(id)"]}"#, 400),
      (#"{"assets":["\#(id)"],"change":{"type":"set","edit":{"brightness":1}}}"#, 400),
      (#"{"assets":["0000"],"change":{"type":"redo"}}"#, 404),
    ] { #expect(try server.post("edits", body).status == status, "\(body)") }
  }

  /// If some of several assets are missing, the others are processed, and the missing assets are reported.
  @Test func whatIsGoneStopsNothing() throws {
    let server = try RunningServer()
    let assets = try server.assets()
    let (first, second) = (try #require(assets["IMG_0001"]), try #require(assets["IMG_0002"]))
    for name in ["IMG_0002.JPG", "IMG_0002.MOV"] {
      try FileManager.default.removeItem(at: server.folder.file("Photos/" + name))
    }
    let three = #""assets":["\#(second)","\#(first)","0000"]"#
    func check(_ results: Any?, _ status: String) {
      let results = results as? [[String: Any]] ?? []
      #expect(results.count == 3)
      for result in results {
        let id = result["asset"] as? String ?? ""
        #expect(result["status"] as? String == (id == first ? status : "failed"))
        guard id != first else { continue }
        let error = result["error"] as? [String: Any]
        #expect(error?["code"] as? String == "notFound")
        #expect(error?["file"] as? String == (id == second ? "IMG_0002.JPG" : nil))
      }
    }
    check(try server.post("marks", #"{\#(three),"favourite":true}"#).json["results"], "marked")
    #expect(try server.ask("api/1/sections?filter=favourite").json["count"] as? Int == 1)
    let album = try server.post("albums", #"{\#(three),"action":"add","album":"A"}"#)
    check(album.json["results"], "added")
    let turn = #"{\#(three),"change":{"type":"turn","degrees":90}"#
    check(try server.post("edits", turn + #","dryRun":true}"#).json["results"], "planned")
    let job = try server.finished(server.post("edits", turn + "}"))
    #expect(job["done"] as? Int == 1 && job["failed"] as? Int == 2 && job["total"] as? Int == 3)
    check(job["results"], "rendered")
    let share = try server.finished(server.post("share", #"{\#(three),"as":"still","to":"folder"}"#))
    check(share["results"], "exported")
    #expect(try server.post("edits", #"{"assets":["\#(second)"],"change":{"type":"redo"}}"#).status == 404)
  }

  /// Bursts are counted without hidden assets, and an album's cover is its first asset, even if other assets have the
  /// same name.
  @Test func burstsAreCountedAndAlbumsHaveACover() throws {
    let server = try RunningServer(fixtures: [])
    let photos = server.folder.file("Photos")
    for (name, burst) in [("a", "BB"), ("b", "BB"), ("c", "BB"), ("d", "CC")] {
      let photo = photos.appendingPathComponent(name + ".JPG")
      try Tools.output("convert", "-size", "64x48", "xc:red", photo.path)
      // A maker note that contains only tag 0x000B.
      let note =
        Array("Apple iOS".utf8) + [0, 0, 1, 0x4D, 0x4D, 0, 1, 0, 0x0B, 0, 2, 0, 0, 0, 3]
        + Array(burst.utf8) + [0, 0, 0, 0, 0, 0]
      try server.folder.write(note, to: "note")
      try Tools.output(
        "exiftool", "-q", "-overwrite_original", "-Make=Apple",
        "-MakerNotes<=" + server.folder.file("note").path, "-DateTimeOriginal=2020:01:01 10:00:00",
        photo.path)
      #expect(try Tools.exiftool(photo)["Apple:BurstUUID"] == burst)
    }
    for number in 10..<40 {
      try FileManager.default.copyItem(
        at: TestFiles.fixture("gainmap.JPG"), to: photos.appendingPathComponent("\(number)a.JPG"))
    }
    let assets = try server.assets()
    let (first, third) = (try #require(assets["a"]), try #require(assets["c"]))
    _ = try server.post("marks", #"{"assets":["\#(third)"],"hidden":true}"#)
    _ = try server.post("albums", #"{"action":"add","album":"A","assets":["\#(first)"]}"#)
    try server.restart(SIGTERM)
    let albums = try server.ask("api/1/albums").json["albums"] as? [[String: Any]]
    #expect(albums?.first?["cover"] as? String == first)
    let list = try server.ask("api/1/assets?filter=has%20burst").json["assets"] as? [[String: Any]] ?? []
    let counts = list.map { "\($0["name"] ?? "") \($0["burstCount"] ?? "-")" }.sorted()
    #expect(counts == ["a 2", "b -", "d 1"])
  }

  /// Files that a killed server had prepared for download are removed when the next server starts. Those of a running
  /// server are kept.
  @Test func downloadsOfAKilledServerGoAway() throws {
    let server = try RunningServer(fixtures: ["IMG_0001.JPG", "IMG_0001.MOV"])
    let other = try RunningServer(
      fixtures: ["IMG_0002.JPG", "IMG_0002.MOV"], environment: ["TMPDIR": server.folder.url.path])
    func share(_ server: RunningServer) throws -> String {
      let id = try #require(try server.assets().first?.value)
      let job = try server.finished(
        server.post("share", #"{"assets":["\#(id)"],"as":"still","to":"download"}"#))
      let written = (job["results"] as? [[String: Any]])?.first?["written"] as? [[String: Any]]
      return try #require(written?.first?["download"] as? String)
    }
    func left() throws -> [String] {
      try server.folder.names().filter { $0.hasPrefix("liveedit-downloads-") }.sorted()
    }
    _ = try share(server)
    let kept = try share(other)
    let before = try left()
    try server.restart(SIGKILL)
    let after = try left()
    // Two folders and their locks. The restarted server has new ones.
    #expect(before.count == 4 && after.count == 4 && Set(before).intersection(after).count == 2)
    #expect(try other.ask(kept).status == 200)
    other.end()
    server.end()
    #expect(try left() == [])
  }

  @Test func marksAndAlbumsAreKept() throws {
    let server = try RunningServer()
    let assets = try server.assets()
    let (first, second) = (try #require(assets["IMG_0001"]), try #require(assets["IMG_0002"]))
    let marked = try server.post("marks", #"{"assets":["\#(first)"],"favourite":true,"hidden":true}"#)
    #expect((marked.json["results"] as? [[String: Any]])?.map { $0["status"] as? String } == ["marked"])
    #expect(Array(try server.assets().keys) == ["IMG_0002"])
    #expect(try server.ask("api/1/sections?hidden=true").json["count"] as? Int == 2)
    #expect(try server.ask("api/1/sections?filter=favourite&hidden=true").json["count"] as? Int == 1)
    #expect(try server.post("marks", #"{"assets":["\#(first)"]}"#).status == 400)
    let both = #""album":"Été","assets":["\#(first)","\#(second)"]}"#
    #expect(try server.post("albums", #"{"action":"add","# + both).json["results"] is [Any])
    let albums = try #require(try server.ask("api/1/albums").json["albums"] as? [[String: Any]])
    #expect(albums.count == 1 && albums[0]["album"] as? String == "Été" && albums[0]["count"] as? Int == 2)
    #expect(
      try server.post("albums", #"{"action":"remove","album":"Été","assets":["\#(first)"]}"#).status == 200)
    // The reference is the command's output.
    let listed = try Tools.output(
      RunningServer.programs.appendingPathComponent("liveedit").path, "album", "list", "Photos",
      in: server.folder.url)
    #expect(listed.text.contains("Été (1 asset)"))
    #expect(try server.post("albums", #"{"action":"create","album":"Winter"}"#).text.contains("created"))
    #expect(try server.post("albums", #"{"action":"create","album":"Winter"}"#).text.contains("failed"))
    #expect(try server.post("albums", #"{"action":"delete","album":"Winter"}"#).text.contains("deleted"))
    #expect(try server.post("albums", #"{"action":"delete","album":"Winter"}"#).status == 404)
  }

  @Test func whatIsHandedOnIsToldBefore() throws {
    let server = try RunningServer()
    try Tools.output(
      "exiftool", "-q", "-overwrite_original", "-XMP-iptcExt:PersonInImage=Ada Lovelace",
      "-XMP-iptcExt:PersonInImage+=Grace", "-XMP-mwg-rs:RegionName=Ada Lovelace",
      server.folder.file("Photos/IMG_0002.JPG").path)
    let other = try #require(try server.assets()["IMG_0002"])
    let people = try server.ask("api/1/assets/\(other)/share").json["people"] as? [String]
    #expect(people?.sorted() == ["Ada Lovelace", "Grace"])
    let id = try #require(try server.assets()["IMG_0001"])
    let facts = try server.ask("api/1/assets/\(id)/share").json
    let tags = try Tools.exiftool(server.folder.file("Photos/IMG_0001.JPG"))
    let place = facts["place"] as? [String: Double]
    #expect(
      place?["latitude"] != nil
        && Double(tags["Composite:GPSLatitude"] ?? "").map { abs($0 - (place?["latitude"] ?? 0)) < 1e-6 }
          == true
    )
    #expect(
      (facts["photo"] as? [String: Any])?["size"] as? Int
        == (try server.folder.read("Photos/IMG_0001.JPG").count))
    #expect((facts["forms"] as? [String])?.contains("motion-photo") == true)
    for (form, options) in [("pair", #","strip":"location""#), ("still", ""), ("image", #","size":200"#)] {
      let job = try server.finished(
        server.post("share", #"{"assets":["\#(id)"],"as":"\#(form)","to":"download"\#(options)}"#))
      let result = try #require((job["results"] as? [[String: Any]])?.first)
      let written = try #require(result["written"] as? [[String: Any]], "\(job)")
      #expect(written.count == (form == "pair" ? 2 : 1))
      for file in written {
        let address = try #require(file["download"] as? String)
        let reply = try server.ask(address)
        #expect(reply.status == 200 && reply.body.count == file["size"] as? Int)
        let copy = try server.folder.write(reply.body, to: form + "-" + (file["name"] as? String ?? ""))
        if form == "pair" {
          #expect(try Tools.output("exiftool", "-a", "-G1", "-gps*", "-*location*", copy.path).text.isEmpty)
        }
      }
      let name = job["job"] as? String ?? ""
      #expect(try server.post("jobs/\(name)/dismiss", "{}").status == 200)
      #expect(try server.ask(written[0]["download"] as? String ?? "").status == 404)
    }
    let job = try server.finished(server.post("share", #"{"assets":["\#(id)"],"as":"still","to":"folder"}"#))
    #expect(
      job["state"] as? String == "done"
        && FileManager.default.fileExists(atPath: server.folder.file("out/IMG_0001.JPG").path))
    for body in [
      #"{"assets":["\#(id)"],"as":"pvt","to":"download"}"#,
      #"{"assets":["\#(id)"],"as":"still","to":"/tmp"}"#,
      #"{"assets":["\#(id)"],"as":"still","to":"folder","name":"../../{stem}"}"#,
      #"{"assets":["\#(id)"],"as":"still","to":"download","strip":"faces"}"#,
    ] {
      let status = try server.post("share", body).status
      #expect([400, 422].contains(status), "\(body): \(status)")
    }
  }

  @Test func factsAreThoseOfTheCommands() throws {
    let server = try RunningServer()
    let id = try #require(try server.assets()["IMG_0001"])
    let program = RunningServer.programs.appendingPathComponent("liveedit").path
    let files = try #require(try server.ask("api/1/assets/\(id)/inspect").json["files"] as? [[String: Any]])
    #expect(files.map { $0["kind"] as? String } == ["photo", "movie"])
    let said = try Tools.output(program, "inspect", "--json", "Photos/IMG_0001.JPG", in: server.folder.url)
      .lines[0]
    let command = try #require(try JSONSerialization.jsonObject(with: Data(said.utf8)) as? [String: Any])
    func text(_ photo: Any?) throws -> String {
      let data = try JSONSerialization.data(withJSONObject: photo ?? [:], options: [.sortedKeys])
      return String(decoding: data, as: UTF8.self)
    }
    #expect(try text(files[0]["photo"]) == text(command["photo"]))
    #expect(files[0]["file"] as? String == "IMG_0001.JPG")
    let verdict = try server.ask("api/1/assets/\(id)/verify").json
    #expect(verdict["verdict"] as? String == "valid")
    #expect(!(try server.ask("api/1/assets/\(id)/history").text.contains(server.folder.url.path)))
  }
}
