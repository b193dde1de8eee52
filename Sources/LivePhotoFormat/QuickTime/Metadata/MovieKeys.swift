import Basics
import EditModel

/// The metadata of a whole movie, wherever programs put it: as typed metadata in `moov`, where QuickTime has it, or in `udta`,
/// where ffmpeg's `-movflags use_metadata_tags` puts it, and by codes in user data, plain or as iTunes lays it down (QuickTime
/// File Format, “Metadata Atoms and Types” and “User Data Atoms”).
struct MovieKeys {
  /// The typed metadata, that of `moov` first.
  let items: [MetadataItems.Item]
  /// The texts by codes: those of `udta`, then those of iTunes.
  let codes: [(code: FourCC, text: String)]

  /// QuickTime's key for the maker of the camera.
  static let make = "com.apple.quicktime.make"
  /// QuickTime's key for the model of the camera.
  static let model = "com.apple.quicktime.model"
  /// QuickTime's key for the program or system that wrote the movie.
  static let software = "com.apple.quicktime.software"

  /// The other names of QuickTime's keys: those of Android and of ffmpeg, and codes.
  private static let aliases: [String: (keys: [String], codes: [FourCC])] = [
    MetadataItems.creationDate: (["date"], [.userDataDay]),
    MetadataItems.location: (["location"], [.userDataPlace]),
    make: (["com.android.manufacturer", "make"], ["©mak"]),
    model: (["com.android.model", "model"], ["©mod"]),
    software: ([], ["©swr", "©too"]),
  ]

  /// No text by a code is longer.
  private static let longestText = 4096

  /// Reads a movie's metadata.
  ///
  /// - Parameter moov: the movie's atom.
  /// - Throws: ``MediaError`` when the metadata of `moov` is damaged. Damaged user data is passed over.
  init(_ moov: Atom) throws {
    let users = try moov.all("udta").flatMap { (try? $0.takenApart().children) ?? [] }
    let inMovie = try moov.all("meta")
    let inUsers = users.filter { $0.kind == "meta" }
    // Readers look at the first of each place.
    let own = try inMovie.compactMap { try MetadataItems($0.plainMetadata) }.first
    let user = inUsers.lazy.compactMap { try? MetadataItems($0.plainMetadata) }.first
    items = (own?.items ?? []) + (user?.items ?? [])
    let plain = users.filter { $0.kind.isCode }.flatMap { entry in
      ((try? UserText(entry.bytes).all) ?? []).map { (entry.kind, $0) }
    }
    let listed = (inMovie + inUsers).filter { (try? MetadataItems($0.plainMetadata)) == nil }.flatMap(\.codes)
      .flatMap { entry in entry.codedTexts.map { (entry.kind, $0) } }
    codes = (plain + listed).map { kind, text in
      // Some end with a zero.
      (kind, String(decoding: text.prefix(Self.longestText).prefix { $0 != 0 }, as: UTF8.self))
    }
  }

  /// The text of a key: of its first value of type UTF-8.
  func text(_ name: String) -> String? {
    items.first { $0.name == name && $0.type == 1 }.map { String(decoding: $0.value, as: UTF8.self) }
  }

  /// What a key says, by its own name and by others, in the order of trust.
  ///
  /// - Parameter name: the key, as QuickTime has it.
  func texts(_ name: String) -> [String] {
    let alias = Self.aliases[name]
    return ([name] + (alias?.keys ?? [])).compactMap(text)
      + (alias?.codes ?? []).flatMap { code in codes.filter { $0.code == code }.map(\.text) }
  }

  /// When the movie was taken: nil where only its header says a date.
  var created: CaptureDate? {
    texts(MetadataItems.creationDate).lazy.compactMap { CaptureDate($0, source: .quickTime) }.first
  }

  /// Where the movie was taken.
  var location: GeoLocation? {
    texts(MetadataItems.location).lazy.compactMap(ISO6709.location).first
  }
}
