import Foundation
import TestSupport
import Testing

/// Tests of photos with a movie in an undocumented layout: results contain neither the movie nor its location, and the
/// output says so.
@Suite struct CommandUnknownMovieTests {
  @Test func aChangeOfTheDateNamesTheMoviesOwn() throws {
    let folder = try TemporaryFolder()
    let layout = try #require(MovieLayout.all.first { $0.name == "huawei.jpg" })
    try Data(layout.bytes).write(to: folder.file(layout.name))
    let output = try Command.run("date", "--shift", "1h", layout.name, in: folder.url)
    #expect(output.status == 0 && output.text.contains("keeps its own date"), "\(output.text)")
  }

  @Test func inspectAndVerifyTellOfIt() throws {
    for name in ["huawei.jpg", "sefd.heic", "bare.png"] {
      let layout = try #require(MovieLayout.all.first { $0.name == name })
      let own = try TemporaryFolder()
      try Data(layout.bytes).write(to: own.file(name))
      let told = try Command.run("inspect", name, in: own.url)
      #expect(
        told.text.contains("other movie") && told.text.contains("at byte \(layout.movies[0])"),
        "\(told.text)")
      let json = try Command.run("inspect", "--json", name, in: own.url)
      let object =
        try JSONSerialization.jsonObject(with: Data((json.text.split(separator: "\n").first ?? "").utf8))
        as? [String: Any]
      let movies = (object?["photo"] as? [String: Any])?["unknownMovies"] as? [[String: Any]]
      #expect(movies?.first?["offset"] as? Int == layout.movies[0], "\(json.text)")
      let verified = try Command.run("verify", name, in: own.url)
      #expect(verified.text.contains("in an unknown layout"), "\(verified.text)")
    }
  }
}
