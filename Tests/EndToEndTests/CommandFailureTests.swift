import Foundation
import TestSupport
import Testing

/// Tests of files that cannot be edited: one message, the right exit status, and no files left behind.
@Suite struct CommandFailureTests {
  /// Runs `rotate` on a file and expects one message about the file.
  func expectFailure(
    _ file: String, _ words: String..., in folder: URL, sourceLocation: SourceLocation = #_sourceLocation
  )
    throws
  {
    let before = try content(of: folder)
    let output = try Command.run("rotate", "--degrees", "90", file, in: folder)
    expectSentence(output, words, sourceLocation: sourceLocation)
    #expect(try content(of: folder) == before, sourceLocation: sourceLocation)
  }

  func expectSentence(
    _ output: ToolOutput, _ words: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(output.status == 1, sourceLocation: sourceLocation)
    #expect(output.text == "", sourceLocation: sourceLocation)
    #expect(output.sentences.count == 1, sourceLocation: sourceLocation)
    for word in words {
      #expect(
        output.sentences.first?.contains(word) == true, "\(output.standardError)",
        sourceLocation: sourceLocation)
    }
  }

  @Test func filesThatAreNoLivePhotos() throws {
    try withTemporaryFolder { folder in
      func put(_ name: String, _ data: Data) throws {
        try data.write(to: folder.appendingPathComponent(name))
      }
      try put("IMG_0011.JPG", Data())
      try put("IMG_0012.MOV", Data())
      try put("IMG_0013.JPG", Data("Dear diary, this is no photo at all.\n".utf8))
      try put("notes.txt", Data("Dear diary, this is no photo at all.\n".utf8))
      let movie = try Data(contentsOf: Fixture.portrait.files().movie)
      try put("IMG_0014.MOV", movie.prefix(movie.count / 2))
      try put("IMG_0015.MOV", movie.prefix(movie.count - 100))
      let photo = try Data(contentsOf: Fixture.portrait.files().photo)
      try put("IMG_0016.JPG", photo.prefix(200))
      try expectFailure("none.JPG", "none.JPG", "no such file", in: folder)
      try expectFailure("IMG_0011.JPG", "IMG_0011.JPG", "is empty", in: folder)
      try expectFailure("IMG_0012.MOV", "IMG_0012.MOV", "is empty", in: folder)
      try expectFailure("IMG_0013.JPG", "IMG_0013.JPG", "not a photo", in: folder)
      try expectFailure("notes.txt", "notes.txt", "neither a photo nor a movie", in: folder)
      for name in ["IMG_0014.MOV", "IMG_0015.MOV", "IMG_0016.JPG"] {
        try expectFailure(name, name, in: folder)
      }
    }
  }

  @Test func halvesOfTwoLivePhotos() throws {
    try withTemporaryFolder { folder in
      let pair = try Fixture.portrait.copy(to: folder)
      try FileManager.default.removeItem(at: pair.movie)
      try FileManager.default.copyItem(at: Fixture.mirrored.files().movie, to: pair.movie)
      try expectFailure("IMG_0001.JPG", "IMG_0001.JPG", "IMG_0001.MOV", "are not a Live Photo", in: folder)
      try expectFailure("IMG_0001.MOV", "IMG_0001.JPG", "IMG_0001.MOV", in: folder)
      let both = try Command.run("rotate", "--degrees", "90", "IMG_0001.JPG", "IMG_0001.MOV", in: folder)
      expectSentence(both, ["are not a Live Photo"])
    }
  }

  /// The command prefix that runs a program without the privilege to read and write everything; nil if that is
  /// impossible.
  static let unprivileged: [String]? = {
    if getuid() != 0 { return ["env"] }
    let test = try? Tools.run(Child.asNobody + ["test", "-x", Command.path])
    return test?.status == 0 ? Child.asNobody : nil
  }()

  @Test(
    .enabled(if: unprivileged != nil, "the tests run as root, and setpriv cannot run the program as nobody"))
  func unreadableFilesAndReadOnlyFolders() throws {
    let prefix = try #require(Self.unprivileged)
    try withTemporaryFolder { folder in
      func attempt(_ arguments: String...) throws -> ToolOutput {
        try Tools.run(prefix + [Command.path, "rotate", "--degrees", "90"] + arguments, in: folder)
      }
      let otherFolder = "change the folder's permissions or choose another folder with -o"
      func setMode(_ mode: Int, _ file: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
      }
      let pair = try Fixture.portrait.copy(to: folder)
      let before = try content(of: folder)
      try setMode(0o777, folder)
      try setMode(0, pair.photo)
      try expectSentence(attempt("IMG_0001.JPG"), ["IMG_0001.JPG", "cannot be read: permission denied"])
      try expectSentence(attempt("IMG_0001.MOV"), ["IMG_0001.JPG", "cannot be read: permission denied"])
      try setMode(0o644, pair.photo)
      try setMode(0o555, folder)
      try expectSentence(attempt("IMG_0001.JPG"), ["cannot be written: permission denied", otherFolder])
      let mark = try Tools.run(prefix + [Command.path, "mark", "--favourite", "IMG_0001.JPG"], in: folder)
      expectSentence(mark, ["cannot be written: permission denied", "change the folder's permissions"])
      #expect(!mark.standardError.contains(" -o"), "mark has no such option")
      try withTemporaryFolder { output in
        try setMode(0o555, output)
        try expectSentence(
          attempt("-o", output.path, "IMG_0001.JPG"),
          [output.path, "cannot be written: permission denied", otherFolder])
        #expect(try content(of: output).isEmpty)
        // A read-only folder is sufficient as the source of a render.
        try setMode(0o777, output)
        let done = try attempt("-o", output.path, "IMG_0001.JPG")
        #expect(done.status == 0, "\(done.standardError)")
        #expect(try content(of: output).keys.sorted() == ["IMG_E0001.JPG", "IMG_E0001.MOV"])
      }
      #expect(try content(of: folder) == before)
      try setMode(0o755, folder)
    }
  }
}
