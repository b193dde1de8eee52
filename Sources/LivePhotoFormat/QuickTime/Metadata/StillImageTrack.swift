/// The timed metadata track that marks the photo's place in a Live Photo's movie, laid down as iPhones write it
/// (QuickTime File Format, “Timed Metadata Media”): one sample, shown for one tick, behind an empty edit as long as the
/// movie runs before it.
enum StillImageTrack {
  /// The one sample: local key 1, a signed byte that iPhones set to -1. Only its time counts.
  static let sample: [UInt8] = [0, 0, 0, 9, 0, 0, 0, 1, 0xFF]

  /// The `trak` atom; its chunk offset is still to be set.
  ///
  /// - Parameters:
  ///   - time: the photo's place, in ticks of the movie.
  ///   - timeScale: ticks a second of the movie.
  ///   - video: the number of the video track that it describes.
  static func atom(trackID: UInt32, time: UInt32, timeScale: UInt32, describing video: UInt32?) -> Atom {
    let edits = Track.Edit.list(Track.Edit.showing(1, after: UInt64(time)))
    var children = [header(trackID: trackID, duration: time + 1), Atom("edts", children: [edits])]
    if let video { children.append(Atom("tref", children: [Atom("cdsc", words: [Int(video)])])) }
    let media = Atom(
      "mdia",
      children: [
        // Dates unknown, one tick; language “und”.
        Atom("mdhd", words: [0, 0, 0, Int(timeScale), 1, 0x55C4_0000]),
        handler("mhlr", "meta", "Core Media Metadata"),
        Atom(
          "minf",
          children: [
            // Graphics mode “dither copy”, grey, no balance.
            Atom("gmhd", Atom("gmin", words: [0, 0x0040_8000, 0x8000_8000, 0]).serialized),
            handler("dhlr", "alis", "Core Media Data Handler"),
            // One data reference: this file itself.
            Atom(
              "dinf", children: [Atom("dref", [UInt8](words: [0, 1]) + Atom("alis", words: [1]).serialized)]),
            sampleTable,
          ]),
      ])
    return Atom("trak", children: children + [media])
  }

  /// Enabled, in movie, in preview, in poster; identity matrix; no volume and no size.
  private static func header(trackID: UInt32, duration: UInt32) -> Atom {
    Atom(
      "tkhd",
      words: [
        0x0000_000F, 0, 0, Int(trackID), 0, Int(duration), 0, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0,
        0x4000_0000, 0, 0,
      ])
  }

  private static func handler(_ component: FourCC, _ type: FourCC, _ name: String) -> Atom {
    let kinds = [component, type, "appl"].map { Int($0.rawValue) }
    let text = [UInt8(truncatingIfNeeded: name.utf8.count)] + Array(name.utf8)
    return Atom("hdlr", [UInt8](words: [0] + kinds + [0, 0]) + text)
  }

  private static var sampleTable: Atom {
    let key =
      Atom("keyd", Array("mdta".utf8) + Array(Movie.stillImageTimeKey.utf8)).serialized
      // Namespace 0, well-known type 65: a signed byte.
      + Atom("dtyp", words: [0, 65]).serialized
    let keys = Atom("keys", Atom(FourCC(rawValue: 1), key).serialized)
    let description = Atom("mebx", [UInt8](words: [0, 1]) + keys.serialized)
    return Atom(
      "stbl",
      children: [
        Atom("stsd", [UInt8](words: [0, 1]) + description.serialized),
        Atom("stts", words: [0, 1, 1, 1]),
        Atom("stsc", words: [0, 1, 1, 1, 1]),
        Atom("stsz", words: [0, sample.count, 1]),
        Atom("stco", words: [0, 1, 0]),
      ])
  }
}
