import Foundation
import TestSupport
import Testing

/// Tests of `liveedit export --as image` and `--as video` and of name patterns. exiftool, ffprobe and ffmpeg inspect
/// the results.
@Suite struct CommandExportImageTests {
  func export(
    _ folder: TemporaryFolder, status: Int32 = 0, _ arguments: String...
  ) throws -> ToolOutput {
    let answer = try Tools.run([Command.path, "export", "-o", "out"] + arguments, in: folder.url)
    #expect(answer.status == status, "\(answer.standardError)")
    return answer
  }

  /// Returns a picture in any format, as ffmpeg decodes it.
  func picture(_ file: URL, _ filters: String = "null") throws -> Picture {
    let decoded = try Tools.output(
      "ffmpeg", "-v", "error", "-noautorotate", "-i", file.path, "-frames:v", "1", "-vf", filters, "-f",
      "image2pipe", "-c:v", "ppm", "-")
    return try Picture(ppm: decoded.standardOutput)
  }

  /// An exported image with the original's name beside the original would be a second photo with that name, and neither
  /// could be edited.
  @Test func imagesAreNoRivalsOfTheirOriginals() throws {
    let (folder, _) = try prepared("IMG_0003.JPG", "IMG_0003.MOV")
    let words = ["export", "--as", "image", "--size", "100", "-o", ".", "IMG_0003.JPG"]
    let refused = try Tools.run([Command.path] + words, in: folder.url)
    #expect(refused.status == 1 && refused.standardError.contains("IMG_0003.JPG: already exists"))
    let numbered = try Tools.run([Command.path] + words + ["--number"], in: folder.url)
    #expect(numbered.status == 0 && numbered.text.contains("IMG_0003-2.jpg"), "\(numbered.standardError)")
    #expect(try Command.run("rotate", "--degrees", "90", "IMG_0003.JPG", in: folder.url).status == 0)
    let stripped = try Tools.run(
      [
        Command.path, "export", "--as", "image", "--strip", "location", "-o", "out", "IMG_0003.JPG",
        "IMG_0003.MOV",
      ],
      in: folder.url)
    #expect(!stripped.text.contains("has the date, the place"))
  }

  @Test(arguments: [
    ("IMG_0001.JPG", "jpeg"), ("IMG_0002.JPG", "png"), ("IMG_0003.JPG", "webp"), ("IMG_0004.HEIC", "jpeg"),
    ("IMG_0004.HEIC", "webp"),
  ])
  func imagesAreUprightAndFit(_ name: String, _ format: String) throws {
    let (folder, out) = try prepared(name, String(name.prefix(8)) + ".MOV")
    let answer = try export(folder, "--as", "image", "--size", "200", "--format", format, "--json", name)
    let file = out.appendingPathComponent(
      String(name.prefix(8)) + (format == "jpeg" ? ".jpg" : "." + format))
    let (old, new) = (try tags(of: folder.file(name)), try tags(of: file))
    #expect(
      new["File:MIMEType"] == "image/" + format && new["IFD0:Orientation"].map { $0 == "1" } ?? true)
    let picture = try picture(file)
    #expect(max(picture.width, picture.height) == 200 && picture.corners == "RGBY")
    #expect(
      answer.text.contains("\"width\":\(picture.width)") && answer.text.contains("\"format\":\"\(format)\""))
    for key in ["IFD0:Make", "IFD0:Model", "ExifIFD:DateTimeOriginal", "ExifIFD:OffsetTimeOriginal"] {
      #expect(new[key] == old[key], "\(key)")
    }
    for key in ["GPS:GPSLatitude", "GPS:GPSLongitude"] {
      let (a, b) = (old[key].flatMap { Double($0) }, new[key].flatMap { Double($0) })
      #expect(a.flatMap { a in b.map { abs(a - $0) < 1e-5 } } ?? (a == nil && b == nil), "\(key)")
    }
    // The image is not paired with anything and has no metadata that describes another picture.
    #expect(!new.keys.contains { $0.hasPrefix("Apple:") || $0.hasPrefix("IFD1:") || $0.hasPrefix("XMP-") })
    #expect(
      new["ICC_Profile:ProfileDescription"] == old["ICC_Profile:ProfileDescription"]
        || old["ICC_Profile:ProfileDescription"] == nil)
    let warnings = try Tools.output("exiftool", "-validate", "-warning", "-a", file.path).text
    #expect(!warnings.contains("Error"), "\(warnings)")
  }

  /// A movie without a photo exports its first frame, cropped to its clean aperture if it has one.
  @Test func aMovieAloneGivesItsFirstFrame() throws {
    let (folder, out) = try prepared("IMG_0003.MOV", "IMG_0002.MOV")
    let answer = try export(folder, "--as", "image", "--size", "300", "IMG_0003.MOV")
    #expect(answer.text.contains("first frame"))
    let whole = try picture(out.appendingPathComponent("IMG_0003.jpg"))
    #expect(max(whole.width, whole.height) == 300 && whole.corners == "RGBY")

    _ = try export(folder, "--as", "image", "IMG_0002.MOV")
    let shown = try picture(out.appendingPathComponent("IMG_0002.jpg"))
    let aperture = try #require(
      try Tools.exiftool(folder.file("IMG_0002.MOV")).first { $0.key.hasSuffix("CleanApertureDimensions") })
    let sides = aperture.value.split { !$0.isNumber }.compactMap { Int($0) }
    // The movie is rotated by 90 degrees.
    #expect([shown.height, shown.width] == sides)
  }

  @Test(arguments: ["IMG_0004"])
  func videosAreWhatEveryBrowserPlays(_ stem: String) throws {
    let photo = stem == "IMG_0004" ? stem + ".HEIC" : stem + ".JPG"
    let (folder, out) = try prepared(photo, stem + ".MOV")
    let answer = try export(folder, "--as", "video", "--size", "120", "--json", photo)
    let (movie, original) = (out.appendingPathComponent(stem + ".mp4"), folder.file(stem + ".MOV"))
    let found = try streams(of: movie)
    let video = "streams.stream.0."
    #expect(found[video + "codec_name"] == "h264" && found[video + "pix_fmt"] == "yuv420p")
    for name in ["color_space", "color_transfer", "color_primaries"] {
      #expect(found[video + name] == "bt709")
    }
    #expect(found[video + "color_range"] == "tv")
    #expect(!found.keys.contains { $0.contains("side_data") })
    let (width, height) = (Int(found[video + "width"] ?? "") ?? 0, Int(found[video + "height"] ?? "") ?? 0)
    #expect(min(width, height) == 120 && width % 2 == 0 && height % 2 == 0)
    #expect(answer.text.contains("\"height\":\(height)"))
    let (old, new) = (try frameTimes(of: original), try frameTimes(of: movie))
    #expect(old.count == new.count)
    for (a, b) in zip(old, new) { #expect(abs((a - old[0]) - (b - new[0])) < 0.001) }
    #expect(try Picture(of: movie, at: 0).corners == "RGBY")
    let ends = try [original, movie].map {
      try Tools.ffprobe($0, "-select_streams", "v:0", "-show_entries", "stream=duration")
        .lazy.compactMap { Double($0.split(separator: ",").first ?? "") }.first ?? 0
    }
    #expect(abs(ends[0] - ends[1]) < 0.01)
    let hadSound = try streams(of: original).values.contains("audio")
    #expect(found.values.contains("aac") == hadSound)
    // The movie's tables precede its media data.
    let bytes = [UInt8](try Data(contentsOf: movie))
    func place(_ kind: String) -> Int? {
      bytes.indices.dropLast(3).first { bytes[$0..<$0 + 4].elementsEqual(kind.utf8) }
    }
    let (tables, media) = (try #require(place("moov")), try #require(place("mdat")))
    #expect(tables < media)
    let tags = try tags(of: movie)
    #expect(tags["Keys:ContentIdentifier"] == nil)
    #expect(tags["Keys:Model"] == (try EndToEndTests.tags(of: original))["Keys:Model"])
  }

  // MARK: Names

  @Test(arguments: [
    ["--as", "still", "--size", "100"], ["--as", "image", "--size", "0"], ["--as", "video", "--size", "8"],
    ["--as", "video", "--format", "png"], ["--as", "movie", "--profile", "srgb"],
    ["--as", "image", "--name", "../x"], ["--as", "image", "--name", "{place}"],
    ["--as", "pair", "--quality", "small"],
  ])
  func whatMakesNoSenseIsRefused(_ arguments: [String]) throws {
    let (folder, out) = try prepared("IMG_0003.JPG", "IMG_0003.MOV")
    let answer = try Tools.run(
      [Command.path, "export", "-o", "out"] + arguments + ["IMG_0003.JPG"], in: folder.url)
    #expect(answer.status == 64, "\(answer.standardError)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: out.path).isEmpty)
  }
}
