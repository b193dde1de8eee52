import Basics
import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests of changing the volume of a movie's audio. ffmpeg reads the samples.
@Suite struct SoundVolumeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns a short movie whose audio ffmpeg encodes with the given options.
  func movie(_ codec: String...) throws -> String {
    let path = folder.file("in.mov").path
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=15:duration=1", "-f", "lavfi", "-i",
        "sine=frequency=440:sample_rate=44100:duration=1", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a",
      ] + codec + [path])
    return path
  }

  func render(_ source: String, volume: Double) throws -> (path: String, result: RenderResult) {
    let output = folder.file("out.mov").path
    let job = RenderJob(
      photo: nil, movie: RenderJob.Half(source: source, output: output), edit: .identity,
      // The picture is not changed.
      settings: RenderSettings(isLossless: true),
      identifier: nil, audioVolume: volume)
    return (output, try RenderEngine.render(job, progress: { _ in }, isCancelled: { false }))
  }

  /// Returns the audio as ffmpeg decodes it, with edit list and priming applied.
  func samples(_ path: String, _ format: String = "f64le") throws -> Data {
    try Tools.output("ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-f", format, "-").standardOutput
  }

  func numbers<Number>(_ data: Data, as type: Number.Type) -> [Number] {
    [UInt8](data).withUnsafeBytes { bytes in
      (0..<bytes.count / MemoryLayout<Number>.size).map {
        bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Number>.size, as: type)
      }
    }
  }

  @Test(arguments: ["pcm_s8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be"])
  func numbersAreMultipliedAndRounded(_ codec: String) throws {
    let source = try movie(codec)
    let (output, result) = try render(source, volume: 0.3)
    #expect(result.movie == .copied)
    let bits = Int(codec.filter(\.isNumber)) ?? 0
    let shift = Int32(32 - bits)
    let before = numbers(try samples(source, "s32le"), as: Int32.self).map { $0 >> shift }
    let after = numbers(try samples(output, "s32le"), as: Int32.self).map { $0 >> shift }
    #expect(before.count == 44100)
    #expect(Set(before).count > 10)
    #expect(after == before.map { Int32((Double($0) * 0.3).rounded()) })
  }

  @Test(arguments: ["pcm_f32le", "pcm_f32be", "pcm_f64le", "pcm_f64be"])
  func floatsAreMultiplied(_ codec: String) throws {
    let source = try movie(codec)
    let before = numbers(try samples(source), as: Double.self)
    let after = numbers(try samples(try render(source, volume: 0.25).path), as: Double.self)
    #expect(before.count == 44100)
    #expect(after == before.map { $0 * 0.25 })
  }

  @Test func unsignedNumbersHaveSilenceInTheMiddle() throws {
    let source = try movie("pcm_u8")
    let before = try samples(source, "u8").map { Double($0) }
    let after = try samples(try render(source, volume: 0.5).path, "u8").map { Double($0) }
    #expect(after == before.map { (($0 - 128) * 0.5).rounded() + 128 })
  }

  @Test func theSoundOfALivePhotoIsMultiplied() throws {
    let source = TestFiles.fixture("IMG_0001.MOV").path
    let before = numbers(try samples(source, "s16le"), as: Int16.self)
    let (output, _) = try render(source, volume: 0.5)
    let after = numbers(try samples(output, "s16le"), as: Int16.self)
    #expect(after == before.map { Int16((Double($0) * 0.5).rounded()) })
    // Nothing else changed.
    let (old, new) = (
      try Tools.exiftool(URL(fileURLWithPath: source)), try Tools.exiftool(URL(fileURLWithPath: output))
    )
    let places = ["MediaDataOffset", "MediaDataSize"]
    for (tag, value) in old
    where tag.hasPrefix("QuickTime:") || tag.hasPrefix("Track") || tag.hasPrefix("Keys:") {
      if !places.contains(where: tag.hasSuffix) { #expect(new[tag] == value, "\(tag)") }
    }
  }

  @Test func compressedSoundIsDecodedAndEncodedAgain() throws {
    let source = try movie("aac", "-b:a", "128k")
    let (output, _) = try render(source, volume: 0.5)
    let before = numbers(try samples(source), as: Double.self)
    let after = numbers(try samples(output), as: Double.self)
    #expect(before.count == after.count)
    // The same audio at half the level: at least 30 dB above the difference.
    let wanted = before.dropFirst(1024).map { $0 / 2 }
    let noise = zip(wanted, after.dropFirst(1024)).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    let power = wanted.reduce(0) { $0 + $1 * $1 }
    #expect(power > 0)
    #expect(10 * log10(power / max(noise, 1e-30)) > 30)
    for entry in ["stream=nb_frames,start_time,duration_ts,codec_tag_string,sample_rate,channels"] {
      #expect(
        try Tools.ffprobe(URL(fileURLWithPath: source), "-select_streams", "a", "-show_entries", entry)
          == Tools.ffprobe(URL(fileURLWithPath: output), "-select_streams", "a", "-show_entries", entry))
    }
  }

  @Test func aFullVolumeLeavesEveryBit() throws {
    let source = try movie("aac")
    let (output, _) = try render(source, volume: 1)
    func packets(_ path: String) throws -> Data {
      try Tools.output("ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-f", "data", "-")
        .standardOutput
    }
    #expect(try packets(source) == packets(output))
  }

  @Test func silenceRemovesTheTrackAndNamesIt() throws {
    let (output, result) = try render(TestFiles.fixture("IMG_0001.MOV").path, volume: 0)
    #expect(
      try Tools.ffprobe(URL(fileURLWithPath: output), "-select_streams", "a", "-show_entries", "stream=index")
        == [])
    #expect(result.removals.contains { $0.name.hasPrefix("sound track") && $0.half == .movie })
  }

  @Test(arguments: [["adpcm_ima_qt"], ["alac"]])
  func whatCannotBeMultipliedIsRefused(_ codec: [String]) throws {
    let source = folder.file("in.mov").path
    _ = try movie(codec[0])
    let refused = #expect(throws: EditError.self) { try render(source, volume: 0.5) }
    #expect(refused?.code == .unsupported)
    #expect(refused?.remedy != nil)
    #expect(try folder.names() == ["in.mov"])
  }

  @Test(arguments: [-0.1, 1.1, .nan, .infinity]) func aVolumeOutOfRangeIsRefused(_ volume: Double) throws {
    let refused = #expect(throws: EditError.self) {
      try render(TestFiles.fixture("IMG_0001.MOV").path, volume: volume)
    }
    #expect(refused?.code == .invalidEdit)
  }
}
