import Foundation
import TestSupport
import Testing

/// The address of a page after its server was killed, and after it ended well.
@Suite struct KeptSessionTests {
  /// The files in the user's folder for what goes away with the login.
  private func kept(_ server: RunningServer) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: server.folder.file("run").path)
  }

  @Test func aKilledServerGoesOnWhereItWas() throws {
    let server = try RunningServer(["studio", "--no-open"])
    let (address, query) = (server.address, server.query)
    let name = try #require(kept(server).first)
    let attributes = try FileManager.default.attributesOfItem(atPath: server.folder.file("run/" + name).path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try server.restart(SIGKILL)
    #expect(server.address == address && server.query == query)
    let cookies = server.folder.file("cookies").path
    let page = try server.ask("?" + query, ["-c", cookies], token: nil)
    #expect(page.status == 200)
    try server.restart(SIGKILL)
    // The cookie of before opens it, and no other.
    #expect(try server.ask("api/1/session", ["-b", cookies], token: nil).status == 200)
    #expect(try server.ask("api/1/session", token: nil).status == 401)
  }

  @Test func whatEndedWellIsForgotten() throws {
    let server = try RunningServer(["studio", "--no-open"])
    let (address, query) = (server.address, server.query)
    try server.restart(SIGTERM)
    #expect(server.address != address && server.query != query)
    #expect(server.end() == 0)
    #expect(try kept(server).isEmpty)
  }

  @Test func aSecondServerOfTheSameFoldersIsApart() throws {
    let server = try RunningServer(["studio", "--no-open"])
    let words = ["studio", "--no-open", "--share-to", "out", "Photos"]
    let other = Process()
    other.executableURL = server.process.executableURL
    other.arguments = words
    other.environment = server.process.environment
    other.currentDirectoryURL = server.folder.url
    let pipe = Pipe()
    (other.standardOutput, other.standardError) = (pipe, FileHandle.nullDevice)
    try other.run()
    let said = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    #expect(said.hasPrefix("http://127.0.0.1:") && !said.hasPrefix(server.address))
    other.terminate()
    other.waitUntilExit()
    // It took nothing away that is the first one's.
    let address = server.address
    try server.restart(SIGKILL)
    #expect(server.address == address)
  }

  @Test func anotherPortIsAnotherServer() throws {
    let server = try RunningServer(["studio", "--no-open"])
    let taken = server.port
    #expect(taken > 0)
    try server.restart(SIGKILL)
    #expect(server.port == taken)
  }
}
