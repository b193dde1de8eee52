internal import CFFmpeg
import EditModel
import Glibc

/// The encoder and its settings: everything that determines the encoded bytes, and nothing that depends on the machine.
struct VideoEncoderParameters {
  /// The library's name of the encoder.
  let name: String
  let preset: String
  /// The name of the option for `rate`: a constant rate factor or a constant quantiser.
  let rateOption: String
  /// The rate factor or quantiser. Lower values mean higher quality.
  let rate: Double
  /// The number of encoder threads.
  var threads = 2
  /// Further settings in the encoder's own syntax.
  let parameters: String
  /// Whether every frame is forced to be an IDR picture. A keyframe interval of 1 would have the same effect, but in a
  /// profile (Main Intra, a range extension) that phones need not support.
  var forcesKeyFrames = false

  /// The name of the option for ``parameters``.
  var parametersOption: String { name.dropFirst("lib".count) + "-params" }

  // x265 3.5 always writes the costs of four 16-pixel blocks at a time. In rows with fewer blocks (48 pixels or less),
  // it overwrites the memory after the buffer, and the program crashes.
  private static let leastWidthForTree = 64

  // x264 encodes B-frames more coarsely than their neighbours, and B-frames use most of the memory; phones do not
  // reorder H.264 either. Weak adaptive quantisation and a short look-ahead keep the quality of the worst frame near
  // the mean. The look-ahead runs in the encoder's own threads.
  private static let h264Parameters =
    "cpu-independent=1:lookahead-threads=1:sync-lookahead=0:bframes=0:mbtree=1:rc-lookahead=4"
    + ":aq-mode=1:aq-strength=0.4"

  // Settings that compress denoised frames better: more reference frames, no removal of isolated small coefficients,
  // and finer chroma, which costs little once its noise is gone.
  private static let cleanH264Tools = ":ref=3:mixed-refs=1:no-dct-decimate=1:chroma-qp-offset=-6"

  // The thread pool has a fixed size: on a single core, x265 would otherwise disable wavefronts and write different
  // bytes. One frame is encoded at a time; its rows keep the pool busy, and a second frame would cost 35 MB. Adaptive
  // quantisation is off, because it takes bits from the noise of phone cameras and spends them on flat areas. Frames to
  // which others refer are coded at higher quality by x265's own measure (cutree), which needs a look-ahead; a longer
  // look-ahead costs memory.
  private static let hevcParameters =
    "log-level=none:info=0:pools=4:frame-threads=1:open-gop=0:repeat-headers=0:hrd=0:aud=0"
    + ":rc-lookahead=5:b-adapt=0:bframes=3:aq-mode=0:psy-rdoq=0"

  // Settings that save more bits than they cost in time: finer motion estimation and sign hiding. In two real clips of
  // 1920x1440, `fast` and `standard` reach a mean luma PSNR of 40.1 and 44.9 dB (37.8 and 42.4 dB in the worst frame)
  // at 1.75 and 0.31 times the file size, and take 0.2 and 0.1 s of processor time per frame.
  private static let fastHEVCTools = ":subme=1:signhide=1:max-merge=2"

  // No setting that depends on other pictures is used: no look-ahead, no rate control (its memory would make the bytes
  // of a tile depend on earlier tiles) and no cutree (see above). Tiles are encoded in parallel, so each uses one
  // thread.
  private static let stillParameters =
    "log-level=none:info=0:pools=none:wpp=0:frame-threads=1:open-gop=0:repeat-headers=0:hrd=0:aud=0"
    + ":rc-lookahead=0:bframes=0:b-adapt=0:scenecut=0:cutree=0:aq-mode=0:psy-rd=0:psy-rdoq=0:signhide=1"
}

extension VideoEncoderParameters {
  /// - Parameters:
  ///   - codec: The codec of the new track.
  ///   - quality: The encoding quality.
  ///   - speed: The amount of time spent on saving bits.
  ///   - width: The width of the frames in pixels.
  ///   - noise: The variance of the noise that was removed from the frames, in 8-bit codes.
  ///   - finer: The number of steps by which to lower the rate factor; six steps halve the quantiser's step.
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

  /// Returns the rate factor at which denoised frames use about as many bits as the noisy frames would have used. The
  /// encoder then discards less than the noise that remains.
  ///
  /// The quantiser's step doubles with every six steps of the rate factor (ITU-T H.264, 8.5.9). The number of bits
  /// grows with the logarithm of the ratio of the coded variance to the coding error.
  ///
  /// - Parameters:
  ///   - rate: The rate factor for frames with their noise.
  ///   - noise: The variance of the noise in 8-bit codes.
  ///   - predicted: The ratio of coded noise to the noise of a frame. It exceeds 1 because frames are predicted from
  ///     others with noise of their own: 3.2 was measured in pans. x264 discards more detail than its bit count
  ///     suggests, so a higher value is used for it: with 8, pans gain 6.0 dB instead of 5.6 dB, at 2.3 times the size
  ///     of the noisy frames.
  ///   - finest: The smallest useful quantiser step, in standard deviations of the noise that remains.
  private static func rate(
    _ rate: Double, without noise: Double, predicted: Double, finest: Double
  ) -> Double {
    let step = exp2((rate - 4) / 6)
    let error = step * step / 12
    // Noise below this threshold is not coded.
    let coded = max(0, noise - 3 * error)
    // A quarter of the noise remains.
    let left = 0.25
    let equal = (left * coded + error) / (predicted * coded + error)
    let useful = left * noise * finest * finest
    let finer = -3 * log2(min(1, max(equal, useful / (step * step))))
    return ((rate - finer) * 10).rounded() / 10
  }

  /// Creates the parameters for single pictures, each of which is an IDR picture that depends on no other picture.
  ///
  /// - Parameter still: The encoding quality.
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
