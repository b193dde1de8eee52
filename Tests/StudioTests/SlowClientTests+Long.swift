import Foundation
import TestSupport
import Testing

/// Tests with slow clients.
@Suite struct SlowClientTests {
  /// A client that sends single bytes slowly has 15 seconds for its request.
  @Test func aSlowClientIsCutOff() throws {
    let server = try RunningServer()
    let slow = try RawConnection(port: server.port)
    slow.send("GET /api/1/session HTTP/1.1\r\n")
    try Event.wait(for: "the end of a slow connection") {
      usleep(200_000)
      return !slow.send("X")
    }
    #expect(try server.ask("api/1/session").status == 200)
  }
}
