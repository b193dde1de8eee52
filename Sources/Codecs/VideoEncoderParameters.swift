internal import CFFmpeg
import EditModel

/// Which encoder, and what it is told: everything that decides about bytes, nothing that depends on the
/// machine.
struct VideoEncoderParameters {
  /// The library's name of the encoder.
  let name: String
  /// Name of its option for `-params`.
  let parametersOption: String
  let preset: String
  /// Constant rate factor.
  let rateFactor: Double
  /// Encoder threads.
  let threads: Int
  /// Further settings in the encoder's own words.
  let parameters: String

  init(codec: RenderSettings.VideoCodec, quality: RenderSettings.Quality, speed: RenderSettings.Speed) {
    switch codec {
    case .h264:
      self.init(h264: quality, speed)
    case .hevc:
      self.init(hevc: quality, speed)
    }
  }

  private init(h264 quality: RenderSettings.Quality, _ speed: RenderSettings.Speed) {
    name = "libx264"
    parametersOption = "x264-params"
    preset =
      switch speed {
      case .fast: "veryfast"
      case .medium: "medium"
      case .slow: "slower"
      }
    rateFactor =
      switch quality {
      case .small: 25
      case .standard: 22
      case .high: 17
      }
    threads = 2
    parameters = Self.h264Parameters
  }

  private init(hevc quality: RenderSettings.Quality, _ speed: RenderSettings.Speed) {
    name = "libx265"
    parametersOption = "x265-params"
    preset =
      switch speed {
      case .fast: "superfast"
      case .medium: "fast"
      case .slow: "slow"
      }
    rateFactor =
      switch quality {
      case .small: 30
      case .standard: 26.3
      case .high: 22
      }
    threads = 2
    parameters = Self.hevcParameters
  }

  // B-frames come out of x264 coarser than their neighbours and cost most of the memory; phones do not
  // reorder H.264 either. Weak adaptive quantisation and a short look-ahead keep the worst frame near the
  // mean. The look-ahead runs in the encoder's own threads.
  private static let h264Parameters =
    "cpu-independent=1:lookahead-threads=1:sync-lookahead=0:bframes=0:mbtree=1:rc-lookahead=4"
    + ":aq-mode=1:aq-strength=0.4"

  // A pool of fixed size, or x265 would do without wavefronts, and so write other bytes, where there is one core.
  // One quantiser for all kinds of frames and blocks, and nothing psychovisual: the noise of phone cameras
  // costs most of the bits, and with anything else some frames fall far behind the mean.
  private static let hevcParameters =
    "log-level=none:info=0:pools=4:frame-threads=2:open-gop=0:repeat-headers=0:hrd=0:aud=0"
    + ":rc-lookahead=3:b-adapt=0:bframes=2:pbratio=1.0:ipratio=1.0:qcomp=1.0:aq-mode=0:cutree=0"
    + ":psy-rd=0:psy-rdoq=0"
}
