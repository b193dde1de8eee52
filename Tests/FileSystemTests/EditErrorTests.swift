import Basics
import Glibc
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

  @Test func errorsThatAreSentencesStay() {
    let error = EditError(.conflict, file: "a", "changed")
    #expect(throws: error) { try whileReading("b") { throw error } }
    #expect(throws: error) { try whileWriting("b") { throw error } }
    #expect(throws: EditError(.notFound, file: "b", "no such file", remedy: "check the name")) {
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
