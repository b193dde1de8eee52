import Foundation
import TestSupport
import Testing

extension CommandCreateTests {
  /// A quick run uses several containers, with and without audio, with frames that are copied and frames that are
  /// re-encoded.
  @Test(arguments: Cases.chosen(sources) { index, _ in index % 4 == 1 })
  func everyKindOfMovieBecomesALivePhoto(source: Source) throws {
    let (folder, out) = try scene(source.name, source.options)
    let movie = folder.file(source.name)
    let times = try frameTimes(of: movie)
    let chosen = times[times.count * 2 / 3]
    // Uses the frame as a player displays it, but larger and with a different exposure.
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-i", source.name, "-vf",
        "select=eq(n\\,\(times.count * 2 / 3)),eq=brightness=0.06,scale=2*iw:2*ih",
        "-frames:v", "1", "-q:v", "2", "cover.jpg",
      ])
    let answer = try Command.run(
      "create", "--photo", "cover.jpg", "--movie", source.name, "-o", "out", in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    let (photo, made) = (out.appendingPathComponent("cover.jpg"), out.appendingPathComponent("cover.mov"))
    let verified = try Command.run("verify", "out/cover.jpg", in: folder.url)
    #expect(verified.status == 0 && !verified.text.contains("warning"), "\(verified.text)")
    // `verify` has already checked this. A quick run asks the checker only about re-encoded movies.
    if Cases.areAllRun || !source.isCopied,
      let verdict = try Checker.ask("-", "-", photo.path, made.path, "--pair-only")
    {
      #expect(verdict.status == 0, "\(verdict.text)")
    }
    let (first, second) = (try tags(of: photo), try tags(of: made))
    let identifier = try #require(second["Keys:ContentIdentifier"])
    #expect(first["Apple:ContentIdentifier"] ?? first["Apple:MediaGroupUUID"] == identifier)
    #expect(second["QuickTime:MajorBrand"]?.hasPrefix("qt") ?? false)

    let still = try #require(try stillTime(of: made))
    #expect(abs(still - (chosen - (times.first ?? 0)) - (try frameTimes(of: made)).first!) < 1.1 / 30)
    let newTimes = try frameTimes(of: made)
    #expect(newTimes.count == times.count)
    for (old, new) in zip(times, newTimes) {
      #expect(abs((old - times[0]) - (new - newTimes[0])) < 0.002)
    }
    let found = try streams(of: made)
    #expect(["h264", "hevc"].contains(found["streams.stream.0.codec_name"] ?? ""))
    #expect(found.values.contains("audio") == source.hasSound)
    if source.isCopied {
      func frames(_ file: URL) throws -> [String] {
        try Tools.output(
          "ffmpeg", "-v", "error", "-noautorotate", "-i", file.path, "-map", "0:v:0", "-f", "framehash", "-"
        )
        .lines.filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last.map { String($0) } }
      }
      #expect(try frames(made) == frames(movie))
    }
  }

  /// The JPEG carries over the dates, locations and texts of a picture in another format, according to exiftool.
  @Test(arguments: ["cover.png", "cover.webp", "cover.tiff"])
  func factsOfOtherKindsAreCarried(name: String) throws {
    let (folder, out) = try scene("clip.mp4", Self.h264 + ["-an"])
    try folder.run("ffmpeg", ["-v", "error", "-ss", "0.5", "-i", "clip.mp4", "-frames:v", "1", name])
    try folder.run(
      "exiftool",
      [
        "-q", "-overwrite_original", "-n", "-IFD0:Orientation=3", "-IFD0:Artist=Ada",
        "-IFD0:Copyright=© 2020 Ada",
        "-IFD0:ImageDescription=At the lake", "-IFD0:Make=Phonemaker", "-IFD0:Model=FX-900",
        "-ExifIFD:DateTimeOriginal=2020:02:03 04:05:06", "-ExifIFD:OffsetTimeOriginal=+01:00",
        "-ExifIFD:ExposureTime=0.004", "-ExifIFD:UserComment=Grüße", "-ExifIFD:ExifImageWidth=999",
        "-GPS:GPSLatitude=33.5", "-GPS:GPSLatitudeRef=S", "-GPS:GPSLongitude=70.25", "-GPS:GPSLongitudeRef=W",
        "-XMP-dc:Subject=lake", "-XMP-dc:Subject=summer", "-XMP-dc:Description=At the lake",
        "-XMP-dc:Creator=Ada", "-XMP-tiff:Orientation=6",
      ] + (name.hasSuffix("tiff") ? ["-IPTC:Keywords=lake", "-IPTC:Keywords=summer"] : []) + [name])
    let answer = try Command.run(
      "create", "--photo", name, "--movie", "clip.mp4", "--still-at", "0.5", "-o", "out", in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    let (old, new) = (
      try tags(of: folder.file(name)), try tags(of: out.appendingPathComponent("cover.JPG"))
    )
    // Tags that describe how samples are stored or that do not apply to the JPEG.
    let words = [
      "Orientation", "Artist", "Copyright", "ImageDescription", "Make", "Model", "XResolution", "YResolution",
      "ResolutionUnit",
    ].map { "IFD0:" + $0 }
    let untrue = ["ExifIFD:ExifImageWidth", "XMP-tiff:Orientation"]
    for (tag, value) in old where !untrue.contains(tag) {
      let group = tag.prefix { $0 != ":" }
      guard ["ExifIFD", "GPS", "IPTC"].contains(group) || group.hasPrefix("XMP-") || words.contains(tag)
      else {
        continue
      }
      #expect(new[tag] == value, "\(tag)")
    }
    #expect(old["GPS:GPSLatitude"] != nil && old["XMP-dc:Subject"] != nil && old["IFD0:Artist"] == "Ada")
    #expect(new["IFD0:Orientation"] == "3" && new["XMP-tiff:Orientation"] == "3")
    #expect(new["ExifIFD:ExifImageWidth"] == new["File:ImageWidth"])
    #expect(!new.keys.contains { $0.contains("StripOffsets") } && new["ExifTool:Warning"] == nil)
    #expect(try Command.run("verify", "out/cover.JPG", in: folder.url).status == 0)
  }

  /// XMP that does not fit into a segment is left out, and the output says so.
  @Test func xmpThatIsTooLargeIsNamed() throws {
    let (folder, out) = try scene("clip.mp4", Self.h264 + ["-an"])
    try folder.run("ffmpeg", ["-v", "error", "-i", "clip.mp4", "-frames:v", "1", "cover.png"])
    let text = (0..<9000).map { "word\($0)" }.joined(separator: " ")
    try folder.write(Array(text.utf8), to: "words.txt")
    try folder.run(
      "exiftool", ["-q", "-overwrite_original", "-XMP-dc:Description<=words.txt", "cover.png"])
    let answer = try Command.run(
      "create", "--photo", "cover.png", "--movie", "clip.mp4", "--still-at", "0.5", "-o", "out",
      in: folder.url)
    #expect(answer.status == 0 && answer.text.contains("XMP is too large"), "\(answer.text)")
    let photo = out.appendingPathComponent("cover.JPG")
    #expect(try !tags(of: photo).keys.contains { $0.hasPrefix("XMP-dc") })
  }

  /// The frame that becomes the photo is also the frame that is marked, even if the movie starts with an empty edit.
  @Test(arguments: ["late.mov", "late.mp4"]) func lateMoviesAreMarkedWhereTheirFrameIs(name: String) throws {
    let (folder, out) = try scene("clip.mov", Self.h264 + ["-c:a", "aac"])
    try folder.run("ffmpeg", ["-v", "error", "-itsoffset", "0.5", "-i", "clip.mov", "-c", "copy", name])
    let answer = try Command.run("create", "--movie", name, "--still-at", "1.41", "-o", "out", in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    // Frame 27 begins 0.9 s after the first frame.
    let still = try #require(try stillTime(of: out.appendingPathComponent("late.MOV")))
    #expect(abs(still - 1.4) < 0.005)
    #expect(try likenessToFrame27(out.appendingPathComponent("late.JPG"), in: folder) > 26)
  }

  @Test func aHEICTakesDateAndPlaceFromTheMovieInItsExifItemAlone() throws {
    let (folder, out) = try scene("clip.mp4", Self.h264 + ["-an"])
    let photo = try folder.copy(TestFiles.fixture("IMG_0004.HEIC"))[0]
    try folder.run("exiftool", ["-q", "-overwrite_original", "-ExifIFD:AllDates=", "-GPS:All=", photo.path])
    try folder.run("exiftool", ["-q", "-overwrite_original", "-OffsetTime*=", "-SubSecTime*=", photo.path])
    try folder.run(
      "exiftool",
      [
        "-q", "-overwrite_original", "-Keys:GPSCoordinates=-48.137, 11.575, 500",
        "-Keys:CreationDate=2021:03:04 10:11:12-08:00", "clip.mp4",
      ])
    #expect(try tags(of: photo)["ExifIFD:DateTimeOriginal"] == nil)
    let answer = try Command.run(
      "create", "--photo", "IMG_0004.HEIC", "--movie", "clip.mp4", "--still-at", "0.5", "-o", "out",
      in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    let made = out.appendingPathComponent("IMG_0004.HEIC")
    let (old, new) = (try tags(of: photo), try tags(of: made))
    #expect(new["ExifIFD:DateTimeOriginal"] == "2021:03:04 10:11:12")
    #expect(new["ExifIFD:OffsetTimeOriginal"] == "-08:00")
    #expect(abs((new["GPS:GPSLatitude"].flatMap { Double($0) } ?? 0) - 48.137) < 0.0001)
    #expect(new["GPS:GPSLatitudeRef"] == "S" && new["GPS:GPSLongitudeRef"] == "E")
    for (name, value) in old where ["IFD0", "ExifIFD", "XMP-dc", "Meta"].contains(name.prefix { $0 != ":" }) {
      #expect(new[name] == value, "\(name)")
    }
    // Every other item is byte-identical, and so are its properties and references.
    let (before, after) = (try WalkedHEIF.read(photo), try WalkedHEIF.read(made))
    #expect(before.items.count == after.items.count && before.references == after.references)
    for (id, item) in before.items {
      #expect(after.items[id]?.properties == item.properties)
      if item.type != "Exif" { #expect(after.items[id]?.sha == item.sha, "\(id) \(item.type)") }
    }
    #expect(try Command.run("verify", "out/IMG_0004.HEIC", in: folder.url).status == 0)
  }

  /// The photo shows the frame's colours as a colour-managed sRGB display would.
  @Test(
    .enabled(if: Tools.hasPillowHEIF),
    arguments: [
      // sRGB colours keep their code values.
      (["-pix_fmt", "yuv420p"], "setparams=colorspace=bt709", 0xB4_5A3C, 0xB4_5A3C),
      // (0.7059, 0.3529, 0.2353) in Display P3, converted to sRGB with the matrices of both colour spaces.
      (
        ["-pix_fmt", "yuv420p"], "setparams=colorspace=bt709:color_primaries=smpte432:color_trc=bt709",
        0xB4_5A3C, 0xC1_5333
      ),
      // HLG: in linear light, code 0.5 is a third of code 0.75. sRGB encodes 0.3145 as 0.598.
      (
        ["-pix_fmt", "yuv420p10le"],
        "setparams=colorspace=bt2020nc:color_primaries=bt2020:color_trc=arib-std-b67",
        0x80_8080, 0x99_9999
      ),
    ])
  func theFrameHasItsColours(_ options: [String], _ tags: String, _ coded: Int, _ shown: Int) throws {
    let folder = try TemporaryFolder()
    let matrix = tags.contains("bt2020") ? "bt2020" : "bt709"
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i",
        "color=0x\(String(coded, radix: 16)):size=320x240:rate=10:duration=1,format=rgb24", "-vf",
        "scale=out_color_matrix=\(matrix):out_range=tv,format=\(options[1]),\(tags)", "-c:v", "libx265",
        "-x265-params", "log-level=none", "-qp", "4", "-tag:v", "hvc1", "clip.mov",
      ])
    try FileManager.default.createDirectory(at: folder.file("out"), withIntermediateDirectories: false)
    let answer = try Command.run("create", "--movie", "clip.mov", "-o", "out", in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    let program = """
      import io, sys
      from PIL import Image, ImageCms
      picture = Image.open(sys.argv[1])
      profile = picture.info.get("icc_profile")
      if profile:
          picture = ImageCms.profileToProfile(
              picture, ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB"), renderingIntent=1)
      print(*picture.getpixel((160, 120)))
      """
    let values = try Tools.output(
      "python3", "-c", program, folder.file("out").appendingPathComponent("clip.JPG").path
    ).text.split(separator: " ").compactMap { Int($0.trimmingCharacters(in: .newlines)) }
    let wanted = [shown >> 16, shown >> 8 & 255, shown & 255]
    #expect(zip(values, wanted).allSatisfy { abs($0 - $1) <= 3 } && values.count == 3, "\(values) \(wanted)")
  }

  @Test func nonsenseIsRefusedInOneSentenceAndNothingIsWritten() throws {
    let (folder, out) = try scene("clip.mp4", Self.h264 + ["-c:a", "aac"])
    try folder.run("ffmpeg", ["-v", "error", "-i", "clip.mp4", "-frames:v", "1", "cover.jpg"])
    try folder.run("ffmpeg", ["-v", "error", "-i", "clip.mp4", "-vn", "-c:a", "copy", "sound.m4a"])
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-i", "clip.mp4", "-c", "copy", "-encryption_scheme", "cenc-aes-ctr",
        "-encryption_key",
        "76a6c65c5ea762046bd749a2e632ccbb", "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8",
        "secret.mp4",
      ])
    try folder.run(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "color=size=16000x12000", "-frames:v", "1", "huge.png"])
    try folder.write(Array("%PDF-1.4 no photo".utf8), to: "text.pdf")
    let most: [(arguments: [String], status: Int32, word: String)] = [
      (["--photo", "cover.jpg", "--movie", "cover.jpg"], 1, "is a photo"),
      (["--photo", "clip.mp4", "--movie", "clip.mp4"], 1, "is not a photo"),
      (["--photo", "text.pdf", "--movie", "clip.mp4"], 1, "is not a photo"),
      (["--photo", "cover.jpg", "--movie", "text.pdf"], 1, "movie"),
      (["--photo", "cover.jpg", "--movie", "sound.m4a"], 1, "no video"),
      (["--photo", "cover.jpg", "--movie", "secret.mp4"], 1, "encrypted"),
      (["--photo", "huge.png", "--movie", "clip.mp4"], 1, "exceeds the size limit"),
      (
        ["--photo", "cover.jpg", "--movie", "clip.mp4", "--still-at", "9"], 1,
        "is too short to contain the range"
      ),
      (["--movie", "clip.mp4", "--trim", "7..9"], 1, "part"),
      (["--from", "cover.jpg"], 1, "contains no movie"),
      (["--photo", "cover.jpg"], 64, "needs --photo and --movie"),
      (["--movie", "clip.mp4", "--trim", "2..1"], 64, "--trim"),
    ]
    for (arguments, status, word) in most {
      let answer = try Tools.run([Command.path, "create", "-o", "out"] + arguments, in: folder.url)
      #expect(answer.status == status, "\(arguments) \(answer.standardError)")
      #expect(answer.standardError.contains(word), "\(arguments) \(answer.standardError)")
      if status == 1 { #expect(answer.sentences.count == 1) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: out.path).isEmpty, "\(arguments)")
    }
  }
}
