import Foundation
import TestSupport
import Testing

/// Tests of preview pages. Foundation extracts the embedded files, and exiftool and ffprobe inspect them.
@Suite struct CommandPreviewTests {
  /// A parsed preview page.
  struct Page {
    let text: String
    let pieces: [String]

    init(_ file: URL) throws {
      text = try String(contentsOf: file, encoding: .utf8)
      pieces = text.components(separatedBy: "<figure ").dropFirst().map {
        $0.components(separatedBy: "</figure>")[0]
      }
    }

    /// Returns the contents of the data URLs of one media type in a piece of the page.
    static func embedded(_ type: String, in text: String) -> [Data] {
      text.components(separatedBy: "\"data:\(type);base64,").dropFirst().compactMap {
        Data(base64Encoded: $0.components(separatedBy: "\"")[0])
      }
    }
  }

  func prepared(_ names: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in names {
      for file in [name, String(name.prefix(8)) + ".MOV"] where !folder.has(file) {
        try folder.copy(TestFiles.fixture(file))
      }
    }
    return folder
  }

  func made(_ words: String..., in folder: TemporaryFolder) throws -> Page {
    let answer = try Tools.run([Command.path, "preview", "-o", "page.html"] + words, in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    let page = folder.file("page.html")
    let bytes = try Data(contentsOf: page).count
    // The printed size equals the file's size, to one decimal.
    let told = try #require(
      answer.lines.last?.firstMatch(of: #/, (\d+\.\d) ([kM]B) → page\.html$/#), "\(answer.text)")
    let unit = told.2 == "kB" ? 1e3 : 1e6
    let size = ((Double(told.1) ?? 0) * unit).rounded()
    #expect(abs(size - Double(bytes)) <= unit / 20, "\(bytes) \(answer.text)")
    return try Page(page)
  }

  func tags(of files: [URL]) throws -> String {
    try Tools.run(["exiftool", "-ee", "-G1", "-a", "-s"] + files.map(\.path)).text
  }

  /// Every picture is a JPEG of the requested size, and every movie is H.264 with AAC and keeps its duration. No file
  /// contains a location.
  @Test func everythingIsEmbeddedAndPlays() throws {
    let folder = try prepared("IMG_0001.JPG", "IMG_0002.JPG", "IMG_0004.HEIC")
    #expect(try Command.run("adjust", "--exposure", "0.7", "IMG_0001.JPG", in: folder.url).status == 0)
    let originals = try content(of: folder.url)
    #expect(try tags(of: [folder.file("IMG_0001.JPG"), folder.file("IMG_0001.MOV")]).contains("GPS"))
    let page = try made("--size", "300", ".", in: folder)
    #expect(page.pieces.count == 3)
    var number = 0
    for (piece, name) in zip(page.pieces, ["IMG_0001", "IMG_0002", "IMG_0004"]) {
      #expect(piece.contains("<bdi>\(name)</bdi>") && piece.contains(">LIVE<"), "\(name)")
      #expect(piece.contains(" MB</span>") || piece.contains(" kB</span>"))
      let pictures = Page.embedded("image/jpeg", in: piece)
      #expect(pictures.count == (name == "IMG_0001" ? 2 : 1))
      #expect(piece.contains("class=\"compare\"") == (name == "IMG_0001"))
      var files: [URL] = []
      for picture in pictures {
        number += 1
        files.append(folder.file("embedded-\(number).jpg"))
        try picture.write(to: files[files.count - 1])
        let size = try Tools.ffprobe(
          files[files.count - 1], "-show_entries", "stream=codec_name,width,height")
        let numbers = try #require(size.first?.split(separator: ",").compactMap { Int($0) })
        #expect(size.first?.hasPrefix("mjpeg") == true && numbers.max() == 300, "\(size)")
      }
      if files.count == 2 { #expect(pictures[0] != pictures[1]) }
      let movies = Page.embedded("video/mp4", in: piece)
      #expect(movies.count == 1)
      let movie = folder.file("embedded-\(number).mp4")
      try #require(movies.first).write(to: movie)
      files.append(movie)
      let streams = try Tools.ffprobe(movie, "-show_entries", "stream=codec_name")
      #expect(streams.first == "h264" && streams.dropFirst().allSatisfy { $0 == "aac" }, "\(streams)")
      let seconds = try [movie, folder.file(name + ".MOV")].map {
        try #require(Double(Tools.ffprobe($0, "-show_entries", "format=duration").first ?? ""))
      }
      #expect(abs(seconds[0] - seconds[1]) < 0.1)
      let decoded = try Tools.run([
        "ffmpeg", "-v", "error", "-i", movie.path, "-vsync", "passthrough", "-enc_time_base", "-1", "-f",
        "null", "-",
      ])
      #expect(decoded.status == 0 && decoded.standardError.isEmpty)
      let said = try tags(of: files)
      #expect(!said.contains("GPS") && !said.contains("Location"), "\(said)")
    }
    let after = try content(of: folder.url)
    for (name, data) in originals { #expect(after[name] == data, "\(name)") }
  }

  /// The page has no URLs other than data URLs, and only scripts and styles whose hashes its policy lists.
  @Test func thePageAsksForNothing() throws {
    let folder = try prepared("IMG_0003.JPG")
    let page = try made("IMG_0003.JPG", in: folder)
    #expect(page.text.ranges(of: /(src|href|srcset|action|poster)="(?!data:)/).isEmpty)
    #expect(!page.text.contains("http://") && !page.text.contains("https://"))
    #expect(!page.text.contains("@import") && !page.text.contains("url(") && !page.text.contains(" style="))
    #expect(!page.text.contains("{{") && !page.text.contains("}}\n<"))
    #expect(page.text.contains("content=\"default-src 'none';"))
    for (tag, directive) in [("style", "style-src"), ("script", "script-src")] {
      let body = try #require(
        page.text.components(separatedBy: "<\(tag)>").last?.components(separatedBy: "</\(tag)>").first)
      try folder.write(Array(body.utf8), to: tag)
      let hash = try Tools.output(
        "sh", "-c", "openssl dgst -sha256 -binary \(tag) | openssl base64 -A", in: folder.url)
      #expect(page.text.contains("\(directive) 'sha256-\(hash.text)'"), "\(tag)")
    }
  }

  @Test func whatMakesNoPageIsOneSentence() throws {
    let folder = try prepared("IMG_0001.JPG")
    try folder.write(Array("mine".utf8), to: "mine.html")
    let before = try content(of: folder.url)
    for (words, word, status) in [
      (["IMG_0001.JPG"], "needs -o FILE", 64),
      (["-o", "page.pdf", "IMG_0001.JPG"], "ends with .html", 64),
      (["-o", "none/page.html", "IMG_0001.JPG"], "no such folder", 1),
      (["-o", "page.html", "none.JPG"], "no such file", 1),
      (["-o", "mine.html", "IMG_0001.JPG"], "already exists", 1),
      (["-o", "page.html", "--size", "99999999999999999999", "IMG_0001.JPG"], "--size", 64),
    ] as [([String], String, Int32)] {
      let answer = try Tools.run([Command.path, "preview"] + words, in: folder.url)
      #expect(answer.status == status && answer.standardError.contains(word), "\(answer.standardError)")
      #expect(answer.sentences.count == 1)
    }
    let plan = try Command.run("preview", "-o", "page.html", "--dry-run", "IMG_0001.JPG", in: folder.url)
    #expect(plan.status == 0 && plan.text.contains(#/ [kM]B → page\.html/#), "\(plan.text)")
    #expect(try content(of: folder.url) == before)
    // A file that cannot be shown is reported, and the rest is on the page.
    try Data(contentsOf: folder.file("IMG_0001.JPG")).prefix(20_000).write(to: folder.file("cut.JPG"))
    let answer = try Command.run("preview", "-o", "page.html", ".", in: folder.url)
    #expect(answer.status == 1 && answer.sentences.count == 1, "\(answer.standardError)")
    #expect(answer.standardError.contains("cut.JPG") && answer.text.contains("1 picture, "))
    #expect(try Page(folder.file("page.html")).pieces.count == 1)
  }
}

extension TemporaryFolder {
  /// Whether a file with this name exists.
  fileprivate func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name).path) }
}
