import Foundation
import TestSupport
import Testing

/// Clients that take their time.
@Suite struct SlowClientTests {
  /// A client that sends a byte now and then has fifteen seconds for its request.
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
