import Foundation
import TestSupport
import Testing

/// Limits that are set: what is at one passes, what is beyond is refused in a sentence.
@Suite struct CommandLimitsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["IMG_0001.JPG", "IMG_0001.MOV"] { try folder.copy(TestFiles.fixture(name)) }
  }

  private func run(_ limits: String, _ words: String...) throws -> ToolOutput {
    try Tools.run([Command.path] + words, in: folder.url, environment: ["LIVEEDIT_LIMITS": limits])
  }

  /// What ffprobe says of the movie's sound, which has the most samples and is the longest.
  private func sound(_ entry: String) throws -> Double {
    let text = try Tools.output(
      "ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream=\(entry)", "-of", "csv=p=0",
      folder.file("IMG_0001.MOV").path
    ).text
    return try #require(Double(text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  @Test func samplesAndSecondsOfATrack() throws {
    let count = Int(try sound("duration_ts"))
    let seconds = Int(try sound("duration").rounded(.up))
    for (limits, problem) in [
      ("samples=\(count)", nil), ("samples=\(count - 1)", "has more than \(count - 1) samples"),
      ("duration=\(seconds)", nil), ("duration=\(seconds - 1)", "lasts longer than \(seconds - 1) seconds"),
    ] {
      let answer = try run(limits, "rotate", "--degrees", "90", "--dry-run", "IMG_0001.JPG")
      #expect(answer.status == (problem == nil ? 0 : 1), "\(limits): \(answer.standardError)")
      if let problem { #expect(answer.standardError.contains("one of its tracks \(problem)")) }
    }
  }

  @Test func versionsOfAnAsset() throws {
    for count in 1...3 {
      let answer = try run("versions=2", "rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG")
      #expect(answer.status == (count < 3 ? 0 : 1))
      #expect(answer.standardError.contains("has 2 versions, and gets no more") == (count == 3))
    }
    // What is there stays, and more can be had by a higher limit.
    #expect(try run("versions=2", "check", ".").status == 0)
    #expect(try run("versions=3", "rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG").status == 0)
  }

  @Test func megabytesOfASidecar() throws {
    let head = Array(
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/></x:xmpmeta>"
        .utf8)
    for (size, isRead) in [(1 << 20, true), ((1 << 20) + 1, false)] {
      let spaces = [UInt8](repeating: UInt8(ascii: " "), count: size - head.count)
      try folder.write(head + spaces, to: "IMG_0001.JPG.xmp")
      let answer = try run("sidecar=1", "describe", "--title", "Beach", "--dry-run", "IMG_0001.JPG")
      #expect(
        (answer.text + answer.standardError).contains("larger than 1 MB") == !isRead,
        "\(answer.text)\(answer.standardError)")
    }
  }
}
