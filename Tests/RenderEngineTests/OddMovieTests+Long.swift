import EditModel
import Foundation
import TestSupport
import Testing

@testable import RenderEngine

extension OddMovieTests {
  /// The kinds that a quick run rotates: every kind of table, track and picture, and of similar kinds the one with more
  /// content.
  private static let quick: Set<String> = [
    "64-bit media size", "two mdat atoms", "unknown atoms", "co64", "stz2", "version 1 headers",
    "several edits", "reordered HEVC in MP4", "several sound tracks", "packets of sound in an old table",
    "chapters", "non-square pixels in HEVC", "10-bit HEVC", "4:4:4 of odd size",
    "parameter sets in the samples",
  ]

  @Test(arguments: Cases.chosen(OddMovie.handled) { _, odd in quick.contains(odd.name) })
  func isTurned(_ odd: OddMovie) throws {
    let source = try odd.make(in: folder)
    let before = try ProbedMovie(source)
    try #require(before.video["nb_frames"] != nil)
    for lossless in [false, true] {
      let output = folder.file("out-\(lossless)." + odd.suffix)
      let result = try OddMovie.turn(source, to: output, lossless: lossless)
      #expect(result.movie == (lossless ? .copied : .encoded))
      #expect(result.removals == [])
      let after = try ProbedMovie(output)
      expectSameMedia(before, after, lossless: lossless)
      try expectSameAtoms(source, output, lossless: lossless)

      let psnr = try leastPSNR(output, source)
      #expect(psnr >= (lossless ? 99 : odd.leastPSNR), "\(psnr)")
    }
  }

  func expectSameMedia(_ before: ProbedMovie, _ after: ProbedMovie, lossless: Bool) {
    let times = ["pts", "flags", "size", "data_hash"]
    #expect(
      after.packets(ofVideo: false, ["stream_index"] + times)
        == before.packets(ofVideo: false, ["stream_index"] + times))
    #expect(after.others == before.others)
    #expect(
      after.packets(ofVideo: true, lossless ? times : ["pts"])
        == before.packets(ofVideo: true, lossless ? times : ["pts"]))
    for name in ["nb_frames", "time_base", "start_time", "duration", "pix_fmt", "color_range", "color_space"]
    where name != "pix_fmt" || before.video["pix_fmt"]?.contains("422") != true || lossless {
      #expect(after.video[name] == before.video[name], "\(name)")
    }
    let turned = lossless ? ["width", "height"] : ["height", "width"]
    #expect(after.video["width"] == before.video[turned[0]])
    #expect(after.video["height"] == before.video[turned[1]])
    let ratio = before.video["sample_aspect_ratio"].map {
      lossless ? $0 : $0.split(separator: ":").reversed().joined(separator: ":")
    }
    #expect(after.video["sample_aspect_ratio"] == ratio)
  }

  /// Checks that everything in `moov` except the parts that a rotation changes is byte-identical.
  func expectSameAtoms(_ source: URL, _ output: URL, lossless: Bool) throws {
    let before = try AtomTree.read(source)
    let after = try AtomTree.read(output)
    let layout: Set<String> = ["mdat", "wide", "free", "skip", "moov"]
    #expect(after.filter { !layout.contains($0.kind) } == before.filter { !layout.contains($0.kind) })
    let brand = after.first { $0.kind == "ftyp" }?.bytes.prefix(4)
    for ctts in after.flatMap(\.children).compactMap({ $0["mdia", "minf", "stbl", "ctts"] })
    where brand != Array("qt  ".utf8)[...] && ctts.bytes[0] == 0 {
      // The offsets are unsigned in version 0, except in QuickTime.
      #expect(ctts.numbers(after: 8).allSatisfy { $0 < 1 << 31 })
    }
    let (old, new) = (
      try #require(before.first { $0.kind == "moov" }), try #require(after.first { $0.kind == "moov" })
    )
    #expect(new.children.map(\.kind) == old.children.map(\.kind).filter { !["free", "skip"].contains($0) })
    for (a, b) in zip(old.children.filter { !["free", "skip"].contains($0.kind) }, new.children) {
      var changing: Set<String> = ["stco", "co64"]
      if a.handler == "vide" {
        changing.insert("tkhd")
        if !lossless {
          changing.formUnion(["tapt", "stsd", "stsz", "stz2", "stss", "ctts", "cslg", "sdtp", "sgpd", "sbgp"])
        }
      }
      #expect(b.leaves(without: changing) == a.leaves(without: changing))
      if a.handler == "vide" { try expectSameDescription(a, b, lossless: lossless) }
    }
  }

  /// Checks that the extensions of the video's sample description are kept, except those about compression.
  func expectSameDescription(_ before: AtomTree, _ after: AtomTree, lossless: Bool) throws {
    func extensions(_ track: AtomTree) throws -> [AtomTree] {
      let stsd = try #require(track["mdia", "minf", "stbl", "stsd"])
      return try AtomTree.read(stsd.bytes.dropFirst(8 + 86)[...])
    }
    let compression: Set<String> = ["avcC", "hvcC", "btrt"]
    let kept = { (atoms: [AtomTree]) in atoms.filter { $0.kind != "pasp" && !compression.contains($0.kind) } }
    #expect(try kept(extensions(after)) == kept(extensions(before)))
    let pasp = { (atoms: [AtomTree]) in atoms.first { $0.kind == "pasp" }?.numbers(after: 0) }
    let old = try pasp(extensions(before))
    #expect(try pasp(extensions(after)) == (lossless ? old : old?.reversed()))
    for kind in ["clef", "prof", "enof"] {
      let aperture = before["tapt", kind]?.numbers(after: 4)
      #expect(after["tapt", kind]?.numbers(after: 4) == (lossless ? aperture : aperture?.reversed()))
    }
    // The flags, times and numbers are unchanged. The position and size are those of the rotated picture.
    let (a, b) = (try #require(before["tkhd"]).bytes, try #require(after["tkhd"]).bytes)
    #expect(a.dropLast(44) == b.dropLast(44))
    let (width, height) = (Array(a.suffix(8).prefix(4)), Array(a.suffix(4)))
    #expect(Array(b.suffix(8)) == (lossless ? width + height : height + width))
  }
}
