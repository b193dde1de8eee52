import Foundation
import TestSupport
import Testing

/// Tests of clean apertures and pixel aspect ratios that only the source's sample description declares.
extension CommandCreateTests {
  /// Inserts an atom into the video sample description of a movie that ends with its `moov` atom.
  private func describe(_ file: URL, by kind: String, _ numbers: [Int32]) throws {
    func big(_ number: Int32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian, Array.init) }
    let more = big(Int32(8 + 4 * numbers.count)) + Array(kind.utf8) + numbers.flatMap(big)
    var bytes = [UInt8](try Data(contentsOf: file))
    func size(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    var (start, end) = (0, bytes.count)
    var places: [Int] = []
    let path = [
      ("moov", 8), ("trak", 8), ("mdia", 8), ("minf", 8), ("stbl", 8), ("stsd", 16), ("avc1", 86),
    ]
    for (kind, head) in path {
      var place = start
      while place < end, !bytes[place + 4..<place + 8].elementsEqual(kind.utf8) {
        place += max(size(place), 8)
      }
      try #require(place < end)
      places.append(place)
      (start, end) = (place + head, place + size(place))
    }
    bytes.insert(contentsOf: more, at: end)
    for place in places {
      let grown = big(Int32(size(place) + more.count))
      bytes.replaceSubrange(place..<place + 4, with: grown)
    }
    try Data(bytes).write(to: file)
  }

  /// The photo and the movie both show what players show: exiftool reads the clean aperture, and ffmpeg crops the
  /// source's frame to it.
  @Test(arguments: [[String](), ["--trim", "0..1.2"]])
  func aCleanApertureStays(_ arguments: [String]) throws {
    let (folder, out) = try scene("clip.mp4", ["-vf", "setsar=0"] + Self.h264 + ["-an"])
    let movie = folder.file("clip.mp4")
    // A 120x100 aperture in a 160x120 frame, centred six pixels left of the frame's centre and two pixels below it.
    try describe(movie, by: "clap", [120, 1, 100, 1, -12, 2, 4, 2])
    let answer = try Tools.run(
      [Command.path, "create", "--movie", "clip.mp4", "--still-at", "0.5", "-o", "out"] + arguments,
      in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    #expect((answer.text + answer.standardError).contains("re-encoded") == !arguments.isEmpty)
    let (old, new) = (try tags(of: movie), try tags(of: out.appendingPathComponent("clip.MOV")))
    for side in ["Width", "Height", "OffsetX", "OffsetY"] {
      let name = "Track1:CleanAperture\(side)"
      #expect(new[name] != nil && new[name] == old[name], "\(name)")
    }
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-i", "clip.mp4", "-vf", "select=eq(n\\,15),crop=120:100:14:12", "-frames:v", "1",
        "shown.png",
      ])
    let photo = out.appendingPathComponent("clip.JPG")
    #expect(try Tools.ffprobe(photo, "-show_entries", "stream=width,height") == ["120,100"])
    #expect(try likeness(photo, folder.file("shown.png")) > 26)
    let verified = try Command.run("verify", "out/clip.JPG", in: folder.url)
    #expect(verified.status == 0 && !verified.text.contains("warning"), "\(verified.text)")
  }

  /// The pixels are a third wider than high, but the coded frames do not say so: 160x120 such pixels look like 160x90
  /// square pixels.
  @Test func theShapeOfPixelsStays() throws {
    let (folder, out) = try scene("clip.mp4", ["-vf", "setsar=0"] + Self.h264 + ["-an"])
    try describe(folder.file("clip.mp4"), by: "pasp", [4, 3])
    let answer = try Command.run("create", "--movie", "clip.mp4", "-o", "out", in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    let made = out.appendingPathComponent("clip.MOV")
    #expect(try Tools.ffprobe(made, "-show_entries", "stream=sample_aspect_ratio").contains("4:3"))
    #expect(
      try Tools.ffprobe(out.appendingPathComponent("clip.JPG"), "-show_entries", "stream=width,height")
        == ["160,90"])
  }

  /// A clean aperture outside the frame is not carried over, because no player shows it.
  @Test func anImpossibleApertureIsNotCarriedOver() throws {
    let (folder, out) = try scene("clip.mp4", Self.h264 + ["-an"])
    try describe(folder.file("clip.mp4"), by: "clap", [400, 1, 100, 0, -12, 2, 4, 2])
    let answer = try Command.run("create", "--movie", "clip.mp4", "-o", "out", in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    #expect(try tags(of: out.appendingPathComponent("clip.MOV"))["Track1:CleanApertureWidth"] == nil)
  }
}
