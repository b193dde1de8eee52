import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests of complete renders with noise reduction. ffmpeg adds the noise and measures how much remains.
@Suite struct NoiseRenderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func rendered(
    _ edit: Edit, photo: URL? = nil, movie: URL? = nil, quality: RenderSettings.Quality = .high,
    _ name: String
  ) throws -> URL {
    let output = folder.file(name)
    func half(_ source: URL?) -> RenderJob.Half? {
      source.map { .init(source: $0.path, output: output.path) }
    }
    var settings = RenderSettings.standard
    settings.quality = quality
    let job = RenderJob(
      photo: half(photo), movie: half(movie), edit: edit, settings: settings, identifier: nil)
    _ = try render(job, progress: { _ in }, isCancelled: { false })
    return output
  }

  private func edit(_ values: [Parameter: Double]) -> Edit {
    var edit = Edit.identity
    for (parameter, value) in values { edit[parameter] = value }
    return edit
  }

  /// Returns the mean squared error of luma, in 8-bit codes.
  private func error(_ file: URL, _ wanted: URL) throws -> Double {
    let bytes = try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-i", file.path, "-i", wanted.path, "-lavfi",
        "[0]format=yuv420p10le[a];[1]format=yuv420p10le[b];[a][b]psnr=stats_file=-", "-f", "null", "-",
      ])
    let errors = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .compactMap { $0.hasPrefix("mse_y:") ? Double($0.dropFirst(6)) : nil }
    try #require(!errors.isEmpty)
    return errors.reduce(0, +) / Double(errors.count) / 16
  }

  /// Creates a slow pan over a picture, with or without noise.
  ///
  /// - Parameter noise: The width of the uniform distribution that ffmpeg uses, in codes.
  private func pan(
    _ name: String, of picture: String = "IMG_0001.JPG", noise: Int, isHEVC: Bool = true
  ) throws -> URL {
    let encoder =
      isHEVC
      ? [
        "-c:v", "libx265", "-tag:v", "hvc1", "-preset", "ultrafast", "-crf", "4", "-x265-params",
        "log-level=none",
      ] : ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "4"]
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-loop", "1", "-i", TestFiles.fixture(picture).path, "-vf",
        "scale=480:-2,crop=320:240:2*n:n,noise=alls=\(noise):allf=t:all_seed=7,format=yuv420p"
          + (isHEVC ? "10le" : ""),
        "-frames:v", "14", "-r", "30",
      ] + encoder + [name])
    return folder.file(name)
  }

  @Test func aMovieOfTenBitsLosesItsNoise() throws {
    let (clean, noisy) = (try pan("clean.mov", noise: 0), try pan("noisy.mov", noise: 30))
    let output = try rendered(edit([.noiseReduction: 0.5]), movie: noisy, "out.mov")
    #expect(
      try Tools.ffprobe(output, "-show_entries", "stream=codec_name,pix_fmt").first == "hevc,yuv420p10le")
    let (before, after) = (try error(noisy, clean), try error(output, clean))
    #expect(after < 0.2 * before)
  }

  /// The noise reduction survives encoding at the standard quality. In HEVC the movie is no larger than with noise, in
  /// H.264 about twice as large.
  @Test(arguments: [true, false]) func theEncodedMovieHasLessNoise(isHEVC: Bool) throws {
    let clean = try pan("clean.mov", of: "IMG_0003.JPG", noise: 0, isHEVC: isHEVC)
    let noisy = try pan("noisy.mov", of: "IMG_0003.JPG", noise: 10, isHEVC: isHEVC)
    let reduced = try rendered(edit([.noiseReduction: 0.5]), movie: noisy, quality: .standard, "reduced.mov")
    let plain = try rendered(edit([.exposure: 0.01]), movie: noisy, quality: .standard, "plain.mov")
    // If the movie never had noise, the encoder would discard more: the gains would be 6.2 and 7.4 dB.
    let (before, after) = (try error(noisy, clean), try error(reduced, clean))
    #expect(after < before / 6, "\(before) \(after)")
    let (size, wanted) = (try Data(contentsOf: reduced).count, try Data(contentsOf: plain).count)
    #expect(Double(size) <= Double(wanted) * (isHEVC ? 1 : 2.3))
  }

  /// A movie without noise has the same size as without noise reduction.
  @Test func aCleanMovieIsEncodedAsBefore() throws {
    let clean = try pan("clean.mov", noise: 0)
    let reduced = try rendered(edit([.noiseReduction: 0.5]), movie: clean, quality: .standard, "reduced.mov")
    let plain = try rendered(edit([.exposure: 0.01]), movie: clean, quality: .standard, "plain.mov")
    let (size, wanted) = (try Data(contentsOf: reduced).count, try Data(contentsOf: plain).count)
    #expect(abs(size - wanted) < wanted / 20, "\(size) \(wanted)")
  }

  /// Noise is removed before colours change: the render equals that of a picture without noise.
  @Test func noiseGoesBeforeColoursChange() throws {
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-i", TestFiles.fixture("IMG_0001.JPG").path, "-vf",
        "scale=480:-2,noise=alls=30:all_seed=7", "-q:v", "1", "noisy.jpg",
      ])
    let noisy = folder.file("noisy.jpg")
    let (noise, colors) = ([Parameter.noiseReduction: 0.7], [Parameter.exposure: -1.5, .contrast: 0.6])
    let both = try rendered(edit(noise.merging(colors) { $1 }), photo: noisy, "both.jpg")
    let reduced = try rendered(edit(noise), photo: noisy, "reduced.jpg")
    let noiseFirst = try rendered(edit(colors), photo: reduced, "noise-first.jpg")
    let colored = try rendered(edit(colors), photo: noisy, "colored.jpg")
    let colorsFirst = try rendered(edit(noise), photo: colored, "colours-first.jpg")
    #expect(try error(both, noiseFirst) < 0.25 * error(both, colorsFirst))
  }
}
