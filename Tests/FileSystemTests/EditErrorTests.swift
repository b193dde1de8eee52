import Basics
import Glibc
import TestSupport
import Testing

@testable import FileSystem

@Suite struct EditErrorTests {
  private func writing(_ code: Int32) -> EditError { EditError(writing: "out", SystemError(code)) }

  @Test(arguments: [EACCES, EPERM, EROFS]) func anotherFolderIsARemedyOnlyWhereAnOptionNamesIt(_ code: Int32)
  {
    #expect(!writing(code).description.contains("with -o"))
    let offered = writing(code).offering("-o")
    #expect(offered.remedy?.hasSuffix("choose another folder with -o") == true)
    #expect(offered.offering("--to") == offered)
    #expect(offered.problem == writing(code).problem && offered.file == "out")
  }

  @Test(arguments: [ENOSPC, EDQUOT, ENAMETOOLONG, EFBIG, ENOENT, EIO]) func otherErrorsStay(_ code: Int32) {
    #expect(writing(code).offering("-o") == writing(code))
  }

  @Test func namesAreAsLongAsTheSystemTakesThem() throws {
    let folder = try TemporaryFolder()
    let held = try HeldFolder(path: folder.url.path)
    func name(_ count: Int) -> String { String(repeating: "a", count: count) }
    try held.create(name(255), bytes: [])
    var expected = EditError(
      .fileSystem, file: "out", "the name is too long", remedy: "give the original a shorter name")
    expected.cause = .system(ENAMETOOLONG)
    #expect(throws: expected) {
      try whileWriting("out") { try held.create(name(256), bytes: []) }
    }
  }

  @Test func errorsThatAreSentencesStay() {
    let error = EditError(.conflict, file: "a", "changed")
    #expect(throws: error) { try whileReading("b") { throw error } }
    #expect(throws: error) { try whileWriting("b") { throw error } }
    var expected = EditError(.notFound, file: "b", "no such file", remedy: "check the file name")
    expected.cause = .system(ENOENT)
    #expect(throws: expected) {
      try whileReading("b") { throw SystemError.notFound }
    }
  }

  @Test(arguments: [
    ("a", "", "a"), ("a/b", "a", "b"), ("/a", "/", "a"), ("/a/b", "/a", "b"), ("a/", "a", ""), ("", "", ""),
  ])
  func pathsAreCutAndJoined(_ path: String, _ folder: String, _ name: String) {
    #expect(FilePath.split(path) == (folder, name))
    #expect(FilePath.joined(folder, name) == path)
    #expect(FilePath.shown(folder) == (folder == "" ? "." : folder))
  }
}
