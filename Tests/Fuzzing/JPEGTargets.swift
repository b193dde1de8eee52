import Basics
import EditModel
import LivePhotoFormat

extension FuzzTarget {
  /// Fuzzes whole JPEGs: segments, multi-picture format, and all code that rewrites them.
  static let jpeg = FuzzTarget(
    "jpeg",
    words: jpegWords, longestHole: longestScan,
    seeds: { name, file in
      if ends(name, "mov", "mp4") { return motionPhotos(around: file) }
      guard ends(name, "jpg", "jpeg") else { return [] }
      let scan = scan(in: file)
      // Without further pictures after it, nothing refers to a position in the file.
      let isAlone = file.place(of: Array("MPF\0".utf8)) == nil
      let cut = isAlone ? Array(file[..<scan.lowerBound] + file[scan.upperBound...]) : file
      return [HollowFile.input(cut, without: isAlone ? 0..<0 : scan.prefix(longestScan))].compactMap { $0 }
    },
    body: { input in
      let source = HollowFile(input, longest: longestScan)
      let checks = PhotoChecks(source: source)
      checks.run()
      answering { try rewritePicture(checks) }
    })

  /// Fuzzes the Exif block in a small JPEG: directories, thumbnail, maker notes.
  static let tiff = FuzzTarget(
    "tiff",
    words: [
      "II*", "MM", "Apple iOS", "Exif", "ASCII", "UNICODE", "2019:12:29 19:01:15", "-08:00", "Screenshot",
    ],
    seeds: { name, file in
      guard ends(name, "jpg", "jpeg", "heic") else { return [] }
      var (seeds, at) = ([[UInt8]](), 0)
      while let place = file.place(of: Array("Exif\0\0".utf8), from: at), seeds.count < 4 {
        // The size of the segment precedes its name. HEIC does not state the size, and 16 kilobytes are more than
        // enough.
        let isSegment = place >= 4 && file[place - 4] == 0xFF && file[place - 3] == 0xE1
        let size = isSegment ? Int(file[place - 2]) << 8 | Int(file[place - 1]) : 1 << 14
        seeds.append(Array(file[min(place + 6, file.count)..<min(place + max(size - 2, 6), file.count)]))
        at = place + 6
      }
      return seeds
    },
    body: { input in
      let block = Array(input.prefix(65_000))
      PhotoChecks(source: MemoryByteSource(jpeg(with: Array("Exif\0\0".utf8) + block))).run()
      answering {
        let source = MemoryByteSource(input)
        if let foreign = try ForeignPhoto(source) { _ = try foreign.orientation(of: source) }
      }
    })

  /// Fuzzes XMP in a small JPEG and as a sidecar.
  static let xmp = FuzzTarget(
    "xmp",
    words: [
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">", "</x:xmpmeta>", "<rdf:RDF", "</rdf:RDF>", "<rdf:Description",
      "rdf:about=\"\"",
      "rdf:parseType=\"Resource\"", "<rdf:Bag>", "<rdf:Seq>", "<rdf:Alt>", "<rdf:li",
      "xml:lang=\"x-default\"", "mwg-rs:Regions",
      "mwg-rs:RegionList", "stArea:x", "exif:GPSLatitude", "48,8.22N", "exif:DateTimeOriginal",
      "photoshop:DateCreated",
      "dc:title", "dc:subject", "dc:description", "xmp:Rating", "Iptc4xmpExt:PersonInImage",
      "GCamera:MotionPhoto",
      "Container:Directory", "Item:Semantic", "Item:Length", "GDepth:Data", "GPano:",
      "xmpNote:HasExtendedXMP", "hdrgm:Version",
      "apdi:AuxiliaryImageType", "xmlns:", "<?xpacket", "&#x10FFFF;", "<![CDATA[",
    ],
    seeds: { name, file in
      if ends(name, "xmp") { return file.count < 1 << 16 ? [file] : [] }
      guard ends(name, "jpg", "jpeg", "heic"), let start = file.place(of: "<x:xmpmeta".utf8),
        let end = file.place(of: "</x:xmpmeta>".utf8, from: start), end - start < 1 << 16
      else { return [] }
      return [Array(file[start..<end + 12])]
    },
    body: { input in
      let packet = Array(input.prefix(65_000))
      let source = MemoryByteSource(jpeg(with: Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet))
      let checks = PhotoChecks(source: source)
      checks.run()
      answering { try rewritePicture(checks) }
      answering {
        let facts = try SidecarFacts(MemoryByteSource(input))
        let change = facts.facts(over: nil, nil)
        expect(
          (try? SidecarFacts(MemoryByteSource(facts.bytes))) != nil,
          "a sidecar that was written cannot be read")
        _ = change.after(.neutral)
      }
    })

  /// The length of the scans in fixtures that have further pictures. Each rewriting step copies the scans, reads them
  /// again and compares them.
  private static let longestScan = 1 << 14

  private static let jpegWords = [
    "Exif\0\0", "JFIF\0", "JFXX\0", "MPF\0", "http://ns.adobe.com/xap/1.0/\0",
    "http://ns.adobe.com/xmp/extension/\0",
    "ICC_PROFILE\0", "Photoshop 3.0\0", "8BIM", "Adobe", "MotionPhoto_Data", "SEFH", "SEFT",
    "urn:iso:std:iso:ts:21496:-1\0",
    "Apple iOS\0", "ftypmp42", "jumb", "JP\0\0",
  ]

  /// Performs an editor's changes to the rest of a photo, with the file's own picture as the new picture.
  private static func rewritePicture(_ checks: PhotoChecks) throws {
    let photo = try Photo(checks.source)
    guard photo.kind == .jpeg else { return }
    let surgery = try JPEGSurgery(photo)
    if surgery.isMotionPhoto {
      // A Motion Photo is edited only as the photo that remains without its movie.
      let alone = MemoryByteSink()
      try MotionPhoto.Parts(photo).writePhoto(to: alone)
      let checks = PhotoChecks(source: MemoryByteSource(alone.bytes))
      guard try !JPEGSurgery(Photo(checks.source)).isMotionPhoto else { return }
      return try rewritePicture(checks)
    }
    let image = surgery.original.untilEOI
    func check(_ result: JPEGSurgery.Result) {
      answering {
        do { _ = try JPEGFile(result.bytes) } catch {
          broken("a JPEG that was written cannot be read: \(error)")
        }
        _ = try checks.written(.tied) {
          $0.write(result.bytes)
          return []
        }
      }
    }
    let crop = PictureProjection(scale: [1.25, 1.25], shift: [-0.125, -0.125])
    for (transform, projection) in [(Orientation.right, nil), (.upMirrored, crop), (.identity, crop)] {
      answering {
        check(
          try surgery.rewritten(
            image: image, transform: transform, projection: projection, identifier: PhotoChecks.identifier,
            thumbnail: surgery.embeddedThumbnail, maps: surgery.maps(), depth: try surgery.depthInXMP))
      }
    }
    answering {
      check(
        try surgery.rewritten(
          image: nil, transform: .identity, orientation: .identity, identifier: PhotoChecks.identifier,
          thumbnail: nil))
    }
  }

  /// Returns a grey JPEG of 8 x 8 pixels with an APP1 segment.
  static func jpeg(with segment: [UInt8]) -> [UInt8] {
    let size = segment.count + 2
    let tables: [UInt8] =
      [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
      + [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
      + [0xFF, 0xC4, 0, 20, 0, 1] + [UInt8](repeating: 0, count: 15) + [0]
      + [0xFF, 0xC4, 0, 20, 0x10, 1] + [UInt8](repeating: 0, count: 15) + [0]
    return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(size >> 8), UInt8(size & 0xFF)] + segment + tables
      + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x3F, 0xFF, 0xD9]
  }

  /// Returns a small JPEG with a movie appended in the formats of several manufacturers, or no JPEGs if the movie is
  /// large.
  private static func motionPhotos(around movie: [UInt8]) -> [[UInt8]] {
    guard movie.count < 1 << 14, let photo = try? Photo(MemoryByteSource(jpeg(with: []))) else { return [] }
    return [nil, SamsungTrailer()].compactMap { trailer in
      let sink = MemoryByteSink()
      let dialect = MotionPhoto.Dialect(trailer: trailer)
      let written = try? MotionPhoto.write(
        photo: photo, movie: MemoryByteSource(movie), stillTime: 0.1, as: dialect, to: sink)
      return written.flatMap { _ in HollowFile.input(sink.bytes) }
    }
  }

  /// Returns the coded samples of a JPEG except the first ones.
  private static func scan(in file: [UInt8]) -> Range<Int> {
    var at = 2
    while at + 4 <= file.count, file[at] == 0xFF {
      let isScan = file[at + 1] == 0xDA
      at += 2 + (Int(file[at + 2]) << 8 | Int(file[at + 3]))
      guard isScan else { continue }
      let start = at + 32
      while at + 1 < file.count, file[at] != 0xFF || file[at + 1] == 0 || 0xD0...0xD7 ~= file[at + 1] {
        at += 1
      }
      return start < at - 32 ? start..<at - 32 : 0..<0
    }
    return 0..<0
  }
}
