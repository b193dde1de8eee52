import Foundation
import TestSupport
import Testing

/// Tests of a page's address after the server was killed, and after it ended normally.
@Suite struct KeptSessionTests {
  /// Returns the files in the user's folder for data that is deleted at logout.
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
    let page = try server.curl("?" + query, ["-c", cookies], token: nil)
    #expect(page.status == 200)
    try server.restart(SIGKILL)
    // The previous cookie opens the page, and no other cookie does.
    #expect(try server.curl("api/1/session", ["-b", cookies], token: nil).status == 200)
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
    let other = try server.run(output: "other", errors: "other-said")
    var said = ""
    try Event.wait(for: "the other server's address") {
      said = (try? String(contentsOf: server.folder.file("other"), encoding: .utf8)) ?? ""
      return said.hasSuffix("\n") || !other.isRunning
    }
    #expect(said.hasPrefix("http://127.0.0.1:") && !said.hasPrefix(server.address))
    other.signal(SIGTERM)
    other.wait()
    // The second server removed nothing that belongs to the first.
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
