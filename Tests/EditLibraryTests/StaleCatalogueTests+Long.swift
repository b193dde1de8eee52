import Basics
import EditModel
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

extension StaleCatalogueTests {
  private func described(_ place: String) throws -> Set<String> {
    var found: Set<String> = []
    let versions = URL(fileURLWithPath: place + "/.liveedit/versions")
    let files = FileManager.default.enumerator(at: versions, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.lastPathComponent == "version.json",
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any],
        let stem = object["stem"] as? String, let origin = object["origin"] as? String
      else { continue }
      let data = Data(base64Encoded: object["data"] as? String ?? "") ?? Data()
      let photo = (object["files"] as? [[String: Any]])?.first { $0["role"] as? String == "photo" }
      let hash = (photo?["fingerprint"] as? [String: Any])?["sha256"] as? String ?? ""
      let content = origin == "rendered" ? data.map { String(format: "%02X", $0) }.joined() : hash
      found.insert("\(stem) \(origin) \(content)")
    }
    return found
  }

  /// The catalogue is from one moment and all other files are from another. After a repair, the history contains every
  /// version that either knew, every file of another program still exists, and every mark that either knew is set.
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func pairsOfMoments(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var maker = Maker(place: folder.file("a").path)
    var moments: [String] = []
    for _ in 0..<20 {
      let name = Bool.random(using: &random) ? "IMG_0001.JPG" : "IMG_0003.JPG"
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: try maker.go(name) { $0.previous }
      case 2: try maker.go(name) { $0.next }
      case 3: try maker.edit(name, isForeign: true)
      case 4:
        let library = try maker.open()
        try library.mark([String(name.dropLast(4))], MarkChange(favourite: true))
        library.close()
      default: try maker.edit(name)
      }
      moments.append(folder.file("m\(moments.count)").path)
      try copy(maker.place, to: moments[moments.count - 1])
    }
    let place = folder.file("pair").path
    for _ in 0..<50 {
      let (one, other) = (Int.random(in: 0..<20, using: &random), Int.random(in: 0..<20, using: &random))
      guard FileManager.default.fileExists(atPath: moments[one] + "/.liveedit/library.sqlite"),
        FileManager.default.fileExists(atPath: moments[other] + "/.liveedit")
      else { continue }
      try copy(moments[other], to: place)
      let catalogue = "/.liveedit/library.sqlite"
      try? FileManager.default.removeItem(atPath: place + catalogue)
      try FileManager.default.copyItem(atPath: moments[one] + catalogue, toPath: place + catalogue)
      let (known, foreign) = (try catalogued(place).union(described(place)), try files(place))
      var said: [String] = []
      try Library.repair(place) { said.append($0.description) }
      #expect(try known.subtracting(catalogued(place)).isEmpty, "\(one) \(other): \(said)")
      #expect(try foreign.subtracting(files(place)).isEmpty, "\(one) \(other): \(said)")
      #expect(try check(place).isEmpty, "\(one) \(other): \(said)")
      // A second repair finds nothing to do.
      said = []
      try Library.repair(place) { said.append($0.description) }
      #expect(said.isEmpty, "\(one) \(other): \(said)")
      var next = Maker(place: place, count: 150)
      for name in ["IMG_0001.JPG", "IMG_0003.JPG"] { try next.edit(name) }
    }
  }

  /// Flips single bits of the catalogue and of descriptions. After a repair the history is unchanged.
  @Test func flippedBits() throws {
    var maker = Maker(place: folder.file("a").path)
    for _ in 1...3 { try maker.edit("IMG_0001.JPG") }
    try maker.edit("IMG_0001.JPG", isForeign: true)
    let marking = try maker.open()
    try marking.mark(["IMG_0001"], MarkChange(favourite: true))
    marking.close()
    let known = try catalogued(maker.place)
    let record = try #require(try Library.forReading(maker.place).record(of: "IMG_0001"))
    let place = folder.file("pair").path
    var random = SeededGenerator(seed: 7)
    for name in ["library.sqlite", "versions/IMG_0001/4/version.json"] {
      let size = try Data(contentsOf: folder.file("a/.liveedit/" + name)).count
      for round in 0..<40 {
        try copy(maker.place, to: place)
        let file = URL(fileURLWithPath: place + "/.liveedit/" + name)
        var bytes = try Data(contentsOf: file)
        let at = Int.random(in: 0..<size, using: &random)
        bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        try bytes.write(to: file)
        var said: [String] = []
        do throws(EditError) { try Library.repair(place) { said.append($0.description) } } catch {
          // The bit is in the schema number or in a page that SQLite then refuses as too new.
          #expect(error.code == .unsupported, "\(name) \(at): \(error)")
          continue
        }
        #expect(try check(place).isEmpty, "\(name) \(at) round \(round): \(said)")
        let now = try Library.forReading(place).record(of: "IMG_0001")
        #expect(try catalogued(place) == known, "\(name) \(at): \(said)")
        #expect(now?.current == record.current, "\(name) \(at): \(said)")
        #expect(now?.versions.map(\.number) == record.versions.map(\.number), "\(name) \(at): \(said)")
        #expect(try Library.forReading(place).keptCollections()?.favourites == ["IMG_0001"], "\(name) \(at)")
      }
    }
  }
}
