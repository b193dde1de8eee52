import Foundation
import TestSupport
import Testing

extension CommandGeometryTests {
  /// Each edit with one camera pair and two fixtures. A quick run uses each edit and each kind of pair once.
  static let checked: [(arguments: [String], photo: URL)] = {
    let fixtures = ["IMG_0002.JPG", "IMG_0004.HEIC"].map { TestFiles.fixture($0) }
    let edits = [
      (["crop", "--aspect", "1:1", "--anchor", "left"], "iphone-6s-jpeg/IMG_0728.JPG"),
      (["straighten", "--degrees", "-7"], "iphone-7plus-jpeg/IMG_2016.JPG"),
      (["perspective", "--horizontal", "0.3", "--vertical", "-0.5"], "iphone-6s-jpeg/IMG_0728.JPG"),
    ]
    return edits.enumerated().flatMap { index, edit in
      Cases.chosen([TestFiles.sample(edit.1)] + fixtures) { number, _ in number == index }
        .compactMap { $0 }.map { (edit.0, $0) }
    }
  }()

  @Test(arguments: [
    ("IMG_0003.JPG", ["adjust", "--exposure", "0.3", "--sharpness", "0.5", "--grain", "0.4"]),
    ("IMG_0004.HEIC", ["straighten", "--degrees", "3"]),
  ])
  func rendersDoNotDependOnTheNumberOfCores(photo: String, arguments: [String]) throws {
    let names = [photo, photo.prefix(8) + ".MOV"]
    let renders = try [[], ["taskset", "-c", "0"]].map { prefix in
      let folder = try TemporaryFolder()
      try folder.copy(TestFiles.fixture(names[0]), TestFiles.fixture(names[1]))
      let answer = try Tools.run(prefix + [Command.path] + arguments + [photo], in: folder.url)
      #expect(answer.status == 0, "\(answer.standardError)")
      return try names.map {
        try Data(contentsOf: folder.file($0.replacingOccurrences(of: "IMG_", with: "IMG_E")))
      }
    }
    #expect(renders[0] == renders[1])
  }

  /// The checker that `LIVEEDIT_CHECKER` names, if any, accepts each edit.
  @Test(arguments: Cases.chosen(checked) { index, _ in index == 0 })
  func theCheckerAgrees(_ arguments: [String], photo: URL) throws {
    guard Checker.isThere else { return }
    let folder = try TemporaryFolder()
    let stem = photo.deletingPathExtension()
    let files = try folder.copy(photo, stem.appendingPathExtension("MOV"))
    // Adds the title and comment that the checker looks for.
    try Tools.output(
      "exiftool", "-q", "-overwrite_original", "-UserData:Title=Sea", "-UserData:Comment=Wind",
      files[1].path)
    let name = stem.lastPathComponent
    let answer = try Tools.run([Command.path] + arguments + [files[0].path])
    #expect(answer.status == 0, "\(answer.standardError)")
    try answer.standardOutput.write(to: folder.file("report.txt"))
    let render = folder.file(name.replacingOccurrences(of: "IMG_", with: "IMG_E")).path
    let verdict = try #require(
      try Checker.ask(
        files[0].path, files[1].path, render + "." + photo.pathExtension, render + ".MOV", "--crop",
        "--report", folder.file("report.txt").path))
    #expect(verdict.status == 0, "\(verdict.lines.filter { $0.hasPrefix("FAIL") })")
  }
}
