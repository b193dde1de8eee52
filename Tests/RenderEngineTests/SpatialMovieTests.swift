import EditModel
import Foundation
import TestSupport
import Testing

@testable import RenderEngine

/// Tests that spatial video (MV-HEVC) keeps both eyes if frames are copied. If frames are re-encoded, no description of
/// a second eye remains.
@Suite struct SpatialMovieTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The atoms that iPhones write beside `hvcC`: the other eye's parameter sets, the roles of the two eyes, and the
  /// lens.
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

  private func spatial(_ more: [String] = []) throws -> URL {
    let tags = ["spatial.format-version=1.0", "make=Apple"].flatMap {
      ["-metadata", "com.apple.quicktime." + $0]
    }
    let arguments = OddMovie.hevc + ["-pix_fmt", "yuv420p", "-movflags", "use_metadata_tags"] + tags + more
    return try OddMovie("spatial", arguments) { movie in
      movie.track(0, "mdia", "minf", "stbl", "stsd") { stsd in
        let more = Self.extensions.flatMap(\.serialized)
        let size = UInt32(AtomTree.number(stsd.bytes[8..<12])) + UInt32(more.count)
        stsd.bytes.replaceSubrange(8..<12, with: AtomTree.big(size))
        stsd.bytes += more
      }
      // ffmpeg stores it in the user data, with version and flags.
      let user = movie.moov.children.first { $0.kind == "udta" }?.bytes ?? []
      movie.moov.children.removeAll { $0.kind == "udta" }
      movie.moov.children.append(AtomTree(kind: "meta", bytes: Array(user.dropFirst(12))))
    }.make(in: folder)
  }

  /// Returns the whole sample description and the atoms in it.
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
    #expect(result.removals.allSatisfy { $0.reason.contains("for the other eye, which re-encoding removes") })
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

  /// Sample groups: runs of samples, each with the number of its description.
  private struct Groups {
    let kind: String
    let runs: [(count: Int, group: Int)]
    /// How far the stated number of runs exceeds the real number.
    var excess = 0

    /// Two descriptions of two bytes (ISO/IEC 14496-12, section 8.9.3), and the runs (section 8.9.2).
    var atoms: [AtomTree] {
      func bytes(_ numbers: [Int]) -> [UInt8] { numbers.flatMap { AtomTree.big(UInt32($0)) } }
      return [
        AtomTree(kind: "sgpd", bytes: bytes([1 << 24]) + Array(kind.utf8) + bytes([2, 2, 0xA1B2_C3D4])),
        AtomTree(
          kind: "sbgp",
          bytes: bytes([0]) + Array(kind.utf8) + bytes([runs.count + excess] + runs.flatMap { [$0, $1] })),
      ]
    }
  }

  /// Trims a spatial movie with four frames per group of pictures by copying frames.
  private func cut(_ groups: [Groups]) throws -> (source: URL, output: URL, removals: [Removal]) {
    let source = try spatial(["-g", "4", "-keyint_min", "4"])
    var movie = try MovieFile(source)
    movie.track(0, "mdia", "minf", "stbl") { $0.children += groups.flatMap(\.atoms) }
    try movie.write(source)
    let output = folder.file("cut.mov")
    let result = try render(
      RenderJob(
        photo: nil, movie: .init(source: source.path, output: output.path),
        edit: Edit(motion: Motion(trim: Trim(from: 0.5, to: 0.8))),
        settings: RenderSettings(isLossless: true), identifier: nil), progress: { _ in },
      isCancelled: { false })
    #expect(result.movie == .copied)
    return (source, output, result.removals)
  }

  /// Returns the atoms of some types in the sample tables.
  private func tables(_ movie: URL, _ kinds: Set<String>) throws -> [AtomTree] {
    let moov = try #require(AtomTree.read(movie).first { $0.kind == "moov" })
    let track = try #require(moov.children.first { $0.handler == "vide" })
    return try #require(track["mdia", "minf", "stbl"]).children.filter { kinds.contains($0.kind) }
  }

  /// Each sample remains in its group.
  @Test func groupsOfLayersAreCutAlong() throws {
    let groups = [
      Groups(kind: "oinf", runs: [(2, 1), (3, 0), (2, 2), (1, 1)]), Groups(kind: "linf", runs: [(12, 2)]),
    ]
    let (source, output, removals) = try cut(groups)
    #expect(removals.isEmpty)
    func packets(_ movie: URL) throws -> [String] {
      try Tools.ffprobe(
        movie, "-ignore_editlist", "1", "-select_streams", "v", "-show_entries", "packet=data_hash",
        "-show_data_hash", "md5")
    }
    let (before, after) = (try packets(source), try packets(output))
    let start = try #require(before.firstIndex(of: after.first ?? ""))
    try #require(before.count == 12 && start > 0 && Array(before[start...].prefix(after.count)) == after)
    for (index, all) in groups.enumerated() {
      let atoms = try tables(output, ["sgpd", "sbgp"]).dropFirst(2 * index).prefix(2)
      try #require(atoms.map(\.kind) == ["sgpd", "sbgp"])
      #expect(atoms.first == all.atoms[0])
      let table = try #require(atoms.last)
      #expect(Array(table.bytes[..<8]) == [0, 0, 0, 0] + Array(all.kind.utf8))
      let numbers = table.numbers(after: 8).map { Int($0) }
      #expect(numbers.count == 1 + 2 * (numbers.first ?? 0))
      func each(_ runs: [(count: Int, group: Int)]) -> [Int] {
        let named = runs.flatMap { [Int](repeating: $0.group, count: $0.count) }
        return named + [Int](repeating: 0, count: max(0, before.count - named.count))
      }
      let runs = stride(from: 1, to: numbers.count - 1, by: 2).map {
        (count: numbers[$0], group: numbers[$0 + 1])
      }
      #expect(each(runs).prefix(after.count) == each(all.runs)[start..<start + after.count])
    }
  }

  /// A table shorter than stated is removed together with its descriptions, and reported. Groups of other types
  /// describe the untrimmed movie.
  @Test func groupsThatCannotBeCutAreNamed() throws {
    let (_, output, removals) = try cut([
      Groups(kind: "oinf", runs: [(2, 1)], excess: 1 << 24), Groups(kind: "linf", runs: [(12, 2)]),
      Groups(kind: "roll", runs: [(12, 1)], excess: 1 << 24),
    ])
    #expect(removals.map(\.name) == ["sample groups “oinf”"])
    #expect(removals.map(\.reason) == ["is damaged"])
    let left = try tables(output, ["sgpd", "sbgp"]).map {
      $0.kind + String(decoding: $0.bytes[4..<8], as: UTF8.self)
    }
    #expect(left == ["sgpdlinf", "sbgplinf"])
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
    // The former width is now the height.
    let turned = try OddMovie.turn(source, to: baked, lossless: false)
    #expect(turned.removals.map(\.name).contains("hfov"))
    #expect(try description(baked).atoms["hfov"] == nil)
  }
}
