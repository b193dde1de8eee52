internal import CFFmpeg
import EditModel
import Glibc

/// The encoder and its settings. These values determine all encoded bytes and do not depend on the machine.
struct VideoEncoderParameters {
  /// The library's name for the encoder.
  let name: String
  let preset: String
  /// The name of the encoder option for `rate`, which is either a constant rate factor or a constant quantiser.
  let rateOption: String
  /// The rate factor or the quantiser. A lower value means higher quality.
  let rate: Double
  /// The number of encoder threads.
  var threads = 2
  /// Additional settings in the encoder's own syntax.
  let parameters: String
  /// Whether every frame is forced to be an IDR picture. A keyframe interval of 1 would have the same effect. However,
  /// the encoder would then choose a profile that phones need not support (Main Intra, a range extension).
  var forcesKeyFrames = false

  /// The name of the option for ``parameters``.
  var parametersOption: String { name.dropFirst("lib".count) + "-params" }

  // x265 3.5 always writes the costs of four 16-pixel blocks at a time. In rows with fewer blocks (48 pixels or less),
  // x265 overwrites the memory after the buffer, and the program crashes.
  private static let leastWidthForTree = 64

  // B-frames are disabled, because x264 encodes B-frames more coarsely than their neighbours, and B-frames use most of
  // the memory. Phones do not reorder H.264 frames either. Weak adaptive quantisation and a short look-ahead keep the
  // quality of the worst frame near the average. The look-ahead runs in the encoder's own threads.
  private static let h264Parameters =
    "cpu-independent=1:lookahead-threads=1:sync-lookahead=0:bframes=0:mbtree=1:rc-lookahead=4"
    + ":aq-mode=1:aq-strength=0.4"

  // These settings compress denoised frames better. They use more reference frames, keep isolated small coefficients,
  // and encode chroma more finely. Finer chroma costs little once the chroma noise is gone.
  private static let cleanH264Tools = ":ref=3:mixed-refs=1:no-dct-decimate=1:chroma-qp-offset=-6"

  // The thread pool has a fixed size. Otherwise, x265 would disable wavefronts on a single core and write different
  // bytes. Only one frame is encoded at a time, because its rows keep the pool busy and a second frame would cost 35
  // MB. Adaptive quantisation is off, because it takes bits from the noise of phone cameras and spends them on flat
  // areas. x265 encodes reference frames at higher quality according to its own measure (cutree). This measure needs a
  // look-ahead, and a longer look-ahead costs memory.
  private static let hevcParameters =
    "log-level=none:info=0:pools=4:frame-threads=1:open-gop=0:repeat-headers=0:hrd=0:aud=0"
    + ":rc-lookahead=5:b-adapt=0:bframes=3:aq-mode=0:psy-rdoq=0"

  // Finer motion estimation and sign hiding save enough bits to justify the additional time. With the speed `fast` and
  // the quality `standard`, two real clips at 1920x1440 reach an average luma PSNR of 40.1 dB and 44.9 dB respectively
  // (37.8 dB and 42.4 dB in the worst frame). The new files have 1.75 and 0.31 times the original size, and encoding
  // takes 0.2 s and 0.1 s of processor time per frame.
  private static let fastHEVCTools = ":subme=1:signhide=1:max-merge=2"

  // Settings that depend on other pictures are not used. Look-ahead and cutree (see above) are off. Rate control is
  // also off, because its memory would make the bytes of a tile depend on earlier tiles. Tiles are encoded in parallel,
  // so each tile uses a single thread.
  private static let stillParameters =
    "log-level=none:info=0:pools=none:wpp=0:frame-threads=1:open-gop=0:repeat-headers=0:hrd=0:aud=0"
    + ":rc-lookahead=0:bframes=0:b-adapt=0:scenecut=0:cutree=0:aq-mode=0:psy-rd=0:psy-rdoq=0:signhide=1"
}

extension VideoEncoderParameters {
  /// - Parameters:
  ///   - codec: The codec of the new track.
  ///   - quality: The encoding quality.
  ///   - speed: The encoding speed. A slower encoder saves more bits.
  ///   - width: The width of the frames in pixels.
  ///   - noise: The variance of the noise that was removed from the frames, measured in 8-bit sample values.
  ///   - finer: The number of steps by which the rate factor is lowered. Six steps halve the quantiser's step size.
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

  /// Returns the rate factor at which denoised frames use about as many bits as the original noisy frames. At this rate
  /// factor, the coding error is smaller than the remaining noise.
  ///
  /// The quantiser's step size doubles with every six steps of the rate factor (ITU-T H.264, 8.5.9). The number of bits
  /// grows with the logarithm of the ratio between coded variance and coding error.
  ///
  /// - Parameters:
  ///   - rate: The rate factor for the original noisy frames.
  ///   - noise: The variance of the noise, measured in 8-bit sample values.
  ///   - predicted: The ratio of coded noise to the noise of a frame. The ratio exceeds 1 because frames are predicted
  ///     from other frames that have noise of their own. In pans, a ratio of 3.2 was measured. x264 discards more
  ///     detail than its bit count suggests, so a higher ratio is used for x264. With a ratio of 8, pans gain 6.0 dB
  ///     instead of 5.6 dB, at 2.3 times the size of the noisy frames.
  ///   - finest: The smallest useful quantiser step size, in standard deviations of the remaining noise.
  private static func rate(
    _ rate: Double, without noise: Double, predicted: Double, finest: Double
  ) -> Double {
    let step = exp2((rate - 4) / 6)
    let error = step * step / 12
    // Noise below this threshold is not coded.
    let coded = max(0, noise - 3 * error)
    // A quarter of the noise is assumed to remain.
    let left = 0.25
    let equal = (left * coded + error) / (predicted * coded + error)
    let useful = left * noise * finest * finest
    let finer = -3 * log2(min(1, max(equal, useful / (step * step))))
    return ((rate - finer) * 10).rounded() / 10
  }

  /// Creates the parameters for individual pictures. Each picture is an IDR picture, which does not depend on any other
  /// picture.
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
