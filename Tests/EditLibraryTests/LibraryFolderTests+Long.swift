import Basics
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

extension LibraryFolderTests {
  /// Looks up folders that are not among a library's many roots, although they have the same name as all of them.
  @Test func unknownFoldersOfALibraryOfManyRoots() throws {
    let count = 20_000
    let roots = (1...count).map { LibraryRoot(name: $0 == 1 ? "x" : "x-\($0)", path: "/nowhere/\($0)/x") }
    try LibraryRoots(roots: roots).write(in: HeldFolder(path: path("lib")))
    for number in 1...60 {
      try make("new/\(number)/x")
      #expect(try home("new/\(number)/x") == nil)
    }
    try mark("new/1/x")
    #expect(try home("new/1/x") == "x-\(count + 1)")
    #expect(try home("new/2/x") == nil)
    let list = try #require(try LibraryRoots.read(in: HeldFolder(path: path("lib"))))
    #expect(list.roots.count == count + 1 && Set(roots).isSubset(of: list.roots))
    // For nested roots, the innermost root applies, even if it is last in the list.
    let index = RootIndex(
      LibraryRoots(
        roots: ["/", "/a", "/b", "/a/b", "/a/bc", "/a/b/c"].enumerated().map {
          LibraryRoot(name: "\($0)", path: $1)
        }))
    #expect(index.roots(around: "/a/b/c/d").map(\.name) == ["5", "3", "1", "0"])
    #expect(index.roots(around: "/a/b").map(\.name) == ["3", "1", "0"])
    #expect(index.roots(around: "/").map(\.name) == ["0"])
  }

  /// A list that would be too long to be read again is not written. The new root is refused, and the others remain.
  @Test func rootsThatHaveNoRoomAreRefused() throws {
    let root = #"{"name":"full","path":"/"#
    let tail = #""}]}"#
    let name = String(repeating: "x", count: (64 << 20) - 60 - root.utf8.count - tail.utf8.count)
    let list = Array((#"{"form":1,"roots":["# + root + name + tail).utf8)
    try folder.write(list, to: "lib/library.json")
    let error = #expect(throws: EditError.self) { try mark("a") }
    #expect(error?.problem.description == "has no space for another root")
    #expect(try folder.read("lib/library.json") == list)
  }
}
