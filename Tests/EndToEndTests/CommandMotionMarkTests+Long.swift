import Foundation
import TestSupport
import Testing

/// Tests of what a photo's metadata states about a movie inside it: whether the movie exists, when the photo was taken,
/// and properties that converters and manufacturers add.
@Suite struct CommandMotionMarkTests {
  private let folder: TemporaryFolder
  /// The bytes of the movie behind the photo: 12 frames in one second.
  private let movie: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    try Tools.output(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=12:duration=1", "-c:v",
      "libx264",
      "-g", "4", "-pix_fmt", "yuv420p", folder.file("clip.mp4").path)
    movie = try folder.read("clip.mp4")
  }

  /// Writes a photo followed by the movie, with metadata as a camera writes it.
  ///
  /// - Parameters:
  ///   - time: The photo's time in the movie, in microseconds.
  ///   - further: Attributes and namespaces to add to the description besides Google's.
  private func write(_ name: String = "motion.jpg", time: Int, _ further: String = "") throws {
    let item = { (mime: String, kind: String, length: Int) in
      "<rdf:li rdf:parseType='Resource'><Container:Item Item:Mime='\(mime)' Item:Semantic='\(kind)' Item:Length='\(length)'/></rdf:li>"
    }
    let packet = """
      <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
      <rdf:Description rdf:about='' xmlns:GCamera='http://ns.google.com/photos/1.0/camera/' \
      xmlns:Container='http://ns.google.com/photos/1.0/container/' \
      xmlns:Item='http://ns.google.com/photos/1.0/container/item/' GCamera:MotionPhoto='1' \
      GCamera:MotionPhotoVersion='1' GCamera:MotionPhotoPresentationTimestampUs='\(time)' \(further)>\
      <Container:Directory><rdf:Seq>\(item("image/jpeg", "Primary", 0))\
      \(item("video/mp4", "MotionPhoto", movie.count))</rdf:Seq></Container:Directory></rdf:Description></rdf:RDF></x:xmpmeta>
      """
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    try FileManager.default.moveItem(at: folder.file("IMG_0001.JPG"), to: folder.file(name))
    let xmp = try folder.write(Array(packet.utf8), to: "packet.xmp")
    try Tools.output("exiftool", "-q", "-overwrite_original", "-xmp<=" + xmp.path, folder.file(name).path)
    try folder.write(folder.read(name) + movie, to: name)
  }

  private static let time = "XMP-GCamera:MotionPhotoPresentationTimestampUs"

  /// Edits the photo and returns the output and the tags that exiftool reads in the render.
  private func edit(_ words: String..., name: String = "motion") throws -> (
    output: ToolOutput, tags: [String: String]
  ) {
    let output = try Tools.run([Command.path] + words + [name + ".jpg"], in: folder.url)
    try #require(output.status == 0, "\(words) \(output.standardError)")
    return (output, try Tools.exiftool(folder.file(name + "_edited.jpg")))
  }

  /// Converters write such files from iPhone pairs. Newer ExifTool versions have another name for Apple's tag 0x0011.
  @Test func anIdentifierThatAConverterLeftIsRenewed() throws {
    try write(time: 500_000)
    func identifier(_ tags: [String: String]) throws -> String {
      try #require(tags["Apple:MediaGroupUUID"] ?? tags["Apple:ContentIdentifier"])
    }
    let old = try identifier(Tools.exiftool(folder.file("motion.jpg")))
    for words in [
      ["rotate", "--degrees", "90"], ["adjust", "--exposure", "0.3"], ["trim", "--from", "0.25"],
    ] {
      let output = try Tools.run([Command.path] + words + ["motion.jpg"], in: folder.url)
      #expect(
        output.status == 0 && !output.text.contains("not in this folder"),
        "\(output.standardError)\(output.text)")
      let new = try identifier(Tools.exiftool(folder.file("motion_edited.jpg")))
      #expect(new != old && UUID(uuidString: new) != nil)
      // No other identifier links to the movie, which is not half of a pair.
      let bytes = try folder.read("motion_edited.jpg")
      #expect(Data(bytes).range(of: Data("content.identifier".utf8)) == nil)
      let verified = try Command.run("verify", "motion_edited.jpg", in: folder.url)
      #expect(verified.text.contains("a valid Motion Photo"), "\(verified.text)")
    }
  }

  /// A program dropped the movie but kept the metadata that announces it: a JPEG lost the appended bytes, a HEIC its
  /// box.
  @Test(arguments: ["jpg", "heic"]) func aMarkWithoutAMovieIsAPhoto(_ kind: String) throws {
    let name = "lost." + kind
    if kind == "jpg" {
      try write(name, time: 0)
      try folder.write(Array(folder.read(name).dropLast(movie.count)), to: name)
    } else {
      try folder.copy(TestFiles.fixture("IMG_0004.HEIC"), TestFiles.fixture("IMG_0004.MOV"))
      try Tools.output(
        Command.path, "export", "--as", "motion-photo", "-o", ".", "IMG_0004.HEIC", in: folder.url)
      let made = Data(try folder.read("IMG_0004.MP.HEIC"))
      let box = try #require(made.range(of: Data("mpvd".utf8), options: .backwards)).lowerBound - 4
      for old in ["IMG_0004.HEIC", "IMG_0004.MOV", "IMG_0004.MP.HEIC"] {
        try FileManager.default.removeItem(at: folder.file(old))
      }
      try made.prefix(box).write(to: folder.file(name))
    }
    #expect(try Tools.exiftool(folder.file(name))["XMP-GCamera:MotionPhoto"] == "1")
    let inspected = try Command.run("inspect", name, in: folder.url)
    #expect(
      inspected.text.contains("its movie is missing") && !inspected.text.contains("a movie is inside"),
      "\(inspected.text)")
    #expect(try !Command.run("list", in: folder.url).text.contains("motionPhoto"))
    for words in ["rotate --degrees 90", "adjust --exposure 0.3", "describe --title Title"] {
      let output = try Tools.run(
        [Command.path] + words.split(separator: " ").map(String.init) + [name], in: folder.url)
      #expect(output.status == 0, "\(words) \(output.standardError)")
      #expect(output.text.contains("MotionPhoto (refers to a missing movie)"), "\(output.text)")
      let tags = try Tools.exiftool(folder.file("lost_edited." + kind))
      #expect(!tags.keys.contains { $0.contains("GCamera") || $0.contains("Container") }, "\(tags.keys)")
    }
    // The errors of `create` and `export` do not refer the user to each other.
    let created = try Command.run("create", "--from", name, "-o", "out", in: folder.url)
    #expect(created.status == 1 && created.standardError.contains("its movie is missing"))
    #expect(created.standardError.contains("--movie"))
    let exported = try Command.run("export", "--as", "pair", "-o", "out", name, in: folder.url)
    #expect(exported.status == 1 && exported.standardError.contains("has no movie"))
    #expect(!exported.standardError.contains("create"))
    let trimmed = try Command.run("trim", "--from", "0.1", name, in: folder.url)
    #expect(trimmed.status == 1 && trimmed.standardError.contains("has no movie"))
    let verified = try Command.run("verify", name, in: folder.url)
    #expect(verified.status == 1 && verified.text.contains("embedded-movie"))
  }

  /// Samsung cameras write a time a few milliseconds after the movie's end. That means the last of the 12 frames, at
  /// 11/12 s.
  @Test func aTimeAfterTheEndIsThatOfTheLastFrame() throws {
    try write(time: 1_004_000)
    let verified = try Command.run("verify", "motion.jpg", in: folder.url)
    #expect(verified.status == 0 && !verified.text.contains("still-time"), "\(verified.text)")
    let tags = try edit("trim", "--from", "0.25").tags
    let time = try #require(tags[Self.time].flatMap { Int($0) })
    #expect(abs(time - 666_667) < 2000, "\(time)")
    let made = try Command.run("create", "--from", "motion.jpg", "-o", "out", in: folder.url)
    #expect(made.status == 0, "\(made.standardError)")
    let still = try Tools.ffprobe(
      folder.file("out/motion.MOV"), "-show_entries", "stream=codec_tag_string,start_time"
    ).last { $0.contains("mebx") }?.split(separator: ",").last.flatMap { Double($0) }
    #expect(abs(try #require(still) - 11 / 12) < 0.01)
    let asked = try Command.run(
      "create", "--from", "motion.jpg", "--still-at", "9", "-o", "out2", in: folder.url)
    #expect(asked.status == 1)
  }

  /// 0 is a valid time, and also the value that cameras write if they do not know the time. A trim keeps the 0 and
  /// reports if it cut off that moment.
  @Test func zeroIsATime() throws {
    try write(time: 0)
    #expect(try edit("rotate", "--degrees", "90").tags[Self.time] == "0")
    let trimmed = try edit("trim", "--from", "0.25")
    #expect(trimmed.tags[Self.time] == "0")
    #expect(trimmed.output.text.contains("removed the moment of the photo"), "\(trimmed.output.text)")
    let whole = try edit("trim", "--from", "0", "--to", "0.75")
    #expect(
      whole.tags[Self.time] == "0" && !whole.output.text.contains("The trim removed"), "\(whole.output.text)")
    let keyed = try edit("key-photo", "--at", "0.5").tags
    #expect(abs(try #require(keyed[Self.time].flatMap { Int($0) }) - 500_000) < 2000)
    // A time other than 0 is not treated as unknown.
    try write("later.jpg", time: 100_000)
    let refused = try Command.run("trim", "--from", "0.25", "later.jpg", in: folder.url)
    #expect(refused.status == 1 && refused.standardError.contains("0.1 s"), "\(refused.standardError)")
  }

  /// OPPO's gallery uses its own properties: the movie's length and the time of the original photo.
  @Test func namesOfOPPOFollowTheMovie() throws {
    try write(
      time: 500_000,
      """
      xmlns:OpCamera='http://ns.oplus.com/photos/1.0/camera/' OpCamera:MotionPhotoOwner='oplus' \
      OpCamera:OLivePhotoVersion='2' OpCamera:VideoLength='\(movie.count)' \
      OpCamera:MotionPhotoPrimaryPresentationTimestampUs='416667'
      """)
    let names = ["VideoLength", "MotionPhotoPrimaryPresentationTimestampUs"]
    func said() throws -> [Int?] {
      let tags = try Tools.exiftool(folder.file("motion_edited.jpg"))
      return names.map { name in
        tags.first { $0.key.contains("OpCamera") && $0.key.hasSuffix(":" + name) }.flatMap { Int($0.value) }
      }
    }
    func length() throws -> Int {
      let bytes = Data(try folder.read("motion_edited.jpg"))
      return bytes.count - (try #require(bytes.range(of: Data("ftyp".utf8))).lowerBound - 4)
    }
    // Another cover was chosen earlier, so the two times differ. Edits keep them different.
    _ = try edit("rotate", "--degrees", "90")
    #expect(try said() == [length(), 416_667])
    let trimmed = try edit("trim", "--from", "0.25").tags
    #expect(try said() == [length(), trimmed[Self.time].flatMap { Int($0) }])
    #expect(trimmed.values.contains("oplus"))
    #expect(try Command.run("export", "--as", "still", "-o", "out", "motion.jpg", in: folder.url).status == 0)
    let exported = try FileManager.default.contentsOfDirectory(atPath: folder.file("out").path)
    let still = try String(
      decoding: folder.read("out/" + #require(exported.first)), as: Unicode.ASCII.self)
    #expect(!still.contains("VideoLength") && !still.contains("TimestampUs"))
  }

  /// The container directory lists the gain map, and its lengths and paddings lead from the photo's end to the movie.
  /// Each render has as many descriptions as its predecessor.
  @Test(arguments: [false, true]) func aGainMapIsListed(isSamsungs: Bool) throws {
    for (fixture, name) in [("gainmap.JPG", "IMG_0009.JPG"), ("IMG_0001.MOV", "IMG_0009.MOV")] {
      try FileManager.default.copyItem(at: TestFiles.fixture(fixture), to: folder.file(name))
    }
    try Tools.output(Command.path, "pair", "-o", "tied", "IMG_0009.JPG", "IMG_0009.MOV", in: folder.url)
    try Tools.output(
      Command.path, "export", "--as", "motion-photo", isSamsungs ? "--samsung" : "--json", "-o", ".",
      "tied/IMG_0009.JPG", in: folder.url)
    let made = try #require(try folder.names().first { $0.contains(".MP.") })
    var descriptions: [Int] = []
    var name = made
    for words in [[], ["rotate", "--degrees", "90"], ["rotate", "--degrees", "90"]] {
      if !words.isEmpty {
        let output = try Tools.run([Command.path] + words + [made], in: folder.url)
        try #require(output.status == 0, "\(output.standardError)")
        name = try #require(try folder.names().first { $0.contains("_edited.") })
      }
      let bytes = try folder.read(name)
      let tags = try Tools.exiftool(folder.file(name))
      let walked = try Tools.output("python3", "-c", Self.walker, folder.file(name).path).text
      let facts = walked.split(separator: " ").map { String($0).trimmingCharacters(in: .newlines) }
      try #require(facts.count == 6, "\(walked)")
      #expect(facts[0] == "Primary,GainMap,MotionPhoto")
      #expect(facts[1] == tags["MPImage2:MPImageLength"], "\(walked)")
      #expect(facts[2] == "0", "the sum of lengths and paddings misses the movie by \(facts[2])")
      #expect(facts[3] == "ftyp" && facts[4] == "ffd8ff" && bytes.count > 1000)
      descriptions.append(try #require(Int(facts[5])))
    }
    #expect(descriptions[1] == descriptions[2], "\(descriptions)")
  }

  /// A script that walks a JPEG's markers to its EOI and reads the directory with an XML parser. It prints the items'
  /// kinds, the gain map's length, the difference between the summed lengths and the movie's position, the movie's
  /// type, the first bytes at the gain map's position, and the number of descriptions.
  private static let walker = """
    import re, sys, xml.etree.ElementTree as E
    b = open(sys.argv[1], "rb").read()
    at = 2
    while True:
      at = b.index(b"\\xff", at)
      m = b[at + 1]
      if m == 0xD9: break
      if m in (0, 1, 0xFF) or 0xD0 <= m <= 0xD7: at += 1 if m == 0xFF else 2
      else: at += 2 + int.from_bytes(b[at + 2:at + 4], "big")
    end = at + 2
    x = E.fromstring(re.search(rb"<x:xmpmeta.*?</x:xmpmeta>", b, re.S).group())
    n = "{http://ns.google.com/photos/1.0/container/item/}"
    items = [i.attrib for i in x.iter("{http://ns.google.com/photos/1.0/container/}Item")]
    kinds = [i[n + "Semantic"] for i in items]
    length = [int(i.get(n + "Length", 0)) for i in items]
    padding = [int(i.get(n + "Padding", 0)) for i in items]
    place = end + padding[0]
    movie = len(b) - length[-1]
    missed = place + sum(length[1:-1]) + sum(padding[1:]) - movie
    r = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
    empty = [d for d in x.iter(r + "Description") if not len(d) and not set(d.attrib) - {r + "about"}]
    count = len(list(x.iter(r + "Description"))) if not empty else "empty"
    print(",".join(kinds), length[1], missed, b[movie + 4:movie + 8].decode("latin1"), b[place:place + 3].hex(), count)
    """
}
