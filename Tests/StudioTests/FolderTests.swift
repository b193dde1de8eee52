import Foundation
import TestSupport
import Testing

/// Tests of folders that are added while they are served, and of more folders than can be watched individually.
@Suite struct FolderTests {
  /// Listens to the events of a server.
  private func events(of server: RunningServer) throws -> RawConnection {
    let stream = try RawConnection(port: server.port)
    stream.send(
      "GET /api/1/events HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
        + "Authorization: Bearer \(RunningServer.token)\r\n\r\n")
    _ = try #require(stream.receive(until: "event: hello"))
    return stream
  }

  @Test func aFolderThatIsMadeLaterIsServed() throws {
    let server = try RunningServer(["serve", "-r"], fixtures: ["IMG_0001.JPG", "IMG_0001.MOV"])
    let stream = try events(of: server)
    let folder = server.folder.file("Photos/2025/May")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: TestFiles.fixture("gainmap.JPG"), to: folder.appendingPathComponent("gainmap.JPG"))
    let told = try #require(stream.receive(until: #""folder":1"#))
    #expect(told.contains("event: change\n"))
    let id = try #require(try server.assets()["gainmap"])
    let asset = try server.ask("api/1/assets/\(id)").json["asset"] as? [String: Any]
    #expect(asset?["file"] as? String == "2025/May/gainmap.JPG")
    let job = try server.post("edits", #"{"assets":["\#(id)"],"change":{"type":"turn","degrees":90}}"#)
    #expect(job.status == 202)
    _ = try #require(stream.receive(until: #""state":"done""#))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).contains("gainmap_edited.JPG"))
  }

  /// A list created just before the change is not returned again.
  @Test func assetsAreCurrentOnceAChangeIsTold() throws {
    let server = try RunningServer(fixtures: ["IMG_0001.JPG", "IMG_0001.MOV"])
    let stream = try events(of: server)
    #expect(try server.assets().count == 1)
    try FileManager.default.copyItem(
      at: TestFiles.fixture("gainmap.JPG"), to: server.folder.file("Photos/gainmap.JPG"))
    _ = try #require(stream.receive(until: "event: change"))
    #expect(try server.assets()["gainmap"] != nil)
  }

  @Test func nobodyListensAndAFolderComes() throws {
    let server = try RunningServer(["serve", "-r"], fixtures: ["IMG_0001.JPG", "IMG_0001.MOV"])
    #expect(try server.assets().count == 1)
    let folder = server.folder.file("Photos/new")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try FileManager.default.copyItem(
      at: TestFiles.fixture("gainmap.JPG"), to: folder.appendingPathComponent("gainmap.JPG"))
    try Event.wait(for: "the asset of the new folder") { try server.assets()["gainmap"] != nil }
  }

  @Test func changesInTheSeventiethFolderAreTold() throws {
    let many = try TemporaryFolder()
    for number in 0..<70 {
      let folder = many.file("many/\(String(format: "%02d", number))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: TestFiles.fixture("gainmap.JPG"), to: folder.appendingPathComponent("photo.JPG"))
    }
    let server = try RunningServer(["serve", "-r"], fixtures: [], below: many.file("many"))
    let stream = try events(of: server)
    let liveedit = RunningServer.programs.appendingPathComponent("liveedit").path
    // The Photos folder itself has the number 0.
    try Tools.output(liveedit, "mark", "--favourite", "Photos/many/68/photo.JPG", in: server.folder.url)
    let told = try #require(stream.receive(until: #""folder":69"#))
    #expect(told.contains(#""all":true"#))
    // The catalogue is already known.
    try Tools.output(liveedit, "mark", "--no-favourite", "Photos/many/68/photo.JPG", in: server.folder.url)
    _ = try #require(stream.receive(until: #""folder":69"#))
  }
}
