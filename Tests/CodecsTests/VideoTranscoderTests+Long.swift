import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Codecs
@testable import Rendering

extension VideoTranscoderTests {
  /// libx265 wrote past the end of its memory for these sizes. The C library often detects this when the memory is
  /// freed.
  @Test(arguments: Cases.chosen([(16, 16), (32, 64), (48, 48)]) { index, _ in index == 1 })
  func narrowPicturesAreEncoded(width: Int, height: Int) throws {
    let path = try movie("\(width)x\(height)", frames: 20, Self.hevc)
    for _ in 0..<5 { try compare(path, try Transcoded(path, .down), .down, 30) }
  }

  /// For every source that libavcodec decodes here, the frames get the pixel layout that phones play.
  @Test(arguments: [
    ("mp4", "-c:v libvpx-vp9 -crf 10 -b:v 0 -pix_fmt yuv420p"),
    ("mp4", "-c:v libaom-av1 -cpu-used 8 -crf 10 -b:v 0 -pix_fmt yuv420p"),
    ("mp4", "-c:v mpeg4 -q:v 2"), ("mov", "-c:v prores_ks -pix_fmt yuv444p10le"),
    ("mov", "-c:v prores_ks -pix_fmt yuva444p10le"), ("mov", "-c:v png -pix_fmt rgb24"),
    ("mov", "-c:v mjpeg -q:v 2"),
  ])
  func otherCodecsBecomeWhatPhonesPlay(_ container: String, _ options: String) throws {
    let path = try movie("96x64", frames: 6, options, container)
    for codec in RenderSettings.VideoCodec.allCases {
      let track = try Transcoded(path, .down, RenderSettings(videoCodec: codec))
      #expect(track.transcoder.format.sampling == .yuv420)
      #expect(track.transcoder.format.bitDepth == (codec == .hevc && options.contains("10le") ? 10 : 8))
      #expect(track.packets.map(\.presentationTime).sorted() == (try times(path)))
      try compare(path, track, .down, 30)
    }
  }
}
