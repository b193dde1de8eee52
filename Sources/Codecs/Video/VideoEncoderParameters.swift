internal import CFFmpeg
import EditModel
import Glibc

/// Which encoder, and what it is told: everything that decides about bytes, nothing that depends on the
/// machine.
struct VideoEncoderParameters {
  /// The library's name of the encoder.
  let name: String
  let preset: String
  /// Name of the option for `rate`: a constant rate factor or a constant quantiser.
  let rateOption: String
  /// How fine: the smaller, the finer.
  let rate: Double
  /// Encoder threads.
  var threads = 2
  /// Further settings in the encoder's own words.
  let parameters: String
  /// True if every frame is an IDR picture because it is told to be. A key frame interval of 1 would do that too, in
  /// a profile (Main Intra, one of the range extensions) that phones need not decode.
  var forcesKeyFrames = false

  /// Name of the option for ``parameters``.
  var parametersOption: String { name.dropFirst("lib".count) + "-params" }

  // x265 3.5 writes the costs of four blocks of 16 pixels at a time, whatever room there is for them: where a row
  // has fewer (48 pixels and less), it spoils the memory behind, and the program ends.
  private static let leastWidthForTree = 64

  // B-frames come out of x264 coarser than their neighbours and cost most of the memory; phones do not
  // reorder H.264 either. Weak adaptive quantisation and a short look-ahead keep the worst frame near the
  // mean. The look-ahead runs in the encoder's own threads.
  private static let h264Parameters =
    "cpu-independent=1:lookahead-threads=1:sync-lookahead=0:bframes=0:mbtree=1:rc-lookahead=4"
    + ":aq-mode=1:aq-strength=0.4"

  // What makes more of the bits for frames whose noise was taken out: more frames to predict from, single small coefficients,
  // and finer chroma, which costs little without its noise.
  private static let cleanH264Tools = ":ref=3:mixed-refs=1:no-dct-decimate=1:chroma-qp-offset=-6"

  // A pool of fixed size, or x265 would do without wavefronts, and so write other bytes, where there is one core.
  // One frame at a time: its rows keep the pool busy, and a second frame costs 35 MB. No adaptive quantisation,
  // which takes from the noise of phone cameras what it gives to flat places. Frames that others refer to are
  // coded finer, by x265's own measure (cutree), which needs a look-ahead; a longer one costs memory.
  private static let hevcParameters =
    "log-level=none:info=0:pools=4:frame-threads=1:open-gop=0:repeat-headers=0:hrd=0:aud=0"
    + ":rc-lookahead=5:b-adapt=0:bframes=3:aq-mode=0:psy-rdoq=0"

  // What makes more of the bits than it costs time: finer motion and hidden signs. With `fast` and `standard` two
  // real clips of 1920x1440 keep 40.1 and 44.9 dB of luma in the mean, 37.8 and 42.4 in the worst frame, at 1.75
  // and 0.31 times the size of the file, and take 0.2 and 0.1 s of processor time a frame.
  private static let fastHEVCTools = ":subme=1:signhide=1:max-merge=2"

  // Nothing that knows of other pictures: no look-ahead, no rate control (whose memory would make the bytes of a tile
  // depend on those before it), no cutree (see above). Tiles are encoded side by side, so each has one thread.
  private static let stillParameters =
    "log-level=none:info=0:pools=none:wpp=0:frame-threads=1:open-gop=0:repeat-headers=0:hrd=0:aud=0"
    + ":rc-lookahead=0:bframes=0:b-adapt=0:scenecut=0:cutree=0:aq-mode=0:psy-rd=0:psy-rdoq=0:signhide=1"
}

extension VideoEncoderParameters {
  /// - Parameters:
  ///   - codec: what to encode.
  ///   - quality: how fine.
  ///   - speed: how much time is taken to find fewer bits.
  ///   - width: of the frames, in pixels.
  ///   - noise: the variance of the noise that was taken out of them, in 8-bit codes.
  ///   - finer: by how many steps of the rate factor they are finer; six halve the quantiser's step.
  init(
    codec: RenderSettings.VideoCodec, quality: RenderSettings.Quality, speed: RenderSettings.Speed,
    width: Int,
    noise: Double = 0, finer: Double = 0
  ) {
    let presets =
      switch speed {
      case .fast: (h264: "veryfast", hevc: "ultrafast")
      case .medium: (h264: "medium", hevc: "fast")
      case .slow: (h264: "slower", hevc: "slow")
      }
    var rates =
      switch quality {
      case .small: (h264: 25.0, hevc: 23.0)
      case .standard: (h264: 22.0, hevc: 18.8)
      case .high: (h264: 17.0, hevc: 15.0)
      }
    rates = (rates.h264 - finer, rates.hevc - finer)
    switch codec {
    case .h264:
      let rate = Self.rate(rates.h264, without: noise, predicted: 8, finest: 0.35)
      self.init(
        name: "libx264", preset: presets.h264, rateOption: "crf", rate: rate,
        parameters: Self.h264Parameters + (rate < rates.h264 ? Self.cleanH264Tools : ""))
    case .hevc:
      self.init(
        name: "libx265", preset: presets.hevc, rateOption: "crf",
        rate: Self.rate(rates.hevc, without: noise, predicted: 3.2, finest: 0.5),
        parameters: Self.hevcParameters + (speed == .fast ? Self.fastHEVCTools : "")
          + (width < Self.leastWidthForTree ? ":cutree=0" : ""))
    }
  }

  /// The rate factor at which frames without their noise take about as many bits as they would have taken with it. So what
  /// the encoder leaves away is less than the noise that is left.
  ///
  /// The quantiser's step doubles with every six steps of the factor (ITU-T H.264, 8.5.9), and bits go with the logarithm of
  /// the variance of what is coded in relation to its error.
  ///
  /// - Parameters:
  ///   - rate: the factor for frames with their noise.
  ///   - noise: its variance, in 8-bit codes.
  ///   - predicted: how much noise is coded in relation to that of a frame, since frames are predicted from others with
  ///     noise of their own: 3.2 was measured in pans. x264 leaves away more of what is fine than its bits say, so more is
  ///     taken for it: with 8 pans gain 6.0 dB in place of 5.6, in 2.3 times the bytes of the noisy ones.
  ///   - finest: the step that is as fine as is of use, in standard deviations of the noise that is left.
  private static func rate(
    _ rate: Double, without noise: Double, predicted: Double, finest: Double
  ) -> Double {
    let step = exp2((rate - 4) / 6)
    let error = step * step / 12
    // Less noise than that is not coded.
    let coded = max(0, noise - 3 * error)
    // A quarter of it is left.
    let left = 0.25
    let equal = (left * coded + error) / (predicted * coded + error)
    let useful = left * noise * finest * finest
    let finer = -3 * log2(min(1, max(equal, useful / (step * step))))
    return ((rate - finer) * 10).rounded() / 10
  }

  /// For single pictures, each an IDR picture that depends on no other.
  ///
  /// - Parameter still: how fine.
  init(still quality: RenderSettings.Quality) {
    let rate =
      switch quality {
      case .small: 28.0
      case .standard: 20.0
      case .high: 17.0
      }
    self.init(
      name: "libx265", preset: "ultrafast", rateOption: "qp", rate: rate, threads: 1,
      parameters: Self.stillParameters, forcesKeyFrames: true)
  }
}
