/// The timed metadata track that marks the photo's position in a Live Photo's movie, in the layout that iPhones write
/// (QuickTime File Format, “Timed Metadata Media”). The edit list begins with an empty edit, which lasts until the
/// photo's position. The track's only sample follows and lasts a single tick.
enum StillImageTrack {
  /// The only sample, which consists of local key 1 and a signed byte. iPhones set this byte to -1, but only the
  /// sample's time matters.
  static let sample: [UInt8] = [0, 0, 0, 9, 0, 0, 0, 1, 0xFF]

  /// Returns the `trak` atom. The caller must set the track's chunk offset.
  ///
  /// - Parameters:
  ///   - time: The photo's position, in ticks of the movie's time scale.
  ///   - timeScale: The movie's time scale, in ticks per second.
  ///   - video: The ID of the video track that the new track describes.
  static func atom(trackID: UInt32, time: UInt32, timeScale: UInt32, describing video: UInt32?) -> Atom {
    let edits = Track.Edit.list(Track.Edit.showing(1, after: UInt64(time)))
    var children = [header(trackID: trackID, duration: time + 1), Atom("edts", children: [edits])]
    if let video { children.append(Atom("tref", children: [Atom("cdsc", words: [Int(video)])])) }
    let media = Atom(
      "mdia",
      children: [
        // The dates are unknown, the duration is one tick, and the language is “und”.
        Atom("mdhd", words: [0, 0, 0, Int(timeScale), 1, 0x55C4_0000]),
        handler("mhlr", "meta", "Core Media Metadata"),
        Atom(
          "minf",
          children: [
            // The graphics mode is “dither copy”, the colour is grey, and the balance is 0.
            Atom("gmhd", Atom("gmin", words: [0, 0x0040_8000, 0x8000_8000, 0]).serialized),
            handler("dhlr", "alis", "Core Media Data Handler"),
            // The only data reference points to this file.
            Atom(
              "dinf", children: [Atom("dref", [UInt8](words: [0, 1]) + Atom("alis", words: [1]).serialized)]),
            sampleTable,
          ]),
      ])
    return Atom("trak", children: children + [media])
  }

  /// Returns the track header. The track is enabled and used in the movie, preview and poster. The matrix is the
  /// identity, and the volume, width and height are zero.
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
      // The value has namespace 0 and the well-known type 65, a signed byte.
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
