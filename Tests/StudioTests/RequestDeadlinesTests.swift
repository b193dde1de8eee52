import FileSystem
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Studio

/// Tests of the deadlines after which connections are closed.
@Suite struct RequestDeadlinesTests {
  /// Returns the two ends of a connection: the server's and the client's.
  private func pair() throws -> (Int32, Int32) {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    return (ends[0], ends[1])
  }

  /// Returns whether the client's end is notified that the connection was closed.
  private func isEnded(_ other: Int32) -> Bool {
    var byte: UInt8 = 0
    return recv(other, &byte, 1, Int32(MSG_DONTWAIT)) == 0
  }

  /// Waits for the connection to be closed. Other tests may occupy all task threads for a long time.
  private func ends(_ other: Int32) async throws -> Bool {
    for _ in 0..<1200 where !isEnded(other) { try await Task.sleep(for: .milliseconds(50)) }
    return isEnded(other)
  }

  @Test func anAnswerThatIsNotTakenIsEnded() async throws {
    let deadlines = RequestDeadlines(
      first: .seconds(60), next: .seconds(60), answer: .milliseconds(200))
    let (own, other) = try pair()
    defer { for end in [own, other] { close(end) } }
    deadlines.begin(own)
    deadlines.arrived(own)
    #expect(!isEnded(other))
    #expect(try await ends(other))
  }

  /// A request that arrives byte by byte is ended at its deadline, and not earlier.
  @Test(arguments: [true, false]) func aSlowRequestIsEnded(_ isLate: Bool) async throws {
    let socket = try ListeningSocket(address: "127.0.0.1", port: 0)
    let handler = HTTPServer.Handler(refuse: { _ in nil }, answer: { _ in HTTPResponse(204) }, headers: [])
    let server = try HTTPServer(
      socket, handler, limits: HTTPServer.Limits(seconds: 3600),
      deadlines: RequestDeadlines(first: isLate ? .milliseconds(200) : .seconds(3600)))
    let slow = try RawConnection(port: try #require(socket.port))
    slow.send("GET / HTTP/1.1\r\nX: ")
    var isEnded = false
    for _ in 0..<(isLate ? 6000 : 10) where !isEnded {
      try await Task.sleep(for: .milliseconds(50))
      isEnded = !slow.send("X")
    }
    #expect(isEnded == isLate)
    await server.end()
  }

  @Test func theOneThatIsIdleLongestMakesRoom() throws {
    let deadlines = RequestDeadlines(most: 3)
    let pairs = try (0..<6).map { _ in try pair() }
    defer {
      for (own, other) in pairs {
        // Otherwise another test's connection with the same number would be closed later.
        deadlines.end(own)
        for end in [own, other] { close(end) }
      }
    }
    func ended() -> [Int] { pairs.indices.filter { isEnded(pairs[$0].1) } }
    for number in 0..<3 { deadlines.begin(pairs[number].0) }
    #expect(ended() == [])
    // A request arrives on the first connection, and the second connection's request is answered, so the third has been
    // idle longest.
    deadlines.begun(pairs[0].0)
    deadlines.arrived(pairs[1].0)
    deadlines.answered(pairs[1].0)
    deadlines.begin(pairs[3].0)
    #expect(ended() == [2])
    deadlines.end(pairs[2].0)
    deadlines.begin(pairs[4].0)
    #expect(ended() == [1, 2])
    deadlines.isEndless(pairs[4].0)
    deadlines.arrived(pairs[3].0)
    deadlines.begin(pairs[5].0)
    #expect(ended() == [1, 2])
  }

  @Test func aStreamIsNot() async throws {
    let deadlines = RequestDeadlines(
      first: .milliseconds(100), next: .milliseconds(100), answer: .milliseconds(100))
    let (own, other) = try pair()
    defer { for end in [own, other] { close(end) } }
    deadlines.begin(own)
    deadlines.arrived(own)
    deadlines.isEndless(own)
    try await Task.sleep(for: .milliseconds(400))
    #expect(!isEnded(other))
    deadlines.answered(own)
    #expect(try await ends(other))
  }
}
