import EditModel
import Foundation
import TestSupport
import Testing

@testable import RenderEngine

/// Spatial video (MV-HEVC) keeps both eyes where frames are copied; where they are encoded anew, nothing tells of a second eye
/// any more.
@Suite struct SpatialMovieTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What iPhones write beside `hvcC`: the other eye's parameter sets, what the two eyes are, the lens.
  private static var extensions: [AtomTree] {
    [
      AtomTree(kind: "lhvC", bytes: [1, 0xF0, 0, 0xFC, 0xCB, 0]),
      AtomTree(
        kind: "vexu",
        children: [
          AtomTree(kind: "must", bytes: [0, 0, 0, 0] + Array("eyes".utf8)),
          AtomTree(
            kind: "eyes",
            children: [
              AtomTree(kind: "stri", bytes: [0, 0, 0, 0, 3]), AtomTree(kind: "hero", bytes: [0, 0, 0, 0, 1]),
            ]),
          AtomTree(
            kind: "proj", children: [AtomTree(kind: "prji", bytes: [0, 0, 0, 0] + Array("rect".utf8))]),
        ]),
      AtomTree(kind: "hfov", bytes: AtomTree.big(UInt32(63_500))),
    ]
  }

  private func spatial() throws -> URL {
    let tags = ["spatial.format-version=1.0", "make=Apple"].flatMap {
      ["-metadata", "com.apple.quicktime." + $0]
    }
    let arguments = OddMovie.hevc + ["-pix_fmt", "yuv420p", "-movflags", "use_metadata_tags"] + tags
    return try OddMovie("spatial", arguments) { movie in
      movie.track(0, "mdia", "minf", "stbl", "stsd") { stsd in
        let more = Self.extensions.flatMap(\.serialized)
        let size = UInt32(AtomTree.number(stsd.bytes[8..<12])) + UInt32(more.count)
        stsd.bytes.replaceSubrange(8..<12, with: AtomTree.big(size))
        stsd.bytes += more
      }
      // ffmpeg puts it into the user data, with version and flags.
      let user = movie.moov.children.first { $0.kind == "udta" }?.bytes ?? []
      movie.moov.children.removeAll { $0.kind == "udta" }
      movie.moov.children.append(AtomTree(kind: "meta", bytes: Array(user.dropFirst(12))))
    }.make(in: folder)
  }

  /// The whole sample description, and the atoms in it.
  private func description(_ movie: URL) throws -> (bytes: [UInt8], atoms: [String: [UInt8]]) {
    let moov = try #require(AtomTree.read(movie).first { $0.kind == "moov" })
    let track = try #require(moov.children.first { $0.handler == "vide" })
    let stsd = try #require(track["mdia", "minf", "stbl", "stsd"])
    let atoms = try AtomTree.read(stsd.bytes[94...]).map { ($0.kind, $0.bytes) }
    return (stsd.bytes, Dictionary(atoms) { first, _ in first })
  }

  private func holdsKeys(_ movie: URL) throws -> (spatial: Bool, make: Bool) {
    let bytes = try Data(contentsOf: movie)
    func holds(_ text: String) -> Bool { bytes.range(of: Data("com.apple.quicktime.\(text)".utf8)) != nil }
    return (holds("spatial.format-version"), holds("make"))
  }

  @Test func framesThatAreEncodedAnewAreForOneEye() throws {
    let source = try spatial()
    let before = try description(source)
    try #require(before.atoms["lhvC"] != nil && before.atoms["vexu"] != nil)
    try #require(try holdsKeys(source) == (true, true))
    let output = folder.file("out.mov")
    var edit = Edit.identity
    edit[.saturation] = -1
    let result = try render(
      RenderJob(
        photo: nil, movie: .init(source: source.path, output: output.path), edit: edit, settings: .standard,
        identifier: nil), progress: { _ in }, isCancelled: { false })
    #expect(result.movie == .encoded)
    let after = try description(output).atoms
    #expect(after["lhvC"] == nil && after["hfov"] == before.atoms["hfov"])
    let usage = try AtomTree.read(try #require(after["vexu"])[...])
    #expect(usage.map(\.kind) == ["proj"])
    let lost = ["lhvC", "eyes (vexu)", "com.apple.quicktime.spatial.format-version"]
    #expect(result.removals.map(\.name) == lost)
    #expect(result.removals.allSatisfy { $0.reason.contains("for the other eye, which is lost") })
    #expect(try holdsKeys(output) == (false, true))
  }

  @Test func copiedFramesKeepBothEyes() throws {
    let source = try spatial()
    let output = folder.file("cut.mov")
    let result = try render(
      RenderJob(
        photo: nil, movie: .init(source: source.path, output: output.path),
        edit: Edit(motion: Motion(trim: Trim(from: 0, to: 0.5))), settings: RenderSettings(isLossless: true),
        identifier: nil), progress: { _ in }, isCancelled: { false })
    #expect(result.movie == .copied && result.removals.isEmpty)
    #expect(try description(output).bytes == description(source).bytes)
    #expect(try holdsKeys(output) == (true, true))
  }

  @Test func aTurnOfTheMatrixKeepsBothEyes() throws {
    let source = try spatial()
    let (lossless, baked) = (folder.file("lossless.mov"), folder.file("baked.mov"))
    let kept = try OddMovie.turn(source, to: lossless, lossless: true)
    #expect(kept.movie == .copied && kept.removals.isEmpty)
    #expect(try description(lossless).bytes == description(source).bytes)
    #expect(try holdsKeys(lossless) == (true, true))
    let media = ["pts", "size", "data_hash"]
    #expect(
      try ProbedMovie(lossless).packets(ofVideo: true, media)
        == ProbedMovie(source).packets(ofVideo: true, media))
    // What was wide is high now.
    let turned = try OddMovie.turn(source, to: baked, lossless: false)
    #expect(turned.removals.map(\.name).contains("hfov"))
    #expect(try description(baked).atoms["hfov"] == nil)
  }
}
