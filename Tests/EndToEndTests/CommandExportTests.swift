import Foundation
import TestSupport
import Testing

/// Tests of `liveedit export`; exiftool, ffprobe and ffmpeg inspect the results.
@Suite struct CommandExportTests {
  func export(_ folder: TemporaryFolder, _ arguments: String...) throws -> ToolOutput {
    let answer = try Tools.run([Command.path, "export", "-o", "out"] + arguments, in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    return answer
  }

  /// Returns a hash of every decoded frame, in display order.
  func frames(of movie: URL) throws -> [String] {
    try Tools.output(
      "ffmpeg", "-v", "error", "-noautorotate", "-i", movie.path, "-map", "0:v:0", "-f", "framehash", "-"
    )
    .lines.filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last.map { String($0) } }
  }

  func identifier(of file: URL) throws -> String? {
    let tags = try tags(of: file)
    return tags["Apple:ContentIdentifier"] ?? tags["Apple:MediaGroupUUID"] ?? tags["Keys:ContentIdentifier"]
  }

  @Test func theCurrentVersionAndTheOriginalAreExportedAsTheyAre() throws {
    let (folder, out) = try prepared("IMG_0003.JPG", "IMG_0003.MOV")
    #expect(try Command.run("rotate", "--degrees", "90", "IMG_0003.JPG", in: folder.url).status == 0)
    _ = try export(folder, "--as", "pair", "IMG_0003.MOV")
    _ = try export(folder, "--as", "pair", "--version", "original", "IMG_0003.JPG", "IMG_0003.MOV")
    for name in ["IMG_E0003.JPG", "IMG_E0003.MOV", "IMG_0003.JPG", "IMG_0003.MOV"] {
      #expect(try Data(contentsOf: out.appendingPathComponent(name)) == Data(contentsOf: folder.file(name)))
    }
    let missing = try Command.run(
      "export", "--as", "pair", "-o", "out", "--version", "7", "IMG_0003.JPG", in: folder.url)
    #expect(missing.status == 1 && missing.standardError.contains("has no version 7"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: out.path).count == 4)
  }

  @Test(arguments: ["IMG_0001.JPG", "IMG_0004.HEIC"])
  func theStillIsTiedToNothingAndOtherwiseTheSame(name: String) throws {
    let (folder, out) = try prepared(name, String(name.prefix(8)) + ".MOV")
    let answer = try export(folder, "--as", "still", name)
    #expect(answer.text.contains("The movie \(name.prefix(8)).MOV was not included."))
    #expect(try FileManager.default.contentsOfDirectory(atPath: out.path) == [name])
    let still = out.appendingPathComponent(name)
    #expect(try identifier(of: still) == nil)
    func kept(_ file: URL) throws -> [String: String] {
      try tags(of: file).filter { name, _ in
        !["System:", "File:", "Apple:", "ExifTool:"].contains { name.hasPrefix($0) }
          && !name.hasSuffix("ThumbnailOffset") && !name.contains("MediaData") && !name.contains("MakerNote")
      }
    }
    #expect(try kept(still) == kept(folder.file(name)))
  }

  @Test(arguments: [false, true])
  func aMotionPhotoHoldsTheMovieWhereXMPSays(hasTrailer: Bool) throws {
    let (folder, out) = try prepared("IMG_0001.JPG", "IMG_0001.MOV")
    _ = try export(folder, "--as", "motion-photo", "IMG_0001.JPG", hasTrailer ? "--samsung" : "--json")
    let file = out.appendingPathComponent("IMG_0001.MP.JPG")
    let tags = try tags(of: file)
    #expect(tags["XMP-GCamera:MotionPhoto"] == "1" && tags["XMP-GCamera:MicroVideo"] == "1")
    let bytes = [UInt8](try Data(contentsOf: file))
    let length = try #require(tags["XMP-GCamera:MicroVideoOffset"].flatMap { Int($0) })
    #expect(tags["XMP-Container:DirectoryItemLength"] != nil)
    let still = try #require(
      try Tools.ffprobe(folder.file("IMG_0001.MOV"), "-show_entries", "stream=codec_tag_string,start_time")
        .last { $0.contains("mebx") }?.split(separator: ",").last.flatMap { Double($0) })
    let time = try #require(tags["XMP-GCamera:MotionPhotoPresentationTimestampUs"].flatMap { Double($0) })
    #expect(abs(time / 1e6 - still) < 0.002)
    let movie = try folder.write(Array(bytes.suffix(length)), to: "embedded.mp4")
    #expect(try frames(of: movie) == frames(of: folder.file("IMG_0001.MOV")))
    let sound = try Tools.ffprobe(
      movie, "-select_streams", "a", "-show_entries", "stream=codec_name,duration")
    let soundOriginal = try Tools.ffprobe(
      folder.file("IMG_0001.MOV"), "-select_streams", "a", "-show_entries", "stream=duration")
    let seconds = try #require(sound.first?.split(separator: ",").last.flatMap { Double($0) })
    #expect(abs(seconds - (Double(soundOriginal[0]) ?? 0)) < 0.05)
    if hasTrailer {
      let block = try Tools.output("exiftool", "-b", "-Samsung:EmbeddedVideoFile", file.path).bytes
      #expect(block == Array(bytes.suffix(length).prefix(block.count)) && block.count > 1000)
    }
    let pixels = try [file, folder.file("IMG_0001.JPG")].map { try Tools.output("djpeg", $0.path).bytes }
    #expect(pixels[0] == pixels[1])
  }

  @Test func aBundleHoldsBothAndItsPropertyList() throws {
    let (folder, out) = try prepared("IMG_0004.HEIC", "IMG_0004.MOV")
    _ = try export(folder, "--as", "pvt", "IMG_0004.HEIC")
    let bundle = out.appendingPathComponent("IMG_0004.pvt")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: bundle.path).sorted()
        == ["IMG_0004.HEIC", "IMG_0004.MOV", "metadata.plist"])
    let list = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: bundle.appendingPathComponent("metadata.plist")), format: nil)
    #expect(list as? [String: String] == ["PFVideoComplementMetadataVersionKey": "1"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: out.path) == ["IMG_0004.pvt"])
    let again = try Command.run("export", "-o", "out", "--as", "pvt", "IMG_0004.HEIC", in: folder.url)
    #expect(again.status == 1 && again.standardError.contains("already exists"))
  }

  /// Writes private metadata wherever exiftool can write it.
  static func plant(_ photo: URL, _ movie: URL) throws {
    try Tools.output(
      "exiftool", "-q", "-m", "-overwrite_original", "-Make=Phonemaker", "-Model=FX-900", "-Artist=Jane Doe",
      "-Copyright=Jane Doe", "-SerialNumber=SN-12345678", "-LensModel=Lens 7",
      "-AllDates=2021:03:04 10:11:12",
      "-GPSLatitude=48.137", "-GPSLatitudeRef=N", "-GPSLongitude=11.575", "-GPSLongitudeRef=E",
      "-XMP-exif:GPSLatitude=48.137", "-XMP-photoshop:City=Zanzibar", "-XMP-dc:Creator=Jane Doe",
      "-XMP-iptcCore:Location=Zanzibar", "-XMP-xmp:CreateDate=2021:03:04 10:11:12", photo.path)
    if photo.pathExtension == "JPG" {
      try Tools.output(
        "exiftool", "-q", "-overwrite_original", "-IPTC:City=Zanzibar", "-IPTC:By-line=Jane Doe",
        "-Comment=Jane Doe in Zanzibar", photo.path)
    }
    try Tools.output(
      "exiftool", "-q", "-overwrite_original", "-Keys:GPSCoordinates=48.137, 11.575, 500",
      "-Keys:Make=Phonemaker",
      "-Keys:Model=FX-900", "-Keys:CreationDate=2021:03:04 10:11:12+00:00", "-Keys:Artist=Jane Doe",
      "-UserData:GPSCoordinates=48.137, 11.575, 500", "-UserData:Model=FX-900", "-UserData:Artist=Jane Doe",
      "-ItemList:Artist=Jane Doe", "-XMP-photoshop:City=Zanzibar",
      "-QuickTime:CreateDate=2021:03:04 10:11:12",
      movie.path)
  }

  @Test(arguments: ["IMG_0003.JPG", "IMG_0004.HEIC"])
  func thePlaceIsLeftOutAndTheRestStays(name: String) throws {
    let stem = String(name.prefix(8))
    let (folder, out) = try prepared(name, stem + ".MOV")
    try Self.plant(folder.file(name), folder.file(stem + ".MOV"))
    // A comment is free text that cannot be searched for private details.
    if name.hasSuffix("JPG") {
      try Tools.output("exiftool", "-q", "-overwrite_original", "-Comment=Jane Doe", folder.file(name).path)
    }
    _ = try export(folder, "--as", "pair", "--strip", "location", name)
    for half in [name, stem + ".MOV"] {
      let new = out.appendingPathComponent(half)
      let bytes = try Data(contentsOf: new)
      #expect(bytes.range(of: Data("Zanzibar".utf8)) == nil)
      let (old, tags) = (try tags(of: folder.file(half)), try tags(of: new))
      #expect(!tags.contains { $0.key.contains("GPS") || $0.value.contains("48.137") })
      for (key, value) in old
      where key.hasSuffix(":Make") || key.hasSuffix(":Model") || key.hasSuffix("CreateDate") {
        #expect(tags[key] == value, "\(key)")
      }
    }
    #expect(try Command.run("verify", "out/" + name, in: folder.url).status == 0)
  }

  @Test(arguments: ["gif", "webp"])
  func aPreviewLoopsUprightAsLongAsTheMovie(form: String) throws {
    let (folder, out) = try prepared("IMG_0003.JPG", "IMG_0003.MOV")
    _ = try export(folder, "--as", form, "--strip", "all", "IMG_0003.JPG")
    let preview = out.appendingPathComponent("IMG_0003." + form)
    let tags = try tags(of: preview)
    let movie = try streams(of: folder.file("IMG_0003.MOV"))
    let (width, height) = (
      tags["GIF:ImageWidth"] ?? tags["RIFF:ImageWidth"], tags["GIF:ImageHeight"] ?? tags["RIFF:ImageHeight"]
    )
    let shape = (Double(width ?? "") ?? 0) / (Double(height ?? "") ?? 1)
    let sides = (movie["streams.stream.0.width"], movie["streams.stream.0.height"])
    let stored = (Double(sides.0 ?? "") ?? 0) / (Double(sides.1 ?? "") ?? 1)
    #expect(abs(shape - stored) < 0.02 || abs(shape - 1 / stored) < 0.02)
    let seconds = try #require((tags["GIF:Duration"] ?? tags["RIFF:Duration"]).flatMap { Double($0) })
    let last = try #require(try frameTimes(of: folder.file("IMG_0003.MOV")).last)
    #expect(abs(seconds - last) < 0.15)
    #expect(
      ["0", "Infinite", nil].contains(tags["GIF:AnimationIterations"] ?? tags["RIFF:AnimationLoopCount"]))
    if form == "gif" {
      // Every frame of the preview looks like the movie at that time.
      let answer = try Tools.run([
        "ffmpeg", "-i", preview.path, "-i", folder.file("IMG_0003.MOV").path, "-lavfi",
        "[1][0]scale2ref=flags=area[b][a];[a]format=rgb24,fps=5[c];[b]format=rgb24,fps=5[d];[c][d]psnr", "-f",
        "null", "-",
      ])
      let average = answer.standardError.components(separatedBy: "average:").last?.split(separator: " ").first
      #expect(average.flatMap { Double($0) } ?? 0 > 20, "\(answer.standardError)")
    }
  }

  @Test func nonsenseIsRefused() throws {
    let (folder, out) = try prepared("IMG_0003.JPG", "IMG_0003.MOV")
    try FileManager.default.removeItem(at: folder.file("IMG_0003.MOV"))
    for (arguments, status) in [
      (["--as", "pair"], Int32(1)), (["--as", "movie"], 1), (["--as", "poster"], 64), ([], 64),
      (["--as", "still", "--samsung"], 64), (["--as", "still", "--version", "x"], 64),
    ] {
      let answer = try Tools.run(
        [Command.path, "export", "-o", "out"] + arguments + ["IMG_0003.JPG"], in: folder.url)
      #expect(answer.status == status, "\(arguments) \(answer.standardError)")
    }
    #expect(try Command.run("export", "--as", "still", "IMG_0003.JPG", in: folder.url).status == 64)
    #expect(try FileManager.default.contentsOfDirectory(atPath: out.path).isEmpty)
  }
}
