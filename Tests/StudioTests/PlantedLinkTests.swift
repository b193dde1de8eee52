import Foundation
import Glibc
import TestSupport
import Testing

/// Tests in which another user can write in the served folders and may create links there at any time.
@Suite struct PlantedLinkTests {
  /// A server of a folder with a subfolder, and a folder beside it that is not served.
  private final class Served {
    let server: RunningServer
    /// The files of the folder that is not served.
    let before: [String: [UInt8]]

    init() throws {
      let below = try TemporaryFolder()
      try FileManager.default.createDirectory(at: below.file("sub"), withIntermediateDirectories: false)
      for name in ["IMG_0001.JPG", "IMG_0001.MOV", "gainmap.JPG"] {
        try FileManager.default.copyItem(at: TestFiles.fixture(name), to: below.file("sub/" + name))
      }
      server = try RunningServer(
        ["serve", "-r"], fixtures: ["IMG_0002.JPG", "IMG_0002.MOV"], below: below.file("sub"))
      try FileManager.default.copyItem(at: below.file("sub"), to: server.folder.file("victim"))
      before = try Self.files(of: server)
    }

    static func files(of server: RunningServer) throws -> [String: [UInt8]] {
      var files: [String: [UInt8]] = [:]
      for name in try FileManager.default.subpathsOfDirectory(atPath: server.folder.file("victim").path) {
        files[name] = (try? server.folder.read("victim/" + name)) ?? []
      }
      return files
    }

    func file(_ name: String) -> URL { server.folder.file("Photos/" + name) }

    func link(_ name: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(atPath: file(name).path, withDestinationPath: target)
    }

    func move(_ name: String, to target: String) throws {
      try FileManager.default.moveItem(at: file(name), to: file(target))
    }

    /// Returns the identifiers of the assets by file.
    func assets() throws -> [String: String] {
      let list =
        try server.ask("api/1/assets?limit=1000&hidden=true").json["assets"] as? [[String: Any]] ?? []
      return Dictionary(
        uniqueKeysWithValues: list.compactMap { one in
          if let file = one["file"] as? String, let id = one["id"] as? String { (file, id) } else { nil }
        })
    }

    var isVictimUntouched: Bool { get throws { try Self.files(of: server) == before } }
  }

  /// Returns the codes in the results of a request or a job.
  private func codes(_ results: Any?) -> Set<String> {
    let results = results as? [[String: Any]] ?? []
    return Set(results.map { ($0["error"] as? [String: Any])?["code"] as? String ?? "\($0["status"] ?? "")" })
  }

  @Test func aFolderThatBecameALinkIsNotEntered() throws {
    let served = try Served()
    let server = served.server
    let assets = try served.assets()
    let id = try #require(assets["sub/IMG_0001.JPG"])
    let other = try #require(assets["sub/gainmap.JPG"])
    let turn = #""change":{"type":"turn","degrees":90}"#
    func edit(_ ids: String...) throws -> RunningServer.Reply {
      try server.post("edits", #"{"assets":[\#(ids.map { "\"\($0)\"" }.joined(separator: ","))],\#(turn)}"#)
    }
    #expect(try server.finished(edit(id))["state"] as? String == "done")
    try served.move("sub", to: ".gone")
    for target in ["../victim", served.server.folder.file("victim").path] {
      try served.link("sub", to: target)
      for route in [
        "", "/thumbnail", "/picture", "/picture?version=0", "/picture?version=1", "/picture?preset=vivid",
        "/movie",
        "/original/photo", "/original/movie", "/history", "/edit", "/proposal?auto=true", "/inspect",
        "/verify",
        "/share", "/table",
      ] {
        let reply = try server.ask("api/1/assets/\(id)\(route)")
        #expect(
          reply.status == 409 && reply.code == "inTheWay",
          "\(route): \(reply.status) \(reply.text.prefix(200))")
      }
      #expect(try edit(id).status == 409)
      #expect(try server.post("edits", #"{"assets":["\#(id)"],"dryRun":true,\#(turn)}"#).status == 409)
      #expect(try codes(server.finished(edit(id, other))["results"]) == ["inTheWay"])
      let folders = try server.ask("api/1/session").json["folders"] as? [[String: Any]] ?? []
      let number = try #require(folders.first { $0["name"] as? String == "Photos/sub" }?["folder"] as? Int)
      for body in [
        #"{"action":"add","album":"A","assets":["\#(id)","\#(other)"]}"#,
        #"{"action":"create","album":"A","folders":[\#(number)]}"#,
      ] {
        let reply = try server.post("albums", body)
        #expect(reply.code == "inTheWay" || codes(reply.json["results"]) == ["inTheWay"], "\(reply.text)")
      }
      #expect(try server.post("marks", #"{"assets":["\#(id)"],"favourite":true}"#).code == "inTheWay")
      let share = try server.post("share", #"{"assets":["\#(id)","\#(other)"],"as":"pair","to":"folder"}"#)
      #expect(try codes(server.finished(share)["results"]) == ["inTheWay"])
      #expect(try served.isVictimUntouched)
      // The lists contain none of the links, and all other assets.
      #expect(try served.assets().keys.sorted() == ["IMG_0002.JPG"])
      try FileManager.default.removeItem(at: served.file("sub"))
    }
    try served.move(".gone", to: "sub")
    #expect(try server.finished(edit(id))["state"] as? String == "done")
    #expect(try FileManager.default.contentsOfDirectory(atPath: server.folder.file("out").path).isEmpty)
  }

  /// The job runs after the response. The link is created while the job waits for another one.
  @Test func aLinkThatComesBeforeTheWorkIsNotFollowed() throws {
    let served = try Served()
    let server = served.server
    for number in 1000..<1006 {
      for suffix in [".JPG", ".MOV"] {
        try FileManager.default.copyItem(
          at: served.file("IMG_0002" + suffix), to: served.file("IMG_\(number)" + suffix))
      }
    }
    var assets = try served.assets()
    var subs: [String] = []
    for file in ["sub/IMG_0001.JPG", "sub/gainmap.JPG"] {
      let id = assets.removeValue(forKey: file)
      subs.append(try #require(id))
    }
    func begin(_ ids: [String]) throws -> RunningServer.Reply {
      let names = ids.map { "\"\($0)\"" }.joined(separator: ",")
      return try server.post("edits", #"{"assets":[\#(names)],"change":{"type":"turn","degrees":90}}"#)
    }
    let first = try begin(Array(assets.values))
    let waiting = try [begin(subs), begin([subs[0]])]
    let kept = try [subs, [subs[0]]].map { ids in
      try server.post(
        "share",
        #"{"assets":[\#(ids.map { "\"\($0)\"" }.joined(separator: ","))],"as":"pair","to":"folder"}"#)
    }
    try served.move("sub", to: ".gone")
    try served.link("sub", to: "../victim")
    #expect(
      (try server.ask("api/1/jobs").json["jobs"] as? [[String: Any]])?.contains {
        $0["state"] as? String == "waiting"
      } == true)
    for job in waiting + kept {
      #expect(job.status == 202)
      #expect(try codes(server.finished(job)["results"]) == ["inTheWay"])
    }
    #expect(try server.finished(first)["state"] as? String == "done")
    #expect(try served.isVictimUntouched)
    #expect(try FileManager.default.contentsOfDirectory(atPath: server.folder.file("out").path).isEmpty)
  }

  /// A folder and a link change places continuously. Whether an edit succeeds depends on timing, but it never writes to
  /// the wrong folder.
  @Test func aLinkThatComesAndGoesMeanwhileIsNotFollowed() throws {
    let served = try Served()
    let server = served.server
    let ids = try served.assets().filter { $0.key.hasPrefix("sub/") }.map(\.value)
    try served.link(".link", to: "../victim")
    let isOver = Flag()
    let (sub, link, gone) = (served.file("sub").path, served.file(".link").path, served.file(".gone").path)
    let swapper = Thread {
      while !isOver.value {
        guard rename(sub, gone) == 0, rename(link, sub) == 0 else { break }
        usleep(.random(in: 10...3000))
        guard rename(sub, link) == 0, rename(gone, sub) == 0 else { break }
        usleep(.random(in: 10...3000))
      }
      isOver.ended.signal()
    }
    swapper.start()
    var jobs: [RunningServer.Reply] = []
    for round in 0..<20 {
      let names = ids.shuffled().prefix(1 + round % 2).map { "\"\($0)\"" }.joined(separator: ",")
      let job = try server.post("edits", #"{"assets":[\#(names)],"change":{"type":"turn","degrees":90}}"#)
      if job.status == 202 { jobs.append(job) }
      for id in ids {
        for route in ["original/photo", "picture?preset=vivid&size=\(320 << (round % 3))"] {
          _ = try server.ask("api/1/assets/\(id)/" + route)
        }
      }
      _ = try server.post("marks", #"{"assets":[\#(names)],"favourite":true}"#)
    }
    for job in jobs { _ = try server.finished(job) }
    isOver.value = true
    isOver.ended.wait()
    #expect(try served.isVictimUntouched)
  }

  /// A flag that another thread reads.
  private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var isSet = false
    let ended = DispatchSemaphore(value: 0)
    var value: Bool {
      get { lock.withLock { isSet } }
      set { lock.withLock { isSet = newValue } }
    }
  }

  /// A request for one folder does not affect another folder that has taken over its name.
  @Test func anotherFolderIsServedOnceItWasFound() throws {
    let served = try Served()
    let server = served.server
    let id = try #require(try served.assets()["sub/gainmap.JPG"])
    try FileManager.default.copyItem(at: served.file("sub"), to: served.file(".new"))
    try served.move("sub", to: ".gone")
    try served.move(".new", to: "sub")
    func edit() throws -> RunningServer.Reply {
      try server.post("edits", #"{"assets":["\#(id)"],"change":{"type":"turn","degrees":90}}"#)
    }
    let refused = try edit()
    #expect(refused.status == 409 && refused.code == "conflict", "\(refused.text)")
    try Event.wait(for: "the new folder") { try served.assets()["sub/gainmap.JPG"] != nil }
    #expect(try server.finished(edit())["state"] as? String == "done")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: served.file("sub").path).contains(
        "gainmap_edited.JPG"))
    // The server continues to use the folder that was named at the start.
    let photos = server.folder.file("Photos")
    try FileManager.default.moveItem(at: photos, to: server.folder.file("moved"))
    try FileManager.default.copyItem(at: server.folder.file("moved"), to: photos)
    #expect(try edit().status == 409)
    #expect(try server.ask("api/1/assets/\(id)/original/photo").status == 409)
  }

  /// A photo's name may be a link, but only to a file in the served folder.
  @Test func linksOfPhotosLeadNowhereElse() throws {
    let served = try Served()
    let server = served.server
    let secret = "the private key of somebody"
    try server.folder.write(Array(secret.utf8), to: "key")
    try served.link("IMG_0003.JPG", to: "../key")
    try served.link("IMG_0004.JPG", to: "../victim/IMG_0001.JPG")
    try served.link("IMG_0004.MOV", to: server.folder.file("victim/IMG_0001.MOV").path)
    try served.link("IMG_0005.MOV", to: "/proc/self/environ")
    try served.link("sub/IMG_0006.JPG", to: "../../key")
    // Files that accompany an asset.
    for name in ["IMG_0002.AAE", "IMG_0002.xmp", "IMG_0002.JPG.xmp"] { try served.link(name, to: "../key") }
    let inside = ["IMG_0007.JPG": "sub/IMG_0001.JPG", "IMG_0008.JPG": served.file("sub/IMG_0001.JPG").path]
    for (name, target) in inside { try served.link(name, to: target) }
    let assets = try served.assets()
    for file in ["IMG_0003.JPG", "IMG_0004.JPG", "IMG_0005.MOV", "sub/IMG_0006.JPG"] {
      let id = try #require(assets[file], "\(file)")
      for route in [
        "original/photo", "original/movie", "thumbnail", "picture", "picture?version=0",
        "picture?version=base&colors=p3",
        "picture?preset=vivid", "movie", "inspect", "verify", "table", "edit", "proposal?auto=true", "share",
      ] {
        let reply = try server.ask("api/1/assets/\(id)/" + route)
        #expect(
          [404, 422].contains(reply.status), "\(file) \(route): \(reply.status) \(reply.text.prefix(200))")
        #expect(!reply.text.contains(secret))
      }
      for form in ["pair", "still", "movie", "motion-photo", "video", "image"] {
        let job = try server.post("share", #"{"assets":["\#(id)"],"as":"\#(form)","to":"folder"}"#)
        if job.status == 202 { #expect(try server.finished(job)["done"] as? Int == 0, "\(file) \(form)") }
      }
      let edit = try server.post("edits", #"{"assets":["\#(id)"],"change":{"type":"turn","degrees":90}}"#)
      if edit.status == 202 { #expect(try server.finished(edit)["done"] as? Int == 0) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: server.folder.file("out").path).isEmpty)
    let whole = try #require(assets["IMG_0002.JPG"])
    let job = try server.post("share", #"{"assets":["\#(whole)"],"as":"pair","to":"folder"}"#)
    _ = try server.finished(job)
    for name in try FileManager.default.contentsOfDirectory(atPath: server.folder.file("out").path) {
      #expect(
        try !String(decoding: server.folder.read("out/" + name), as: UTF8.self).contains(secret), "\(name)")
    }
    let photo = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.JPG")))
    for file in inside.keys {
      let id = try #require(assets[file], "\(file)")
      #expect(try server.ask("api/1/assets/\(id)/original/photo").body == photo)
      #expect(try server.ask("api/1/assets/\(id)/picture?size=320").status == 200)
    }
    #expect(try served.isVictimUntouched)
  }

  /// A file named as a photo or a movie is sent if its first bytes are those of one, whether or not liveedit can edit
  /// it.
  @Test func whatIsNoPhotoOrMovieIsNotSent() throws {
    let server = try RunningServer(fixtures: [])
    let zip = Array("PK\u{3}\u{4}".utf8) + Array(repeating: 0, count: 60)
    let refused: [(name: String, bytes: [UInt8])] = [
      ("a.JPG", Array("private key\n".utf8)), ("b.MOV", Array("-----BEGIN\n".utf8)), ("c.HEIC", zip),
      ("d.JPG", [0xFF]),
      ("e.MOV", Array("key free of charge".utf8)), ("f.MOV", Array("\nskip it".utf8)),
      ("g.PNG", Array("<svg/>".utf8)),
      ("h.MP4", Array(repeating: 0, count: 100)), ("i.JPG", Array("%PDF-1.7".utf8)),
    ]
    let tiff: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let sent: [(name: String, bytes: [UInt8])] = [
      ("q.JPG", [0xFF, 0xD8, 0xFF, 0xE0, 0, 0]), ("r.MOV", TestFiles.shortestMovie),
      ("s.JPG", Array("GIF89a......".utf8)),
      ("t.JPG", tiff), ("u.MOV", [0x14, 0, 0, 0] + Array("mdat".utf8)),
      ("v.HEIC", Array("RIFF....WEBPVP8 ".utf8)),
    ]
    for file in refused + sent { try server.folder.write(file.bytes, to: "Photos/" + file.name) }
    let assets = try server.assets()
    func original(_ name: String) throws -> RunningServer.Reply {
      let id = try #require(assets[String(name.prefix(1))], "\(name)")
      let half = name.hasSuffix(".MOV") || name.hasSuffix(".MP4") ? "movie" : "photo"
      return try server.ask("api/1/assets/\(id)/original/\(half)")
    }
    for file in refused {
      let reply = try original(file.name)
      #expect(
        reply.status == 422 && reply.code == "invalidFile", "\(file.name): \(reply.status) \(reply.text)")
    }
    for file in sent {
      let reply = try original(file.name)
      #expect(reply.status == 200 && reply.body == file.bytes, "\(file.name): \(reply.status) \(reply.text)")
    }
  }
}
