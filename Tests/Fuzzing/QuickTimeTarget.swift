import Basics
import EditModel
import FoundationEssentials
import LivePhotoFormat

extension FuzzTarget {
  /// Fuzzes whole movies: atoms, sample tables, timed and other metadata, and all code that rewrites them.
  static let quickTime = FuzzTarget(
    "quicktime",
    words: [
      "ftyp", "moov", "mvhd", "trak", "tkhd", "mdia", "mdhd", "hdlr", "minf", "stbl", "stsd", "stts", "ctts",
      "cslg",
      "stss", "stsc", "stsz", "stz2", "stco", "co64", "sdtp", "sgpd", "sbgp", "edts", "elst", "meta", "keys",
      "ilst", "data",
      "mdta", "mebx", "udta", "uuid", "tref", "cdsc", "tapt", "clap", "colr", "avcC", "hvcC", "avc1", "hvc1",
      "lpcm",
      "mp4a", "wave", "moof", "traf", "trun", "tfhd", "tfdt", "mvex", "trex", "mdat", "wide", "cmov", "dcom",
      "cmvd", "vide",
      "soun", "auxv", "\u{a9}xyz", "com.apple.quicktime.content.identifier",
      "com.apple.quicktime.still-image-time",
      "com.apple.quicktime.live-photo-info", "com.apple.quicktime.location.ISO6709",
    ],
    longestHole: HollowFile.longest,
    seeds: { name, file in
      guard ends(name, "mov", "mp4") else { return [] }
      return [HollowFile.input(file, without: media(in: file), most: 1 << 16)].compactMap { $0 }
    },
    body: { input in
      let source = HollowFile(input)
      look(at: source)
      rewrite(source)
    })

  /// Returns the media of a movie except its ends, which contain timed metadata.
  private static func media(in file: [UInt8]) -> Range<Int> {
    var at = 0
    while at + 16 <= file.count {
      let size = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      if file[at + 4..<at + 8].elementsEqual("mdat".utf8) {
        let end = min(size < 8 ? file.count : at + size, file.count) - 1024
        let start = at + 1024
        return start < end ? start..<min(end, start + HollowFile.longest) : 0..<0
      }
      guard size >= 8 else { break }
      at += size
    }
    return 0..<0
  }

  /// Runs all operations that only read.
  private static func look(at source: HollowFile) {
    answering { _ = try MovieMetadata(reading: source) }
    answering {
      let inspection = try MovieInspection(reading: source)
      expect((try? JSONEncoder().encode(inspection)) != nil, "an inspection is no JSON")
    }
    answering { _ = try SidecarFacts(saidBy: source, isPhoto: false).bytes }
    answering {
      let movie = try Movie(source)
      _ = try? MovieSummary(movie)
      answering { _ = try movie.codedMedia(of: source) }
      answering { _ = try movie.compressedSound() }
      answering { _ = try movie.keyFrame(of: try Motion(keyPhoto: 0.5)) }
      answering { _ = try movie.plan(for: try Motion(trim: try Trim(from: 0.25, to: 1))) }
      for effect in Motion.Effect.allCases {
        answering { _ = try movie.framesOfEffect(of: try Motion(effect: effect)) }
      }
    }
  }

  /// Runs all operations that write data and read it again.
  private static func rewrite(_ source: HollowFile) {
    let verified = try? Verified(movie: source)
    /// Returns the movie that is written. An accepted movie can be read again, and a sound movie remains sound.
    func written(
      _ surgery: MovieSurgery, puttingTablesFirst: Bool = false, _ tie: Verified.Tie
    ) throws -> MemoryByteSource {
      let sink = MemoryByteSink()
      try surgery.write(to: sink, puttingTablesFirst: puttingTablesFirst)
      let written = MemoryByteSource(sink.bytes)
      do { _ = try Movie(written) } catch { broken("a movie that was written cannot be read: \(error)") }
      if let verified { verified.expectSound(try Verified(movie: written), tie) }
      return written
    }
    answering {
      var surgery = try MovieSurgery(source)
      try surgery.setIdentifier(PhotoChecks.identifier)
      let written = try written(surgery, .tied)
      expect(
        try MovieMetadata(reading: written).contentIdentifier == PhotoChecks.identifier,
        "an identifier that was set is not there")
      expect(
        try samples(Movie(written), written) == samples(Movie(source), source),
        "a new identifier changed what the movie shows")
    }
    answering {
      var surgery = try MovieSurgery(source)
      surgery.setQuickTime()
      try surgery.layAtOrigin()
      try surgery.markStill(at: 0.1)
      _ = try Movie(try written(surgery, puttingTablesFirst: true, .kept))
    }
    answering {
      var surgery = try MovieSurgery(source)
      try surgery.untie()
      let written = try written(surgery, .untied)
      expect(
        try MovieMetadata(reading: written).contentIdentifier == nil,
        "an identifier that was taken out is still there")
    }
    for what in PrivateMetadata.allCases {
      answering {
        var surgery = try MovieSurgery(source)
        try surgery.strip(what, identifier: nil)
        let written = try written(surgery, .untied)
        expect(
          try MovieMetadata(reading: written).location == nil, "a place that was stripped is still there")
      }
    }
  }

  /// Returns the bytes of all samples, track after track. The layout of the chunks does not affect them.
  private static func samples(_ movie: Movie, _ source: any ByteSource) throws -> [UInt8] {
    try movie.codedMedia(of: source).parts.reduce(into: []) { bytes, part in
      if case .file(let range) = part { bytes += try source.read(at: range.lowerBound, count: range.count) }
    }
  }
}
