import Basics
import EditModel
import FileSystem
import Foundation
import LivePhotoFormat
import TestSupport
import Testing

@testable import RenderEngine

/// Tests of edits of Motion Photos in every dialect. exiftool finds the movie where the result's metadata states, and
/// ffmpeg decodes it to the edited frames.
@Suite struct MotionPhotoRenderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The metadata formats that declare a movie in a file.
  static let dialects = [
    "motion", "micro", "both", "samsung", "trailer", "ultra", "apple", "heic", "samsung-heic",
  ]

  func movie() throws -> URL {
    let file = folder.file("movie.mp4")
    let made = try Tools.run(
      [
        "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=12:duration=1", "-f",
        "lavfi", "-i", "sine=duration=1", "-c:v", "libx264", "-crf", "12", "-pix_fmt", "yuv420p", "-g", "4",
        "-c:a", "aac", file.path,
      ])
    try #require(made.status == 0, "\(made.standardError)")
    return file
  }

  /// Returns Samsung's blocks around a movie (ExifTool, Samsung.pm): a time before the movie, and a mode after it.
  func samsung(_ movieSize: Int) -> (head: [UInt8], tail: [UInt8]) {
    func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    func block(_ kind: [UInt8], _ name: String, _ content: String) -> [UInt8] {
      kind + little(name.utf8.count) + Array(name.utf8) + Array(content.utf8)
    }
    let time = block([0, 0, 1, 0x0A], "Image_UTC_Data", "1705124333853")
    let start = block([0, 0, 0x30, 0x0A], "MotionPhoto_Data", "")
    let mode = block([0, 0, 0x61, 0x0C], "Camera_Capture_Mode_Info", "1")
    let movie = start.count + movieSize
    var directory = Array("SEFH".utf8) + little(107) + little(3)
    directory += [0, 0, 1, 0x0A] + little(time.count + movie + mode.count) + little(time.count)
    directory += [0, 0, 0x30, 0x0A] + little(movie + mode.count) + little(movie)
    directory += [0, 0, 0x61, 0x0C] + little(mode.count) + little(mode.count)
    return (time + start, mode + directory + little(directory.count) + Array("SEFT".utf8))
  }

  /// Creates a Motion Photo from a fixture.
  func make(_ dialect: String) throws -> (file: URL, movie: URL) {
    let movie = try movie()
    let bytes = [UInt8](try Data(contentsOf: movie))
    let isHEIC = dialect.hasSuffix("heic")
    let fixture =
      isHEIC
      ? "IMG_0004.HEIC"
      : dialect == "ultra" ? "ultrahdr.JPG" : dialect == "apple" ? "gainmap.JPG" : "IMG_0001.JPG"
    let file = folder.file("motion." + (isHEIC ? "heic" : "jpg"))
    if isHEIC || dialect == "ultra" || dialect == "apple" {
      // Positions inside the blocks make them hard to build by hand, so liveedit's writer builds them. exiftool checks
      // the result below.
      var ours = MotionPhoto.Dialect(trailer: dialect == "samsung-heic" ? SamsungTrailer() : nil)
      ours.hasMicroVideo = false
      let sink = try FileByteSink(path: file.path)
      _ = try MotionPhoto.write(
        photo: Photo(FileByteSource(path: TestFiles.fixture(fixture).path)), movie: MemoryByteSource(bytes),
        stillTime: 0.5, as: ours, to: sink)
      try sink.flush()
      return (file, movie)
    }
    try FileManager.default.copyItem(at: TestFiles.fixture(fixture), to: file)
    let (head, tail) = dialect == "samsung" || dialect == "trailer" ? samsung(bytes.count) : ([], [])
    let length = bytes.count + tail.count
    var attributes = ""
    if dialect != "micro" {
      attributes +=
        " GCamera:MotionPhoto='1' GCamera:MotionPhotoVersion='1' GCamera:MotionPhotoPresentationTimestampUs='500000'"
    }
    if dialect == "micro" || dialect == "both" {
      attributes +=
        " GCamera:MicroVideo='1' GCamera:MicroVideoVersion='1' GCamera:MicroVideoOffset='\(length)'"
      attributes += " GCamera:MicroVideoPresentationTimestampUs='500000'"
    }
    let item = { (mime: String, kind: String, size: Int) in
      "<rdf:li rdf:parseType='Resource'><Container:Item Item:Mime='\(mime)' Item:Semantic='\(kind)' Item:Length='\(size)' Item:Padding='0'/></rdf:li>"
    }
    let directory =
      dialect == "micro"
      ? ""
      : "<Container:Directory><rdf:Seq>\(item("image/jpeg", "Primary", 0))\(item("video/mp4", "MotionPhoto", length))</rdf:Seq></Container:Directory>"
    let packet = """
      <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
      <rdf:Description rdf:about='' xmlns:GCamera='http://ns.google.com/photos/1.0/camera/' \
      xmlns:Container='http://ns.google.com/photos/1.0/container/' xmlns:dc='http://purl.org/dc/elements/1.1/' \
      xmlns:Item='http://ns.google.com/photos/1.0/container/item/'\(attributes) dc:format='image/jpeg'>\(directory)</rdf:Description></rdf:RDF></x:xmpmeta>
      """
    if dialect != "trailer" {
      let xmp = try folder.write(Array(packet.utf8), to: "packet.xmp")
      _ = try Tools.output("exiftool", "-q", "-overwrite_original", "-xmp<=" + xmp.path, file.path)
    }
    var whole = [UInt8](try Data(contentsOf: file))
    whole += head + bytes + tail
    try Data(whole).write(to: file)
    return (file, movie)
  }

  func render(
    _ source: URL, _ edit: Edit, _ change: (inout RenderSettings) -> Void = { _ in }
  ) throws -> (file: URL, result: RenderResult) {
    let output = folder.file("out-\(UUID().uuidString)." + source.pathExtension)
    var settings = RenderSettings.standard
    change(&settings)
    let job = RenderJob(
      photo: .init(source: source.path, output: output.path), movie: nil, edit: edit, settings: settings,
      identifier: nil)
    let rehearsed = try rehearse(job, isCancelled: { false })
    let before = try folder.names()
    let result = try RenderEngine.render(job, progress: { _ in }, isCancelled: { false })
    // One new file, and nothing else.
    #expect(try folder.names().count == before.count + 1)
    #expect(rehearsed.removals.map(\.name) == result.removals.map(\.name))
    return (output, result)
  }

  /// Returns the movie inside a file, at the position that the file's metadata states.
  func embedded(_ file: URL, _ dialect: String) throws -> URL {
    let bytes = [UInt8](try Data(contentsOf: file))
    let movie = folder.file("embedded-\(UUID().uuidString).mp4")
    if dialect.hasSuffix("heic") || dialect == "trailer" {
      let tag = dialect == "trailer" ? "-EmbeddedVideoFile" : "-MotionPhotoVideo"
      let found = try Tools.run(["exiftool", "-b", tag, file.path])
      try found.standardOutput.write(to: movie)
      return movie
    }
    let pattern =
      dialect == "micro" ? #"MicroVideoOffset=.(\d+)"# : #"Semantic=.MotionPhoto.\s+Item:Length=.(\d+)"#
    let text = String(decoding: bytes, as: Unicode.ASCII.self)
    let found = try #require(text.range(of: pattern, options: .regularExpression))
    let length = try #require(text[found].split(whereSeparator: { !$0.isNumber }).last.flatMap { Int($0) })
    try #require(length > 100 && length < bytes.count)
    try Data(bytes.suffix(length)).write(to: movie)
    return movie
  }

  /// Returns the similarity of two movies in dB of luma, with the second one rotated by 90°.
  private func likeness(_ movie: URL, turned original: URL) throws -> Double {
    let answer = try Tools.run([
      "ffmpeg", "-v", "error", "-i", movie.path, "-i", original.path, "-lavfi",
      "[0:v]format=yuv444p,setpts=N[a];[1:v]transpose=clock,format=yuv444p,setpts=N[b];[a][b]psnr=stats_file=-",
      "-f", "null", "-",
    ])
    try #require(answer.status == 0, "\(answer.standardError)")
    let all = answer.text.split(whereSeparator: \.isWhitespace).compactMap {
      $0.hasPrefix("psnr_y:") ? Double($0.dropFirst(7)) ?? 100 : nil
    }
    return all.min() ?? 0
  }

  @Test(arguments: dialects) func isTurnedInPlace(_ dialect: String) throws {
    let (source, movie) = try make(dialect)
    let original = try Data(contentsOf: source)
    let before = try Tools.exiftool(source)
    let (file, result) = try render(source, Edit(orientation: .right))
    #expect(try Data(contentsOf: source) == original)
    #expect(result.movie == .encoded && result.photo != nil)
    let after = try Tools.exiftool(file)
    for name in [
      "MotionPhoto", "MotionPhotoVersion", "MotionPhotoPresentationTimestampUs", "MicroVideo",
      "MicroVideoPresentationTimestampUs",
    ] { #expect(after["XMP-GCamera:" + name] == before["XMP-GCamera:" + name], "\(name)") }
    #expect(after["XMP-dc:Format"] == before["XMP-dc:Format"])
    for name in ["EmbeddedVideoType", "TimeStamp", "Camera_Capture_Mode_Info"] {
      #expect(after["Samsung:" + name] == before["Samsung:" + name], "\(name)")
    }
    let frames = try embedded(file, dialect)
    #expect(try likeness(frames, turned: movie) > 30)
    let facts = try Tools.ffprobe(
      frames, "-count_frames", "-show_entries", "stream=codec_type,nb_read_frames")
    #expect(facts.contains("video,12"), "\(facts)")
    // Returns the audio and its times, which must be unchanged.
    func sound(_ movie: URL) throws -> String {
      try Tools.run([
        "ffmpeg", "-v", "error", "-i", movie.path, "-map", "0:a", "-c", "copy", "-f", "framehash", "-",
      ]).text
    }
    #expect(try sound(frames) == sound(movie))
    // The result can be edited again, with the same metadata.
    let (again, _) = try render(file, Edit(orientation: .left))
    #expect(try Tools.exiftool(again)["XMP-GCamera:MotionPhoto"] == before["XMP-GCamera:MotionPhoto"])
  }

  @Test(arguments: ["ultra", "apple"]) func theGainMapIsTurnedAlong(_ dialect: String) throws {
    let (source, _) = try make(dialect)
    let (file, result) = try render(source, Edit(orientation: .right))
    #expect(result.removals.isEmpty, "\(result.removals)")
    // The map equals that of the same photo without a movie.
    let plain = try render(
      TestFiles.fixture(dialect == "ultra" ? "ultrahdr.JPG" : "gainmap.JPG"), Edit(orientation: .right))
    func map(_ file: URL) throws -> Data {
      try Tools.run(["exiftool", "-b", "-MPImage2", file.path]).standardOutput
    }
    let turned = try map(file)
    let wanted = try map(plain.file)
    #expect(turned.count > 500 && turned == wanted)
    let old = try map(source)
    #expect(turned != old)
    let semantics = try Tools.exiftool(file)["XMP-Container:DirectoryItemSemantic"]
    #expect(semantics == (try Tools.exiftool(source)["XMP-Container:DirectoryItemSemantic"]))
  }

  @Test(arguments: ["both", "samsung", "samsung-heic"]) func timeChangesWhatIsSaid(_ dialect: String) throws {
    let (source, _) = try make(dialect)
    var edit = Edit.identity
    edit.motion = try Motion(trim: Trim(from: 0.25, to: 0.75))
    let (file, _) = try render(source, edit)
    let tags = try Tools.exiftool(file)
    let time = try #require(tags["XMP-GCamera:MotionPhotoPresentationTimestampUs"].flatMap { Int($0) })
    #expect(abs(time - 250_000) < 2000)
    let facts = try Tools.ffprobe(
      embedded(file, dialect), "-select_streams", "v", "-count_frames", "-show_entries",
      "stream=nb_read_frames")
    #expect(facts == ["6"])
    var still = Edit.identity
    still.motion = try Motion(keyPhoto: 0.75)
    let (other, result) = try render(source, still)
    #expect(result.notes.contains { $0.contains("0.75 s") })
    let said = try Tools.exiftool(other)["XMP-GCamera:MotionPhotoPresentationTimestampUs"].flatMap { Int($0) }
    #expect(abs((said ?? 0) - 750_000) < 2000)
  }

  @Test(arguments: ["both", "trailer", "samsung-heic"]) func withoutItsMovieItIsAPhoto(_ dialect: String)
    throws
  {
    let (source, _) = try make(dialect)
    var edit = Edit.identity
    edit.motion.isLiveOff = true
    let (file, result) = try render(source, edit)
    #expect(result.movie == nil)
    let bytes = try Data(contentsOf: file)
    #expect(bytes.range(of: Data("ftypisom".utf8)) == nil && bytes.range(of: Data("MotionPhoto".utf8)) == nil)
  }

  /// Returns the coded frames and audio of a movie.
  func frames(_ movie: URL) throws -> String {
    let answer = try Tools.run([
      "ffmpeg", "-v", "error", "-i", movie.path, "-map", "0:v", "-map", "0:a", "-c", "copy", "-f",
      "streamhash", "-",
    ])
    try #require(answer.status == 0 && answer.text.contains("SHA256"), "\(answer.standardError)")
    return answer.text
  }

  private func verification(of file: URL) throws -> LivePhotoVerification {
    let photo = try PhotoEvidence(
      reading: FileByteSource(path: file.path), fileExtension: file.pathExtension)
    let track = photo.embedded?.videoTrack ?? 0
    let pictures = try checkPictures(
      PictureCheckJob(photo: file.path, movie: track > 0 ? file.path : nil, videoTrack: track),
      isCancelled: { false })
    return LivePhotoVerification(photo: photo, pictures: pictures)
  }

  @Test(arguments: dialects) func itIsValid(_ dialect: String) throws {
    let (source, _) = try make(dialect)
    for file in [source, try render(source, Edit(orientation: .right)).file] {
      let verification = try verification(of: file)
      // The movie is stored sideways, but the photo is not, which causes a note.
      let rules = verification.findings.map(\.rule).filter { $0 != .displayedShape }
      #expect(verification.isMotionPhoto && rules == [], "\(verification.findings)")
    }
  }

  @Test(arguments: ["motion", "micro"]) func aWrongPlaceOfTheMovieIsFound(_ dialect: String) throws {
    let (source, _) = try make(dialect)
    let bytes = try Data(contentsOf: source)
    // Another program appended data.
    try (bytes + Data(count: 10)).write(to: source)
    let verification = try verification(of: source)
    #expect(verification.verdict == .invalid)
    #expect(verification.findings.first?.rule == .embeddedMoviePlace, "\(verification.findings)")
    // The movie was lost.
    let start = try #require(bytes.range(of: Data("ftyp".utf8))).lowerBound - 4
    try bytes.prefix(start).write(to: source)
    let lost = try self.verification(of: source)
    #expect(
      lost.verdict == .invalid && lost.findings.contains { $0.rule == .embeddedMovie }, "\(lost.findings)")
  }

  /// Samsung's HEIC photos of 2020 to 2022 state the number of bytes from the block that describes the movie: 32, plus
  /// 12 for each block.
  @Test(arguments: [(44, true), (45, false), (32, false)])
  func samsungsOwnLengthIsNoFault(_ length: Int, _ isSound: Bool) throws {
    let (source, _) = try make("samsung-heic")
    var bytes = try Data(contentsOf: source)
    let name = try #require(bytes.range(of: Data("Item:Length=\"".utf8), options: .backwards))
    let end = try #require(bytes[name.upperBound...].firstIndex(of: UInt8(ascii: "\"")))
    let digits = name.upperBound..<end
    let text = String(length)
    bytes.replaceSubrange(
      digits, with: Data((String(repeating: "0", count: digits.count - text.count) + text).utf8))
    try bytes.write(to: source)
    let rules = try verification(of: source).findings.map(\.rule).filter { $0 != .displayedShape }
    #expect(rules == (isSound ? [] : [.embeddedMoviePlace]))
  }

  @Test func aBrokenMovieIsFound() throws {
    let (source, _) = try make("both")
    var bytes = try Data(contentsOf: source)
    let media = try #require(bytes.range(of: Data("mdat".utf8), options: .backwards))
    bytes.replaceSubrange(
      media.upperBound + 400..<media.upperBound + 2400, with: Data(repeating: 0x55, count: 2000))
    try bytes.write(to: source)
    let verification = try verification(of: source)
    #expect(verification.findings.map(\.rule).contains(.movieDecodes), "\(verification.findings)")
  }

  /// Samsung's photos without a movie end with the same kind of block, and its time is changed too.
  @Test func aTrailerWithoutAMovieIsNoMotionPhoto() throws {
    let file = folder.file("plain.jpg")
    func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    let name = Array("Image_UTC_Data".utf8)
    let block = [0, 0, 1, 0x0A] + little(name.count) + name + Array("1705124333853".utf8)
    var list = Array("SEFH".utf8) + little(107) + little(1)
    list += [0, 0, 1, 0x0A] + little(block.count) + little(block.count)
    let tail = block + list + little(list.count) + Array("SEFT".utf8)
    try (Data(contentsOf: TestFiles.fixture("IMG_0001.JPG")) + Data(tail)).write(to: file)
    #expect(try Tools.exiftool(file)["Samsung:TimeStamp"] == "2024:01:13 05:38:53.853+00:00")
    #expect(try !Photo(FileByteSource(path: file.path)).isMotionPhoto())
    var edit = Edit.identity
    edit.facts.date = DateChange(.set(wallClock: 1_714_557_605_250), offset: 120)
    let (changed, result) = try render(file, edit)
    #expect(result.photo == .copied && result.movie == nil)
    #expect(try Tools.exiftool(changed)["Samsung:TimeStamp"] == "2024:05:01 08:00:05.250+00:00")
  }

  /// Google's second track of a single frame is removed and reported. Equal tracks are refused.
  @Test func aTrackOfASingleFrameIsNamed() throws {
    let movie = folder.file("two.mp4")
    let made = try Tools.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=12:duration=1", "-f", "lavfi",
      "-i", "testsrc=size=256x192:rate=1:duration=1", "-map", "0", "-map", "1", "-c:v", "libx264", "-pix_fmt",
      "yuv420p", movie.path,
    ])
    try #require(made.status == 0, "\(made.standardError)")
    let output = folder.file("out.mp4")
    let result = try OddMovie.turn(movie, to: output, lossless: false)
    #expect(result.removals.map(\.name) == ["video track 2"] && result.notes.isEmpty)
    #expect(try Tools.ffprobe(output, "-show_entries", "stream=width,height") == ["96,128"])
  }
}
