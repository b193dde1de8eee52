import Basics
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

/// Tests of the data folders that a separate library keeps for folders of originals.
@Suite struct LibraryFolderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["lib", "a/2024/06", "b/2024"] { try make(name) }
  }

  func make(_ place: String) throws {
    try FileManager.default.createDirectory(at: folder.file(place), withIntermediateDirectories: true)
  }

  func path(_ place: String) -> String { folder.file(place).resolvingSymlinksInPath().path }

  private func layout(top: String? = nil, library: String = "lib") -> LibraryLayout {
    LibraryLayout(
      library: path(library), trees: [top].compactMap { $0.map(path) },
      known: KnownLibraries(folder: folder.file("state").path))
  }

  /// Marks an asset, so that the library stores data for its folder.
  func mark(_ place: String, top: String? = nil) throws {
    let library = try Library.forWriting(path(place), layout: layout(top: top))
    defer { library.close() }
    try library.mark(["IMG_0001"], MarkChange(favourite: true))
  }

  func home(_ place: String) throws -> String? {
    let home = try AssetFolders(path(place), layout()).home
    return home.isThere ? String(home.path.dropFirst(path("lib").count + 1)) : nil
  }

  func write(_ roots: String) throws {
    try folder.write(Array(roots.utf8), to: "lib/library.json")
  }

  @Test func homesAreAtRootAndRelativePath() throws {
    #expect(try home("a/2024/06") == nil)
    try mark("a/2024/06", top: "a")
    #expect(try home("a/2024/06") == "a/2024/06")
    #expect(try home("a/2024") == "a/2024")
    #expect(try home("b/2024") == nil)
    try mark("b/2024")
    #expect(try home("b/2024") == "2024")
    // A tree that contains a known root becomes a separate root, and the data of the inner root stays where it is.
    try mark("b", top: "b")
    #expect(try home("b") == "b")
    #expect(try home("b/2024") == "2024")
    let text = try String(contentsOf: folder.file("lib/library.json"), encoding: .utf8)
    #expect(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary == [
        "form": 1,
        "roots": [
          ["name": "2024", "path": path("b/2024")], ["name": "a", "path": path("a")],
          ["name": "b", "path": path("b")],
        ],
      ])
  }

  @Test func namesInTheLibraryAreFree() throws {
    for place in ["x/IMG", "y/IMG", "z/.hidden", "w/library.json"] { try make(place) }
    for place in ["x/IMG", "y/IMG", "z/.hidden", "w/library.json"] { try mark(place) }
    #expect(try home("x/IMG") == "IMG")
    #expect(try home("y/IMG") == "IMG-2")
    #expect(try home("z/.hidden") == "hidden")
    #expect(try home("w/library.json") == "library.json-2")
  }

  @Test func treesAndLibrariesAreNotWithinEachOther() throws {
    try make("lib/in")
    #expect(throws: EditError.self) { try mark("lib/in") }
    try make("a/lib2")
    let error = #expect(throws: EditError.self) {
      _ = try Library.forWriting(path("a/2024"), layout: layout(top: "a", library: "a/lib2"))
    }
    #expect(error?.problem == "is inside \(path("a")), whose versions the library would contain")
    #expect(try Folder.names(in: path("a/lib2")) == [])
  }

  @Test(arguments: [
    "", "[]", "{", #"{"form":1}"#, #"{"form":0,"roots":[]}"#, #"{"form":2,"roots":[]}"#,
    #"{"form":1,"roots":[{"name":"..","path":"/x"}]}"#,
    #"{"form":1,"roots":[{"name":"a/b","path":"/x"}]}"#,
    #"{"form":1,"roots":[{"name":".liveedit","path":"/x"}]}"#,
    #"{"form":1,"roots":[{"name":"a","path":"x"}]}"#,
    #"{"form":1,"roots":[{"name":"a","path":"/x/../y"}]}"#,
    #"{"form":1,"roots":[{"name":"a","path":"/x"},{"name":"a","path":"/y"}]}"#,
  ])
  func aListThatMakesNoSenseIsRefused(_ roots: String) throws {
    try write(roots)
    let error = #expect(throws: EditError.self) { try home("a") }
    #expect(error?.file == path("lib") + "/library.json")
    #expect(throws: EditError.self) { try mark("a") }
    #expect(try String(contentsOf: folder.file("lib/library.json"), encoding: .utf8) == roots)
  }

  @Test func noLinkLeadsOutOfTheLibrary() throws {
    try make("outside")
    try write(#"{"form":1,"roots":[{"name":"a","path":"\#(path("a"))"}]}"#)
    try FileManager.default.createSymbolicLink(
      at: folder.file("lib/a"), withDestinationURL: folder.file("outside"))
    let error = #expect(throws: EditError.self) { try mark("a") }
    #expect(error?.problem == "is a symbolic link, and links are not followed here")
    #expect(throws: EditError.self) { try home("a") }
    #expect(try Folder.names(in: path("outside")) == [])
    // The list itself must not be a link either.
    let list = folder.file("lib/library.json")
    try FileManager.default.moveItem(at: list, to: folder.file("outside/list"))
    try FileManager.default.createSymbolicLink(at: list, withDestinationURL: folder.file("outside/list"))
    #expect(throws: EditError.self) { try home("a") }
  }

  @Test func pathsWithLinksAreUnderstood() throws {
    try mark("a")
    try FileManager.default.moveItem(at: folder.file("a"), to: folder.file("moved"))
    try FileManager.default.createSymbolicLink(
      at: folder.file("link"), withDestinationURL: folder.file("moved"))
    try write(#"{"form":1,"roots":[{"name":"a","path":"\#(path("") + "/link/")"}]}"#)
    #expect(try home("moved") == "a")
    #expect(try home("link") == "a")
  }

  @Test func versionsUnderTwoRootsAreNotLostToSight() throws {
    try mark("a/2024", top: "a")
    try write(
      #"{"form":1,"roots":[{"name":"a","path":"\#(path("a"))"},{"name":"c","path":"\#(path("a/2024"))"}]}"#)
    let error = #expect(throws: EditError.self) { try home("a/2024") }
    #expect(error?.problem.hasPrefix("has versions under two roots") == true)
    #expect(try home("a/2024/06") == nil)
  }

  @Test func aDamagedListOfLibrariesIsNone() throws {
    try mark("a")
    let beside = LibraryLayout(library: nil, known: KnownLibraries(folder: folder.file("state").path))
    #expect(throws: EditError.self) { try Library.forReading(path("a"), layout: beside) }
    #expect(throws: Never.self) { try Library.forReading(path("b"), layout: beside) }
    for content in ["", "{", #"{"form":2,"libraries":["/"]}"#, #"{"form":1,"libraries":["x","/no\u0000"]}"#] {
      try folder.write(Array(content.utf8), to: "state/libraries.json")
      #expect(throws: Never.self) { try Library.forReading(path("a"), layout: beside) }
    }
    // The next change adds the library to the list again.
    try mark("a/2024")
    #expect(throws: EditError.self) { try Library.forReading(path("a"), layout: beside) }
  }

  /// Spaces after the list count as part of the file. If the file is too long, no library is known.
  @Test func bytesOfTheListOfLibraries() throws {
    try mark("a")
    let beside = LibraryLayout(library: nil, known: KnownLibraries(folder: folder.file("state").path))
    let list = try folder.read("state/libraries.json")
    for (size, isKnown) in [(16 << 20, true), ((16 << 20) + 1, false)] {
      let spaces = [UInt8](repeating: UInt8(ascii: " "), count: size - list.count)
      try folder.write(list + spaces, to: "state/libraries.json")
      if isKnown {
        let error = #expect(throws: EditError.self) { try Library.forReading(path("a"), layout: beside) }
        #expect(error?.problem.description == "keeps its versions in the library \(path("lib"))")
      } else {
        #expect(throws: Never.self) { try Library.forReading(path("a"), layout: beside) }
      }
    }
    // A list that is too long is not overwritten, and neither is a list of a later build.
    for content in [try folder.read("state/libraries.json"), Array(#"{"form":2,"libraries":["/"]}"#.utf8)] {
      try folder.write(content, to: "state/libraries.json")
      try mark("b")
      #expect(try folder.read("state/libraries.json") == content)
    }
  }

  /// A name may begin with a combining accent: the slash before it remains a separator.
  @Test func namesThatBeginWithAnAccent() throws {
    try mark("a", top: "a")
    let inner = "/a/\u{301}x/y"
    let originals = path("") + inner
    _ = try Tools.output("mkdir", "-p", originals)
    let library = try Library.forWriting(originals, layout: layout())
    try library.mark(["IMG_0001"], MarkChange(favourite: true))
    library.close()
    let home = try AssetFolders(originals, layout()).home
    #expect(home.isThere && home.path.utf8.elementsEqual((path("lib") + inner).utf8))
    let place = try LibraryFolder(path("lib")).originalPath(home.path)
    #expect(place?.utf8.elementsEqual(originals.utf8) == true)
  }

  @Test func twoWritersAddTwoRoots() async throws {
    let places = (0..<8).map { "trees/\($0)/x" }
    for place in places { try make(place) }
    try await withThrowingTaskGroup { group in
      for place in places { group.addTask { try mark(place) } }
      try await group.waitForAll()
    }
    let homes = try places.map { try home($0) }
    #expect(Set(homes).count == 8)
    #expect(homes.allSatisfy { $0?.hasPrefix("x") == true })
    #expect(try Folder.names(in: path("lib")).contains(".liveedit") == false)
  }
}
