/// The timed metadata track that marks the photo's place in a Live Photo's movie, laid down as iPhones write it
/// (QuickTime File Format, “Timed Metadata Media”): one sample, shown for one tick, behind an empty edit as long as the
/// movie runs before it.
enum StillImageTrack {
  /// The one sample: local key 1, a signed byte that iPhones set to -1. Only its time counts.
  static let sample: [UInt8] = [0, 0, 0, 9, 0, 0, 0, 1, 0xFF]

  /// The `trak` atom; its chunk offset is still to be set.
  ///
  /// - Parameters:
  ///   - trackID: the track's number.
  ///   - time: the photo's place, in ticks of the movie.
  ///   - timeScale: ticks a second of the movie.
  ///   - video: the number of the video track that it describes.
  static func atom(trackID: UInt32, time: UInt32, timeScale: UInt32, describing video: UInt32?) -> Atom {
    let edits = Track.Edit.list(Track.Edit.showing(1, after: UInt64(time)))
    var children = [header(trackID: trackID, duration: time + 1), Atom("edts", children: [edits])]
    if let video { children.append(Atom("tref", children: [Atom("cdsc", words([video]))])) }
    let media = Atom(
      "mdia",
      children: [
        // Dates unknown, one tick; language “und”.
        Atom("mdhd", words([0, 0, 0, timeScale, 1, 0x55C4_0000])),
        handler("mhlr", "meta", "Core Media Metadata"),
        Atom("minf", children: [baseMediaHeader, dataHandler, dataInformation, sampleTable]),
      ])
    return Atom("trak", children: children + [media])
  }

  private static func words(_ values: [UInt32]) -> [UInt8] {
    var bytes: [UInt8] = []
    for value in values { bytes.append(bigEndian: value) }
    return bytes
  }

  /// Enabled, in movie, in preview, in poster; identity matrix; no volume and no size.
  private static func header(trackID: UInt32, duration: UInt32) -> Atom {
    Atom(
      "tkhd",
      words([
        0x0000_000F, 0, 0, trackID, 0, duration, 0, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0,
        0x4000_0000,
        0, 0,
      ]))
  }

  private static func handler(_ component: FourCC, _ type: FourCC, _ name: String) -> Atom {
    var bytes = words([0, component.rawValue, type.rawValue, ("appl" as FourCC).rawValue, 0, 0])
    bytes.append(UInt8(truncatingIfNeeded: name.utf8.count))
    return Atom("hdlr", bytes + Array(name.utf8))
  }

  /// `gmhd`: graphics mode “dither copy”, grey, no balance.
  private static var baseMediaHeader: Atom {
    let gmin = Atom("gmin", words([0, 0x0040_8000, 0x8000_8000, 0]))
    return Atom("gmhd", gmin.serialized)
  }

  private static var dataHandler: Atom { handler("dhlr", "alis", "Core Media Data Handler") }

  /// One data reference: this file itself.
  private static var dataInformation: Atom {
    Atom("dinf", children: [Atom("dref", words([0, 1]) + Atom("alis", words([1])).serialized)])
  }

  private static var sampleTable: Atom {
    let key =
      Atom("keyd", Array("mdta".utf8) + Array(Movie.stillImageTimeKey.utf8)).serialized
      // Namespace 0, well-known type 65: a signed byte.
      + Atom("dtyp", words([0, 65])).serialized
    let keys = Atom("keys", Atom(FourCC(rawValue: 1), key).serialized)
    let description = Atom("mebx", words([0, 1]) + keys.serialized)
    return Atom(
      "stbl",
      children: [
        Atom("stsd", words([0, 1]) + description.serialized),
        Atom("stts", words([0, 1, 1, 1])),
        Atom("stsc", words([0, 1, 1, 1, 1])),
        Atom("stsz", words([0, UInt32(sample.count), 1])),
        Atom("stco", words([0, 1, 0])),
      ])
  }
}
