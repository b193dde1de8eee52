import Basics
import EditModel
import LivePhotoFormat

extension FuzzTarget {
  /// Fuzzes whole PNG photos: chunks, Exif, XMP, colour profile, and all code that rewrites them.
  static let png = FuzzTarget(
    "png",
    words: [
      "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "bKGD", "hIST", "sPLT", "sBIT", "pHYs", "tIME", "tEXt", "zTXt",
      "iTXt", "eXIf", "iCCP", "sRGB", "gAMA", "cHRM", "cICP", "mDCV", "cLLI", "caBX", "iDOT", "acTL", "fcTL",
      "fdAT", "II*\0", "MM\0*", "Exif\0\0", "Apple iOS\0", "XML:com.adobe.xmp\0", "icc\0\0",
      "Creation Time\0", "Raw profile type exif\0", "Raw profile type APP1\0", "<x:xmpmeta", "acspAPPL",
      "2019:12:29 19:01:15", "-08:00", "RIFF", "WEBPVP8X", "EXIF",
    ],
    seeds: { name, file in
      if name.isEmpty { return [] }
      if ends(name, "png") { return file.count < 1 << 16 ? [LoosePNG.input(file, isLoose: false)] : [] }
      guard ends(name, "jpg", "jpeg", "heic") else { return [] }
      return PNGSeeds.seeds(of: file)
    },
    body: { input in
      let source = MemoryByteSource(LoosePNG.file(input))
      let checks = PhotoChecks(source: source)
      checks.run()
      answering {
        let photo = try Photo(source)
        guard photo.kind == .png else { return }
        let file = try PNGFile(photo)
        answering { try file.checkIsOnePicture() }
        answering { _ = try file.codedPicture() }
        answering { _ = try (file.palette(), file.transparency()) }
        _ = file.codePoints
        rewritePicture(of: file, checks)
      }
      answering {
        guard let foreign = try ForeignPhoto(source) else { return }
        _ = try foreign.orientation(of: source)
        let written = try ForeignPhoto.png(
          source.read(at: 0, count: source.count), exif: foreign.exif(in: source), profile: [1, 2, 3])
        _ = try Photo(MemoryByteSource(written)).metadata()
      }
    })

  /// Applies an edit's changes to the chunks: a different picture, the same picture with an identifier, and the
  /// conversion to JPEG.
  private static func rewritePicture(of file: PNGFile, _ checks: PhotoChecks) {
    let crop = PictureProjection(scale: [1.25, 1.25], shift: [-0.125, -0.125])
    let data: [UInt8] = [0x78, 0x9C, 3, 0, 0, 0, 0, 1]
    for (transform, projection, keepsPixels) in [(Orientation.right, nil, true), (.identity, crop, false)] {
      answering {
        var layout = file.layout
        if transform.swapsAxes { (layout.width, layout.height) = (layout.height, layout.width) }
        if !keepsPixels {
          layout = PNGLayout(width: layout.width, height: layout.height, bitDepth: 8, colors: .truecolor)
        }
        var edit = PNGEdit(
          layout: layout, data: data, keepsPixels: keepsPixels, transform: transform, orientation: .identity)
        edit.projection = projection
        edit.thumbnail = jpeg(with: [])
        let written = try checks.written(.tied) {
          try file.write(edit, identifier: PhotoChecks.identifier, to: $0)
        }
        let read = try PNGFile(written)
        expect(read.layout == layout, "a header that was written says something else")
        expect(
          try written.metadata().orientation == .identity, "a picture that was turned is shown turned again")
        if (try? file.checkIsOnePicture()) != nil, (try? checks.checkPicture()) != nil {
          expect(try read.codedPicture() == data, "a picture that was written is another")
        }
      }
    }
    answering {
      let written = try checks.written(.tied) {
        try file.write(identifier: PhotoChecks.identifier, to: $0)
      }
      checks.expectSamePicture(written)
    }
    answering {
      let image = jpeg(with: [])
      let result = try file.jpeg(
        image, profile: (try? checks.profile()) ?? nil, transform: .right, orientation: .identity,
        projection: crop, identifier: PhotoChecks.identifier, thumbnail: image)
      do { _ = try JPEGFile(result.bytes) } catch {
        broken("a JPEG that was written cannot be read: \(error)")
      }
      let written = try checks.written(.tied) {
        $0.write(result.bytes)
        return []
      }
      expect(try written.metadata().orientation == .identity, "a JPEG that was made is shown turned")
    }
  }
}

/// The form of PNGs in inputs. The last byte states whether checksums are corrected and contents compressed, since
/// mutations do neither.
enum LoosePNG {
  /// Returns the file that an input stands for. The input's last byte: 1 for checksums, 2 for compressed contents.
  static func file(_ input: [UInt8]) -> [UInt8] {
    guard let flags = input.last else { return [] }
    let file = Array(input.dropLast())
    return flags & 3 == 0 ? file : rewritten(file, packs: flags & 2 != 0)
  }

  /// Returns an input for a file.
  ///
  /// - Parameters:
  ///   - file: The PNG file.
  ///   - isLoose: Whether contents that are compressed in the PNG are decompressed in the input.
  static func input(_ file: [UInt8], isLoose: Bool) -> [UInt8] { file + [isLoose ? 3 : 1] }

  /// Returns a chunk with its checksum (ISO/IEC 15948 sections 5.3 and annex D).
  static func chunk(_ kind: String, _ content: [UInt8]) -> [UInt8] { chunk(Array(kind.utf8), content) }

  private static func chunk(_ kind: [UInt8], _ content: [UInt8]) -> [UInt8] {
    bytes(UInt32(truncatingIfNeeded: content.count)) + kind + content + bytes(checksum(kind + content))
  }

  private static func rewritten(_ file: [UInt8], packs: Bool) -> [UInt8] {
    var (out, at) = (Array(file.prefix(8)), 8)
    while file.count - at >= 12 {
      let size = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      guard size <= file.count - at - 12 else { break }
      let kind = Array(file[at + 4..<at + 8])
      let content = Array(file[at + 8..<at + 8 + size])
      out += chunk(kind, packs ? packed(kind, content) : content)
      at += 12 + size
    }
    return out + file[min(at, file.count)...]
  }

  /// Returns the content of a chunk with its text or profile compressed.
  private static func packed(_ kind: [UInt8], _ content: [UInt8]) -> [UInt8] {
    guard let name = content.firstIndex(of: 0) else { return content }
    var start = name + 2
    switch String(decoding: kind, as: UTF8.self) {
    case "iCCP", "zTXt": break
    case "iTXt":
      // The fields are keyword, NUL, compression flag, method, language, NUL, translated keyword, NUL.
      guard content.count > name + 3, content[name + 1] == 1,
        let language = content[(name + 3)...].firstIndex(of: 0),
        let translated = content[(language + 1)...].firstIndex(of: 0)
      else { return content }
      start = translated + 1
    default: return content
    }
    guard start < content.count, let data = Deflate.deflated(Array(content[start...])) else { return content }
    return content[..<start] + data
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 0 ? crc >> 1 : 0xEDB8_8320 ^ crc >> 1 }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }
}

/// PNGs with the metadata of other photos.
private enum PNGSeeds {
  /// Returns PNGs of several kinds with a file's Exif block, XMP and colour profile.
  static func seeds(of file: [UInt8]) -> [[UInt8]] {
    let exif = segment("Exif\0\0", of: file).map { LoosePNG.chunk("eXIf", $0) } ?? []
    let xmp = xmp(of: file)
    func text(packed: Bool) -> [UInt8] {
      guard let xmp else { return [] }
      return LoosePNG.chunk(
        "iTXt", Array("XML:com.adobe.xmp\0".utf8) + [packed ? 1 : 0, 0, 0, 0] + xmp)
    }
    let profile =
      segment("ICC_PROFILE\0", of: file).map {
        LoosePNG.chunk("iCCP", Array("icc\0\0".utf8) + $0.dropFirst(2))
      }
      ?? LoosePNG.chunk("sRGB", [0])
    let color = LoosePNG.chunk("cICP", [12, 13, 0, 1]) + LoosePNG.chunk("gAMA", [0, 0, 0xB1, 0x8F])
    let notes =
      LoosePNG.chunk("tEXt", Array("Creation Time\02019:12:29 19:01:15".utf8))
      + LoosePNG.chunk("zTXt", Array("Raw profile type exif\0\0\nexif\n 4\n49492a00\n".utf8))
      + LoosePNG.chunk("caBX", [1, 2, 3]) + LoosePNG.chunk("tIME", [7, 0xE3, 12, 29, 19, 1, 15])
    let size = LoosePNG.chunk("pHYs", [0, 0, 11, 0x13, 0, 0, 22, 0x26, 1])
    let palette = LoosePNG.chunk("PLTE", [1, 2, 3, 4, 5, 6]) + LoosePNG.chunk("tRNS", [7])
    let animation =
      LoosePNG.chunk("acTL", [0, 0, 0, 1, 0, 0, 0, 0]) + LoosePNG.chunk("vpAg", [0, 0, 0, 8, 0, 0, 0, 8, 0])
    let parts: [(UInt8, UInt8, [UInt8], [UInt8])] = [
      (2, 8, profile + exif + text(packed: true) + size, []),
      (2, 16, color + text(packed: false), exif + notes),
      (3, 1, palette + exif + notes, size),
      (6, 8, animation + exif, text(packed: true)),
    ]
    // A WebP with Exif. Its picture is never read here.
    let block = segment("Exif\0\0", of: file) ?? []
    let webp =
      Array("WEBPVP8X\u{A}\0\0\0\u{8}\0\0\0\u{3}\0\0\u{1}\0\0EXIF".utf8)
      + lengthBytes(block) + block
    let foreign = Array("RIFF".utf8) + lengthBytes(webp) + webp + [0]
    return [foreign]
      + parts.map { colors, depth, before, behind in
        let header = LoosePNG.chunk("IHDR", [0, 0, 0, 4, 0, 0, 0, 2, depth, colors, 0, 0, 0])
        let samples = (colors == 2 ? 3 : colors == 6 ? 4 : 1) * Int(depth) * 4
        let rows = [UInt8](repeating: 0, count: 2 * (1 + (samples + 7) / 8))
        let picture = LoosePNG.chunk("IDAT", Deflate.deflated(rows) ?? [])
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        return LoosePNG.input(
          signature + header + before + picture + behind + LoosePNG.chunk("IEND", []), isLoose: true)
      }
  }

  /// Returns the content after the signature of a JPEG segment, or the same amount of another file.
  private static func segment(_ signature: String, of file: [UInt8]) -> [UInt8]? {
    guard let place = file.place(of: Array(signature.utf8)), place >= 4 else { return nil }
    let size = file[place - 4] == 0xFF ? Int(file[place - 2]) << 8 | Int(file[place - 1]) : 1 << 12
    let start = min(place + signature.utf8.count, file.count)
    return Array(file[start..<max(start, min(place - 2 + size, file.count))].prefix(1 << 14))
  }

  /// Returns the number of bytes in RIFF's format.
  private static func lengthBytes(_ bytes: [UInt8]) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
  }

  private static func xmp(of file: [UInt8]) -> [UInt8]? {
    guard let start = file.place(of: "<x:xmpmeta".utf8),
      let end = file.place(of: "</x:xmpmeta>".utf8, from: start)
    else { return nil }
    return end - start < 1 << 14 ? Array(file[start..<end + 12]) : nil
  }
}
