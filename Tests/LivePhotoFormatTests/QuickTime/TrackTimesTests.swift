import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of movies whose edit lists show nothing, and of movies whose headers contradict their samples.
@Suite struct TrackTimesTests {
  private static func entry(_ duration: UInt64, _ start: Int64, rate: Double = 1) -> Track.Edit {
    Track.Edit(duration: duration, mediaTime: start, rate: Int32(rate * 65_536))
  }

  /// Returns the fixture with another edit list of its video, which has 1021 ticks, or without an edit list if nil.
  private func pair(_ edits: [Track.Edit]?) throws -> Pair {
    var pair = try Pair("IMG_0001")
    try pair.changeTrack(1) { trak in
      try trak.remove(["edts"])
      guard let edits else { return }
      try trak.changeChildren { $0.insert(Atom("edts", children: [Track.Edit.list(edits)]), at: 1) }
    }
    return pair
  }

  /// Returns the number of video frames that ffprobe decodes and shows.
  private func shown(_ movie: [UInt8]) throws -> Int {
    let folder = try TemporaryFolder()
    let file = try folder.write(movie, to: "movie.mov")
    let text = try Tools.output(
      "ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
      "stream=nb_read_frames",
      "-of", "csv=p=0", file.path
    ).text
    return Int(text.prefix { $0.isNumber }) ?? 0
  }

  @Test(arguments: [
    [entry(0, 0), entry(0, 0)], Array(repeating: entry(0, 0), count: 300), [entry(1021, 1021)],
    [entry(1021, -1)],
  ])
  func listsThatShowNothingAreAnError(_ edits: [Track.Edit]) throws {
    let pair = try pair(edits)
    #expect(try shown(pair.movie) == 0)
    let verification = try pair.verify()
    #expect(verification.verdict == .invalid)
    #expect(
      verification.findings.map(\.message.description) == [
        "The movie is damaged: the edit list hides the whole video."
      ])
    // The movie can still be listed.
    #expect(try MovieMetadata(reading: MemoryByteSource(pair.movie)).width == 360)
  }

  @Test(arguments: [
    nil, [entry(1021, 0)], [entry(0, 0), entry(1021, 0)], [entry(300, -1), entry(721, 0)],
    [entry(510, 0, rate: 2), entry(511, 0)], [entry(1021, 0, rate: 0.5)], [entry(1021, 0, rate: 0)],
  ])
  func listsThatShowSomethingAreNone(_ edits: [Track.Edit]?) throws {
    let pair = try pair(edits)
    #expect(try shown(pair.movie) > 0)
    #expect(try pair.rules() == [])
  }

  /// Older programs write a duration of zero to show the rest of the media, if the list has a single entry.
  @Test func oneEntryWithoutADurationShowsTheRest() throws {
    #expect(try pair([Self.entry(0, 0)]).rules() == [])
    #expect(try pair([Self.entry(300, -1), Self.entry(0, 0)]).rules() == [])
  }

  @Test func entriesAreBounded() async {
    await #expect(processExitsWith: .success) {
      let movie = try TrackTimesTests().pair(Array(repeating: Self.entry(4, 0), count: 3)).movie
      ReadingLimit.set([.edits: 3])
      _ = try Movie(MemoryByteSource(movie))
      ReadingLimit.set([.edits: 2])
      let told = problem { _ = try Movie(MemoryByteSource(movie)) }
      #expect(told == "a track's edit list has more than 2 entries")
    }
  }

  /// Writes another duration into 32-bit headers.
  private static func say(_ seconds: UInt32, in header: inout Atom, at place: Int, scale: UInt32) {
    header.bytes.replace(at: place, bigEndian: seconds * scale)
  }

  @Test(arguments: ["mvhd", "tkhd", "mdhd", "elst"]) func headersThatContradictTheSamplesAreAnError(
    _ kind: String
  ) throws {
    var pair = try Pair("IMG_0001")
    let seconds: UInt32 = 7200
    try pair.changeMovie { moov in
      if kind == "mvhd" || kind == "elst" {
        try moov.update("mvhd") { Self.say(seconds, in: &$0, at: 16, scale: 600) }
      }
    }
    try pair.changeTrack(1) { trak in
      switch kind {
      case "tkhd": try trak.update("tkhd") { Self.say(seconds, in: &$0, at: 20, scale: 600) }
      case "mdhd": try trak.update("mdia", "mdhd") { Self.say(seconds, in: &$0, at: 16, scale: 600) }
      case "elst":
        try trak.update("edts") {
          $0 = Atom("edts", children: [Track.Edit.list([Self.entry(7200 * 600, 0)])])
        }
      default: break
      }
    }
    let findings = try pair.verify().findings
    #expect(findings.map(\.rule) == [.headerDurations] && findings.map(\.severity) == [.error])
    #expect(
      findings.first?.message.description
        == "The movie's headers give a duration of 7200.0 s, but its samples last 1.702 s.")
    // The listed duration is ffprobe's duration of the audio, which was not changed.
    let listed = try MovieMetadata(reading: MemoryByteSource(pair.movie)).duration
    #expect(abs(listed - 75_044.0 / 44_100) < 0.001)
  }

  /// A header with too short a duration, and a header with an unknown duration.
  @Test func headersThatSayTooLittleAreAnErrorToo() throws {
    for (ticks, rules) in [(60, [VerificationRule.headerDurations]), (UInt32.max, []), (900, [])] {
      var pair = try Pair("IMG_0001")
      try pair.changeTrack(1) { trak in
        // At one fifth of the speed, the movie lasts 8.5 s.
        try trak.update("edts") {
          $0 = Atom("edts", children: [Track.Edit.list([Self.entry(5105, 0, rate: 0.2)])])
        }
        if ticks == 900 { try trak.remove(["edts"]) }
      }
      try pair.changeMovie { try $0.update("mvhd") { $0.bytes.replace(at: 16, bigEndian: UInt32(ticks)) } }
      #expect(try pair.rules().filter { $0 != .stillTimeInMovie } == rules, "\(ticks)")
    }
  }

  /// Movies that other programs cut, delayed or fragmented, and movies with longer audio. None contradicts itself, and
  /// the listed durations match ffprobe's.
  @Test(arguments: [
    ["-ss", "1.5", "-t", "1", "-c", "copy", "-i"], ["-itsoffset", "8", "-c", "copy", "-i"],
    ["-c", "copy", "-movflags", "frag_keyframe+empty_moov", "-i"], ["-c", "copy", "-i"],
  ])
  func moviesOfOtherProgramsAreSound(_ words: [String]) throws {
    let folder = try TemporaryFolder()
    try Tools.output(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=30:duration=3", "-f", "lavfi",
      "-i",
      "sine=duration=9", "-c:v", "libx264", "-c:a", "aac", folder.file("long.mov").path)
    // Options before -i apply to the input; -c, -t and -movflags apply to the output.
    let isInput = ["-ss", "-itsoffset"].contains(words[0])
    let (input, output) = isInput ? (words.prefix(2), words.dropFirst(2).dropLast()) : ([], words.dropLast())
    let made = try Tools.run(
      ["ffmpeg", "-v", "error"] + input + ["-i", folder.file("long.mov").path] + output + [
        folder.file("made.mov").path
      ])
    try #require(made.status == 0, "\(made.standardError)")
    let movie = MemoryByteSource(Array(try folder.read("made.mov")))
    let findings = LivePhotoVerification(movie: try MovieEvidence(reading: movie)).findings
    #expect(!findings.contains { [.headerDurations, .movieReadable].contains($0.rule) }, "\(findings)")
    let text = try Tools.output(
      "ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0",
      folder.file("made.mov").path
    ).text
    let told = try #require(Double(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(abs(try MovieMetadata(reading: movie).duration - told) < 0.1)
  }
}
