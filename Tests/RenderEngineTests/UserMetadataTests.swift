import EditModel
import Foundation
import TestSupport
import Testing

@testable import RenderEngine

/// Tests that user data of people and programs survives every kind of edit. The tests plant atoms and search for them
/// with their own parser and with exiftool.
@Suite struct UserMetadataTests {
  static let edits: [(name: String, edit: Edit, settings: RenderSettings)] = {
    var colors = Edit.identity
    colors[.exposure] = 0.3
    func geometry(_ geometry: Geometry) -> Edit { Edit(geometry: geometry) }
    let square = try? Crop.AspectRatio(width: 1, height: 1)
    return [
      ("turn", Edit(orientation: .right), .standard),
      ("lossless", Edit(orientation: .right), RenderSettings(isLossless: true)),
      ("flip", Edit(orientation: .flippedHorizontally), .standard), ("colours", colors, .standard),
      ("crop", geometry(Geometry(crop: square.map { .aspect($0, .center) } ?? .none)), .standard),
      ("straighten", geometry(Geometry(straighten: 3)), .standard),
      ("perspective", geometry(Geometry(verticalPerspective: 0.3)), .standard),
    ]
  }()

  static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 2, 0xFF, 0xD9]

  static func text(_ kind: String, _ text: String) -> AtomTree {
    AtomTree(
      kind: kind, bytes: AtomTree.big(UInt16(text.utf8.count)) + AtomTree.big(UInt16(0x55C4)) + text.utf8)
  }

  /// Returns coded metadata as iTunes writes it: a title and, if requested, a cover.
  static func codes(cover: [UInt8]?) -> AtomTree {
    func entry(_ kind: String, _ type: UInt32, _ value: [UInt8]) -> [UInt8] {
      let data = AtomTree(kind: "data", bytes: AtomTree.big(type) + AtomTree.big(UInt32(0)) + value)
      return atom(kind, data.serialized)
    }
    let handler = [UInt8](repeating: 0, count: 8) + Array("mdirappl".utf8) + [UInt8](repeating: 0, count: 9)
    let list = entry("\u{A9}nam", 1, Array("Title".utf8)) + (cover.map { entry("covr", 13, $0) } ?? [])
    return AtomTree(
      kind: "meta", bytes: [0, 0, 0, 0] + atom("hdlr", handler) + atom("ilst", list))
  }

  /// Returns an atom whose type contains a byte beyond ASCII, which ``AtomTree`` would write in UTF-8.
  static func atom(_ kind: String, _ body: [UInt8]) -> [UInt8] {
    AtomTree.big(UInt32(body.count + 8)) + kind.unicodeScalars.map { UInt8($0.value) } + body
  }

  static let unknown = AtomTree(kind: "zzzz", bytes: [1, 2, 3, 4, 5])
  static let kept = [
    atom("\u{A9}nam", text("", "A title").bytes), atom("\u{A9}cmt", text("", "A comment").bytes),
    AtomTree(kind: "name", bytes: Array("A name".utf8)).serialized, unknown.serialized,
  ]

  /// Plants entries in the user data of the movie and its first track, and unknown atoms everywhere.
  static func plant(_ entries: [[UInt8]], in file: URL, _ meta: AtomTree? = nil) throws {
    var movie = try MovieFile(file)
    let userData = AtomTree(kind: "udta", bytes: entries.flatMap { $0 } + [0, 0, 0, 0])
    movie.moov.children.removeAll { $0.kind == "udta" }
    movie.moov.children += [userData, unknown]
    if let meta { movie.moov.children.append(meta) }
    let first = try #require(movie.moov.children.firstIndex { $0.kind == "trak" })
    movie.moov.children[first].children.append(userData)
    for path in [[], ["mdia"], ["mdia", "minf"], ["mdia", "minf", "stbl"]] {
      for index in movie.moov.children.indices where movie.moov.children[index].kind == "trak" {
        movie.moov.children[index].change(path) { $0.children.append(unknown) }
      }
    }
    try movie.write(file)
  }

  func render(
    _ edit: Edit, _ settings: RenderSettings, _ pair: [URL], in folder: TemporaryFolder
  ) throws -> (result: RenderResult, photo: URL, movie: URL) {
    let (photo, movie) = (folder.file("out.JPG"), folder.file("out.MOV"))
    for old in [photo, movie] { try? FileManager.default.removeItem(at: old) }
    let result = try RenderEngine.render(
      RenderJob(
        photo: .init(source: pair[0].path, output: photo.path),
        movie: .init(source: pair[1].path, output: movie.path), edit: edit, settings: settings,
        identifier: nil), progress: { _ in }, isCancelled: { false })
    return (result, photo, movie)
  }

  @Test(arguments: edits.indices) func everyAtomSurvives(_ index: Int) throws {
    let folder = try TemporaryFolder()
    let pair = try folder.copy(TestFiles.fixture("IMG_0003.JPG"), TestFiles.fixture("IMG_0003.MOV"))
    let codes = Self.codes(cover: nil)
    try Self.plant(Self.kept + [codes.serialized], in: pair[1], codes)
    let before = try MovieFile(pair[1]).moov
    let (name, edit, settings) = Self.edits[index]
    let (result, _, movie) = try render(edit, settings, pair, in: folder)
    let after = try #require(try AtomTree.read(movie).first { $0.kind == "moov" })

    #expect(!result.removals.contains { $0.name.contains("udta") || $0.name == "meta" }, "\(name)")
    #expect(after["udta"] == before["udta"], "\(name)")
    #expect(after["trak", "udta"] == before["trak", "udta"], "\(name)")
    // The keys and the coded metadata.
    #expect(after.children.filter { $0.kind == "meta" } == before.children.filter { $0.kind == "meta" })
    #expect(after["zzzz"] == Self.unknown)
    let kinds = { (moov: AtomTree) in moov.children.filter { $0.kind == "trak" }.map(\.handler) }
    for track in after.children where track.kind == "trak" && kinds(after).contains(track.handler) {
      for path in [track, track["mdia"], track["mdia", "minf"], track["mdia", "minf", "stbl"]] {
        #expect(path?["zzzz"] == Self.unknown, "\(name) \(track.handler)")
      }
    }
    let (old, new) = (try Tools.exiftool(pair[1]), try Tools.exiftool(movie))
    for tag in ["UserData:Title", "UserData:Comment"] {
      #expect(old[tag] != nil && new[tag] == old[tag], "\(name) \(tag)")
    }
  }

  /// Pictures that show the cropped parts are removed and reported, without removing anything else.
  @Test(arguments: [4, 5, 6]) func onlyPicturesAreTakenOut(_ index: Int) throws {
    let folder = try TemporaryFolder()
    let pair = try folder.copy(TestFiles.fixture("IMG_0003.JPG"), TestFiles.fixture("IMG_0003.MOV"))
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0]
    let pictures = [
      AtomTree(kind: "thmb", bytes: Self.jpeg).serialized, AtomTree(kind: "snap", bytes: png).serialized,
    ]
    let cover = Self.codes(cover: Self.jpeg)
    try Self.plant(Self.kept + pictures + [cover.serialized], in: pair[1], cover)
    // Two numbered atoms beside the movie, one of them with a picture.
    let number = [UInt8](repeating: 7, count: 16)
    let (plain, shown) = (
      AtomTree(kind: "uuid", bytes: number + Array("words".utf8)), AtomTree(kind: "uuid", bytes: number + png)
    )
    var movie = try MovieFile(pair[1])
    movie.after = plain.serialized + shown.serialized
    try movie.write(pair[1])

    let (_, edit, settings) = Self.edits[index]
    let (result, _, rendered) = try render(edit, settings, pair, in: folder)
    let names = result.removals.filter { $0.reason == "shows the uncropped picture" }.map(\.name)
    #expect(Set(names) == ["udta thmb", "udta snap", "udta meta covr", "meta covr", "uuid"])
    let top = try AtomTree.read(rendered)
    #expect(top.filter { $0.kind == "uuid" } == [plain])
    let moov = try #require(top.first { $0.kind == "moov" })
    let left = Self.kept.flatMap { $0 } + Self.codes(cover: nil).serialized + [0, 0, 0, 0]
    #expect(moov["udta"]?.bytes == left)
    #expect(moov["trak", "udta"]?.bytes == left)
    #expect(moov.children.last { $0.kind == "meta" } == Self.codes(cover: nil))
  }

  /// An XMP packet keeps its other metadata.
  @Test(arguments: edits.indices) func regionsOfAnXMPPacketGo(_ index: Int) throws {
    let folder = try TemporaryFolder()
    let pair = try folder.copy(TestFiles.fixture("IMG_0003.JPG"), TestFiles.fixture("IMG_0003.MOV"))
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" \
      xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/">\
      <dc:title>Sea</dc:title><mwg-rs:Regions rdf:parseType="Resource"/></rdf:Description></rdf:RDF></x:xmpmeta>
      """
    try Self.plant(Self.kept + [AtomTree(kind: "XMP_", bytes: Array(packet.utf8)).serialized], in: pair[1])
    let (name, edit, settings) = Self.edits[index]
    let (result, _, movie) = try render(edit, settings, pair, in: folder)
    let moov = try #require(try AtomTree.read(movie).first { $0.kind == "moov" })
    let bytes = Data(moov["udta"]?.bytes ?? [])
    let isKept = ["lossless", "colours"].contains(name)
    #expect(bytes.range(of: Data("<dc:title>Sea</dc:title>".utf8)) != nil)
    #expect((bytes.range(of: Data("mwg-rs:Regions".utf8)) != nil) == isKept, "\(name)")
    #expect(result.removals.contains { $0.name == "mwg-rs" } != isKept, "\(name)")
  }
}
