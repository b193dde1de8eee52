import Foundation
import TestSupport

extension OddMovie {
  /// The kinds that can be rotated.
  static let handled: [OddMovie] = layouts + tables + tracks + pictures

  /// Unusual file layouts.
  private static let layouts = [
    OddMovie("moov before the media", h264 + ["-movflags", "+faststart"]),
    OddMovie("MP4 brand", sound + h264, suffix: "mp4"),
    OddMovie(
      "MP4 brand, iTunes tags", h264 + ["-metadata", "title=A", "-metadata", "artist=B"], suffix: "mp4"),
    OddMovie("64-bit media size") { movie in
      // FFmpeg reserves space: “wide” before “mdat”.
      let at = try movie.mediaHeader()
      let size = AtomTree.number(movie.before[at + 8..<at + 12])
      movie.before.replaceSubrange(
        at..<at + 16, with: AtomTree.big(UInt32(1)) + Array("mdat".utf8) + AtomTree.big(size + 8))
    },
    OddMovie("free instead of wide") { movie in
      let at = try movie.mediaHeader()
      movie.before.replaceSubrange(at + 4..<at + 8, with: Array("free".utf8))
    },
    OddMovie("free atoms everywhere") { movie in
      let free = AtomTree(kind: "free", bytes: [1, 2, 3])
      movie.after = free.serialized
      movie.moov.children.insert(free, at: 0)
      movie.moov.children.append(AtomTree(kind: "skip", bytes: [1, 2, 3]))
    },
    OddMovie("two mdat atoms", sound + h264) { try $0.splitMedia() },
    OddMovie("unknown atoms") { movie in
      let unknown = AtomTree(kind: "AbCd", bytes: [0, 0, 0, 1, 2, 3])
      movie.after = unknown.serialized
      movie.moov.children.append(unknown)
      movie.tracks { $0.children.append(unknown) }
      movie.tracks("mdia") { $0.children.append(unknown) }
      movie.tables { $0.children.append(unknown) }
    },
  ]

  /// Unusual tables.
  private static let tables = [
    OddMovie("co64", sound + h264) { movie in
      movie.tables { stbl in
        for index in stbl.children.indices where stbl.children[index].kind == "stco" {
          let stco = stbl.children[index]
          let offsets = stco.numbers(after: 8).flatMap { AtomTree.big(UInt64($0)) }
          stbl.children[index] = AtomTree(kind: "co64", bytes: stco.bytes[..<8] + offsets)
        }
      }
    },
    OddMovie("stz2", sound + ["-c:a", "aac"] + h264) { movie in
      movie.tables { stbl in
        for index in stbl.children.indices where stbl.children[index].kind == "stsz" {
          let sizes = stbl.children[index].numbers(after: 12)
          stbl.children[index] = AtomTree(
            kind: "stz2",
            bytes: [0, 0, 0, 0, 0, 0, 0, 16] + AtomTree.big(UInt32(sizes.count))
              + sizes.flatMap { AtomTree.big(UInt16($0)) })
        }
      }
    },
    OddMovie("a constant sample size", h264 + ["-frames:v", "1"]) { movie in
      movie.track(0, "mdia", "minf", "stbl", "stsz") { stsz in
        let size = stsz.bytes.count >= 16 ? stsz.bytes[12..<16] : stsz.bytes[4..<8]
        stsz.bytes = [0, 0, 0, 0] + size + [0, 0, 0, 1]
      }
    },
    OddMovie("version 1 headers", sound + h264) { movie in
      movie.moov.change(["mvhd"]) { widen(&$0, times: 12, duration: 16) }
      movie.tracks("tkhd") { widen(&$0, times: 12, duration: 20) }
      movie.tracks("mdia", "mdhd") { widen(&$0, times: 12, duration: 16) }
      movie.tracks("edts", "elst") { elst in
        let numbers = elst.numbers(after: 8)
        var bytes: [UInt8] = [1, 0, 0, 0] + elst.bytes[4..<8]
        for entry in stride(from: 0, to: numbers.count, by: 3) {
          bytes += AtomTree.big(UInt64(numbers[entry]))
          bytes += AtomTree.big(Int64(Int32(bitPattern: numbers[entry + 1])))
          bytes += AtomTree.big(numbers[entry + 2])
        }
        elst.bytes = bytes
      }
    },
    OddMovie("several edits", sound + h264) { movie in
      movie.track(0, "edts", "elst") { elst in
        let start = elst.numbers(after: 8)[1]
        let entries: [UInt32] = [
          100, .max, 0x10000, 500, start, 0x10000, 300, start + 6144, 0x10000,
        ]
        elst.bytes = [0, 0, 0, 0, 0, 0, 0, 3] + entries.flatMap { AtomTree.big($0) }
      }
    },
    OddMovie("no edit list") { $0.track(0) { $0.children.removeAll { $0.kind == "edts" } } },
    OddMovie("negative composition offsets", h264 + ["-movflags", "negative_cts_offsets"], suffix: "mp4"),
    OddMovie("reordered HEVC in MP4", hevc + ["-pix_fmt", "yuv420p"], suffix: "mp4"),
  ]

  /// Unusual further tracks.
  private static let tracks = [
    OddMovie("AAC sound", sound + ["-c:a", "aac"] + h264),
    OddMovie(
      "several sound tracks",
      ["-f", "lavfi", "-i", "sine=duration=1", "-ac", "2", "-map", "0"]
        + (0..<6).flatMap { _ in ["-map", "1"] } + [
          "-c:a:0", "aac", "-c:a:1", "pcm_s16le", "-c:a:2", "pcm_mulaw", "-c:a:3", "adpcm_ima_qt", "-c:a:4",
          "pcm_s24be", "-c:a:5", "alac",
        ] + h264),
    OddMovie(
      "packets of sound in an old table",
      ["-f", "lavfi", "-i", "sine=duration=1", "-ac", "2", "-c:a", "adpcm_ima_qt"] + h264
    ) { movie in
      // Packets of 64 samples in 34 bytes per channel. The tables count samples and give each one byte.
      movie.track(1, "mdia", "minf", "stbl", "stsd") { stsd in
        stsd.bytes.replaceSubrange(36..<38, with: [0xFF, 0xFF])
        stsd.bytes.replaceSubrange(48..<56, with: [0, 0, 0, 34, 0, 0, 0, 68])
      }
      movie.track(1, "mdia", "minf", "stbl") { stbl in
        let count = stbl["stsz"]?.numbers(after: 8).first ?? 0
        stbl.change(["stsz"]) { $0.bytes = [0, 0, 0, 0, 0, 0, 0, 1] + AtomTree.big(count * 64) }
        stbl.change(["stts"]) {
          $0.bytes = [0, 0, 0, 0, 0, 0, 0, 1] + AtomTree.big(count * 64) + [0, 0, 0, 1]
        }
        stbl.change(["stsc"]) { stsc in
          var numbers = stsc.numbers(after: 8)
          for run in stride(from: 1, to: numbers.count, by: 3) { numbers[run] *= 64 }
          stsc.bytes = stsc.bytes[..<8] + numbers.flatMap { AtomTree.big($0) }
        }
      }
    },
    OddMovie(
      "subtitles", ["-i", "text.srt", "-map", "0", "-map", "1", "-c:s", "mov_text"] + h264, suffix: "mp4"),
    OddMovie("QuickTime subtitles", ["-i", "text.srt", "-map", "0", "-map", "1", "-c:s", "mov_text"] + h264),
    OddMovie("chapters", ["-i", "chapters.txt", "-map", "0", "-map_chapters", "1"] + h264),
    OddMovie("a time code", ["-timecode", "01:00:00:00"] + h264),
    OddMovie("an unknown track", sound + h264) { movie in
      movie.track(1, "mdia", "hdlr") { $0.bytes.replaceSubrange(8..<12, with: Array("XyZw".utf8)) }
      movie.track(1, "mdia", "minf", "stbl", "stsd") {
        $0.bytes.replaceSubrange(12..<16, with: Array("xYzW".utf8))
      }
    },
  ]

  /// Unusual pictures.
  private static let pictures = [
    OddMovie("one frame", h264 + ["-frames:v", "1"]),
    OddMovie("non-square pixels", ["-vf", "setsar=4/3"] + h264),
    OddMovie("non-square pixels in HEVC", ["-vf", "setsar=4/3"] + hevc + ["-pix_fmt", "yuv420p"]),
    OddMovie("10-bit H.264", replacing("yuv420p10le")),
    OddMovie("10-bit HEVC", hevc + ["-pix_fmt", "yuv420p10le"]),
    OddMovie("4:2:2 H.264", replacing("yuv422p")),
    OddMovie("4:2:2 10-bit HEVC", hevc + ["-pix_fmt", "yuv422p10le"]),
    OddMovie("4:4:4 of odd size", ["-vf", "crop=127:95:0:0:exact=1"] + replacing("yuv444p")),
    OddMovie("full range", ["-color_range", "pc"] + h264),
    OddMovie("parameter sets in the samples", hevc.dropLast(1) + ["hev1", "-pix_fmt", "yuv420p"]),
  ]

  private static func replacing(_ pixelFormat: String) -> [String] { h264.dropLast(1) + [pixelFormat] }

  /// Converts a header from version 0 to version 1, with two times and a duration of 64 bits.
  private static func widen(_ header: inout AtomTree, times: Int, duration: Int) {
    let old = header.bytes
    let wide = { (at: Int) in [0, 0, 0, 0] + old[at..<at + 4] }
    header.bytes =
      [1] + old[1..<4] + wide(4) + wide(8) + old[times..<duration] + wide(duration)
      + old[(duration + 4)...]
  }
}

extension MovieFile {
  /// Returns the start of “wide” before “mdat”.
  func mediaHeader() throws -> Int {
    let names = Array("wide".utf8)
    guard let at = before.indices.dropLast(12).first(where: { Array(before[$0 + 4..<$0 + 8]) == names })
    else { throw ToolFailure("no “wide” atom") }
    return at
  }

  /// Splits the media into two atoms with padding between them, at the middle chunk.
  mutating func splitMedia() throws {
    let media = try mediaHeader() + 8
    var offsets: [UInt32] = []
    tables { offsets += $0["stco"]?.numbers(after: 8) ?? [] }
    guard offsets.count > 2 else { throw ToolFailure("too few chunks to split") }
    let cut = offsets.sorted()[offsets.count / 2]
    let gap = AtomTree(kind: "free", bytes: [1, 2, 3]).serialized
    let rest = before[Int(cut)...]
    let second = AtomTree(kind: "mdat", bytes: Array(rest)).serialized
    let moved = UInt32(gap.count + second.count - rest.count)
    before.replaceSubrange(media..<media + 4, with: AtomTree.big(UInt32(Int(cut) - media)))
    before = before[..<Int(cut)] + gap + second
    tables { stbl in
      stbl.change(["stco"]) { stco in
        let new = stco.numbers(after: 8).flatMap { AtomTree.big($0 >= cut ? $0 + moved : $0) }
        stco.bytes = stco.bytes[..<8] + new
      }
    }
  }
}
