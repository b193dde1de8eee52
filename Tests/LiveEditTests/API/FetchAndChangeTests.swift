import Basics
import Foundation
import LiveEdit
import RenderClient
import RenderEngine
import TestSupport
import Testing
import Workflows

@Suite struct FetchAndChangeTests {
  @Test func resultsAreReadInPages() async throws {
    let api = try APIFolder(files: [])
    let photo = try api.folder.photo(width: 16, height: 16)
    let names = (1...600).map { "P" + String(10000 + $0) + ".jpg" }
    for name in names { try api.folder.write(photo, to: name) }
    for name in ["photo.jpg", "scene.ppm"] { try FileManager.default.removeItem(at: api.folder.file(name)) }
    let result = try await api.library.fetchAssets()
    #expect(result.count == 600)
    #expect(try await result.assets(in: 255..<258).map(\.name) == Array(names[255..<258]))
    #expect(try await result.assets(in: 598..<700).map(\.name) == Array(names[598...]))
    #expect(try await result.assets(in: 700..<800).isEmpty)
    // A file that disappears during a fetch is left out.
    try FileManager.default.removeItem(at: api.folder.file(names[300]))
    var seen: [String] = []
    for try await asset in result { seen.append(asset.name) }
    #expect(seen == names.filter { $0 != names[300] })
    let limited = try await api.library.fetchAssets(
      FetchOptions(order: .init(.name, isDescending: true), limit: 3))
    #expect(try await limited.assets(in: 0..<10).map(\.name) == names.suffix(3).reversed())
  }

  @Test func whatIsNoFolderIsNoLibrary() throws {
    let api = try APIFolder()
    for name in ["IMG_0001.JPG", "none"] {
      let refused = #expect(throws: EditError.self) {
        try PhotoLibrary(folder: api.folder.file(name), renderer: InProcessRenderer())
      }
      #expect(refused?.file == api.folder.file(name).path)
    }
  }

  @Test func anAssetKeepsItsIdentity() async throws {
    let api = try APIFolder(files: ["IMG_0001.JPG", "IMG_0001.MOV", "IMG_0002.MOV", "IMG_0003.JPG"])
    func identities(_ library: PhotoLibrary) async throws -> [String: Asset.ID] {
      let assets = try await library.fetchAssets().assets(in: 0..<10)
      return Dictionary(uniqueKeysWithValues: assets.map { ($0.name, $0.id) })
    }
    let before = try await identities(api.library)
    #expect(before.count == 3 && Set(before.values).count == 3)
    for (old, new) in [("IMG_0001", "B"), ("IMG_0002", "A")] {
      for name in try api.names() where name.hasPrefix(old + ".") {
        let new = api.folder.file(name.replacingOccurrences(of: old, with: new))
        try FileManager.default.moveItem(at: api.folder.file(name), to: new)
      }
    }
    // A hard link under a second name is a separate asset.
    try FileManager.default.linkItem(at: api.folder.file("IMG_0003.JPG"), to: api.folder.file("C.JPG"))
    let library = try PhotoLibrary(folder: api.folder.url)
    let after = try await identities(library)
    #expect(after["B.JPG"] == before["IMG_0001.JPG"] && after["A.MOV"] == before["IMG_0002.MOV"])
    #expect(after["C.JPG"] != nil && after["C.JPG"] != after["IMG_0003.JPG"])
    // An edit does not change the fetched order.
    try await library.edit(try await library.asset(named: "B.JPG")) { $0.rotate(.right) }
    #expect(try await library.asset(named: "B.JPG").id == after["B.JPG"])
  }

  @Test func anUnknownNameIsNoAsset() async throws {
    let api = try APIFolder()
    let refused = await #expect(throws: EditError.self) { try await api.library.asset(named: "IMG_0009.JPG") }
    #expect(refused?.code == .notFound)
  }

  @Test func changesAreTold() async throws {
    let api = try APIFolder(files: ["IMG_0001.JPG", "IMG_0001.MOV", "IMG_0002.JPG", "IMG_0002.MOV"])
    let asset = try await api.library.asset(named: "IMG_0001.JPG")
    var changes = try await api.library.changes().makeAsyncIterator()
    /// Returns all stems reported, up to the change that contains the given stem.
    func told(until stem: String) async throws -> Set<String> {
      var all: Set<String> = []
      while !all.contains(stem), let change = try await changes.next() { all.formUnion(change.assets) }
      return all
    }
    // A mark, an edit, an added file and a removed file.
    try await api.library.performChanges { $0[asset].isFavourite = true }
    #expect(try await told(until: "IMG_0001") == ["IMG_0001"])
    try await api.turn()
    #expect(try await told(until: "IMG_0001").contains("IMG_0001"))
    try api.folder.copy(TestFiles.fixture("IMG_0003.JPG"))
    #expect(try await told(until: "IMG_0003").isSubset(of: ["IMG_0001", "IMG_E0001", "IMG_0003"]))
    try FileManager.default.removeItem(at: api.folder.file("IMG_0002.MOV"))
    #expect(
      try await told(until: "IMG_0002").isSubset(of: ["IMG_0001", "IMG_E0001", "IMG_0003", "IMG_0002"]))
  }

  @Test func aFolderThatGoesEndsTheChangesWithAnError() async throws {
    let folder = try TemporaryFolder()
    let library = folder.file("library")
    try FileManager.default.createDirectory(at: library, withIntermediateDirectories: false)
    let changes = try await PhotoLibrary(folder: library, renderer: InProcessRenderer()).changes()
    try FileManager.default.removeItem(at: library)
    let refused = await #expect(throws: EditError.self) { for try await _ in changes {} }
    #expect(refused?.file == library.path && refused?.code == .notFound)
  }
}
