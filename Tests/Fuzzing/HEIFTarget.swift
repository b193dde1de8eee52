import Basics
import EditModel
import LivePhotoFormat

extension FuzzTarget {
  /// Fuzzes whole HEIC photos: boxes, items, properties, and all code that rewrites them.
  static let heif = FuzzTarget(
    "heif",
    words: [
      "ftyp", "heic", "mif1", "msf1", "meta", "hdlr", "pict", "pitm", "iinf", "infe", "iloc", "iref", "iprp",
      "ipco", "ipma",
      "ispe", "pixi", "colr", "nclx", "prof", "irot", "imir", "clap", "hvcC", "auxC", "grid", "iovl", "iden",
      "tmap", "hvc1",
      "av01", "jpeg", "Exif", "mime", "uri ", "idat", "mdat", "dimg", "thmb", "auxl", "cdsc", "base", "prem",
      "grpl", "altr",
      "ster", "dinf", "dref", "moov", "mpvd", "application/rdf+xml",
      "urn:com:apple:photo:2020:aux:hdrgainmap",
      "urn:mpeg:hevc:2015:auxid:1", "MotionPhoto_Data",
    ], longestHole: HollowFile.longest,
    seeds: { name, file in
      guard ends(name, "heic", "heif") else { return [] }
      return [HollowFile.input(file), HollowFile.input(file, without: media(in: file))].compactMap { $0 }
    },
    body: { input in
      let source = HollowFile(input)
      let checks = PhotoChecks(source: source)
      checks.run()
      answering {
        let photo = try Photo(source)
        guard photo.kind == .heif else { return }
        let file = try HEIFFile(photo)
        for item in try [file.primaryItem] + file.relatedPictures.prefix(8).map(\.item) {
          answering { _ = try HEIFPicture(file, item: item) }
        }
        for turn in [Orientation.right, .downMirrored] {
          answering {
            let written = try checks.written(.tied) {
              try file.write(turn: turn, identifier: PhotoChecks.identifier, to: $0)
            }
            expect(
              try written.metadata().orientation == photo.metadata().orientation.then(turn),
              "a turn went wrong")
          }
        }
        answering { try replacePicture(of: file, checks) }
        answering { try toJPEG(file, checks) }
      }
    })

  /// Replaces the pixels, using the old pixels as the new ones.
  private static func replacePicture(of file: HEIFFile, _ checks: PhotoChecks) throws {
    var pictures: [UInt32: HEIFCodedPicture] = [:]
    for item in try [file.pixelItem] + file.relatedPictures.prefix(8).map(\.item) {
      guard let picture = try? HEIFPicture(file, item: item) else { continue }
      let tiles = try picture.tiles.prefix(1024).map { ranges in
        try ranges.flatMap { try file.source.read(at: $0.lowerBound, count: $0.count) }
      }
      guard tiles.count == picture.tiles.count else { continue }
      pictures[item] = HEIFCodedPicture(
        configuration: picture.configuration, tiles: tiles, grid: picture.grid)
    }
    _ = try checks.written(.tied) {
      try file.write(HEIFEdit(pictures: pictures), turn: .right, identifier: PhotoChecks.identifier, to: $0)
    }
  }

  private static func toJPEG(_ file: HEIFFile, _ checks: PhotoChecks) throws {
    let image = jpeg(with: [])
    var maps: [UInt32: [UInt8]] = [:]
    for picture in try file.relatedPictures.prefix(8) {
      answering {
        maps[picture.item] =
          picture.role == .gainMap
          ? try file.gainMapJPEG(image, item: picture.item)
          : try file.mapJPEG(image, item: picture.item, projection: nil).bytes
      }
    }
    let result = try file.jpeg(
      image, profile: nil, transform: .identity, identifier: PhotoChecks.identifier, thumbnail: image,
      maps: maps)
    do { _ = try JPEGFile(result.bytes) } catch { broken("a JPEG that was written cannot be read: \(error)") }
    _ = try checks.written(.tied) {
      $0.write(result.bytes)
      return []
    }
  }

  /// Returns the middle part of the largest `mdat` box.
  private static func media(in file: [UInt8]) -> Range<Int> {
    var (at, found) = (0, 0..<0)
    while at + 16 <= file.count {
      let size = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = min(size < 8 ? file.count : at + size, file.count)
      if file[at + 4..<at + 8].elementsEqual("mdat".utf8), end - at - 40_000 > found.count {
        found = at + 36_000..<min(end - 4000, at + 36_000 + HollowFile.longest)
      }
      at = max(end, at + 8)
    }
    return found
  }
}
