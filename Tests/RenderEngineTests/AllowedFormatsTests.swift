import Basics
import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests that files from strangers reach only a few of FFmpeg's formats and decoders.
@Suite struct AllowedFormatsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Converts a file as a movie and returns the error, or nil on success.
  private func refusal(_ source: URL) -> EditError? {
    let output = folder.file("made-\(source.lastPathComponent).mp4").path
    do throws(EditError) {
      _ = try convert(
        .movie(MovieConversion(source: source.path, output: output, container: .mp4)), isCancelled: { false })
      return nil
    } catch {
      return error
    }
  }

  /// Returns a small movie created by ffmpeg.
  private func movie(_ name: String, _ codec: String, _ options: String...) throws -> URL {
    let answer = try Tools.run(
      ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=1", "-c:v", codec]
        + ["-strict", "-2"] + options + [folder.file(name).path])
    try #require(answer.status == 0, "\(answer.text)")
    return folder.file(name)
  }

  @Test func decoders() throws {
    // FFmpeg can decode all of them.
    #expect(try refusal(movie("allowed.mkv", "ffv1")) == nil)
    for codec in ["huffyuv", "cinepak", "snow", "flashsv"] {
      #expect(try refusal(movie("\(codec).mkv", codec)) != nil, "\(codec)")
    }
  }

  @Test func containers() throws {
    for (name, codec) in [
      ("a.mov", "mpeg4"), ("b.mp4", "mpeg4"), ("c.3gp", "mpeg4"), ("d.mkv", "mpeg4"), ("e.webm", "libvpx"),
      ("f.avi", "mpeg4"), ("g.ts", "mpeg2video"), ("h.flv", "flv"), ("i.wmv", "wmv2"), ("j.ogv", "libtheora"),
      ("k.mpg", "mpeg2video"), ("l.vob", "mpeg2video"),
    ] {
      #expect(try refusal(movie(name, codec)) == nil, "\(name)")
    }
    #expect(try refusal(movie("m.m2ts", "mpeg2video", "-mpegts_m2ts_mode", "1")) == nil)
    // No frame is lost if the container does not state the time of each frame.
    for name in ["made-a.mov.mp4", "made-k.mpg.mp4", "made-l.vob.mp4"] {
      let count = try Tools.output(
        "ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of",
        "default=nw=1:nk=1", folder.file(name).path)
      #expect(count.lines == ["25"], "\(name)")
    }
    // A recording that begins in the middle of a packet.
    let whole = try Data(contentsOf: folder.file("g.ts"))
    try whole.dropFirst(100).write(to: folder.file("n.ts"))
    #expect(refusal(folder.file("n.ts")) == nil)
    for (name, codec) in [("other.nut", "mpeg4"), ("other.y4m", "wrapped_avframe"), ("other.ivf", "vp8")] {
      #expect(try refusal(movie(name, codec)) != nil, "\(name)")
    }
  }

  /// Lists that name other files, through which FFmpeg would read files that it was not given.
  @Test func playlists() throws {
    let part = try movie("part.ts", "mpeg2video")
    #expect(refusal(part) == nil)
    let playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(part.path)\n#EXT-X-ENDLIST\n"
    let lists = ["list.m3u8": playlist, "list.ffconcat": "ffconcat version 1.0\nfile part.ts\n"]
    for (name, text) in lists {
      for shown in [name, "\(name).MOV"] {
        try folder.write(Array(text.utf8), to: shown)
        #expect(refusal(folder.file(shown)) != nil, "\(shown)")
      }
      // ffmpeg itself plays the list, so the test can fail.
      let format = name.hasSuffix("m3u8") ? "hls" : "concat"
      try Tools.output(
        "ffmpeg", "-v", "error", "-f", format, "-i", folder.file(name).path, "-f", "null", "-")
    }
  }
}
