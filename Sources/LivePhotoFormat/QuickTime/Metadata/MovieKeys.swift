import Basics
import EditModel

/// The metadata of a whole movie from all locations that programs use: typed metadata in `moov` (as in QuickTime) or in
/// `udta` (as with ffmpeg's `-movflags use_metadata_tags`), and texts identified by codes in user data, plain or in
/// iTunes' layout (QuickTime File Format, “Metadata Atoms and Types” and “User Data Atoms”).
struct MovieKeys {
  /// The typed metadata. Items from `moov` are listed first.
  let items: [MetadataItems.Item]
  /// The texts identified by codes: first those from `udta`, then those in iTunes' layout.
  let codes: [(code: FourCC, text: String)]

  /// QuickTime's key for the camera's manufacturer.
  static let make = "com.apple.quicktime.make"
  /// QuickTime's key for the camera's model.
  static let model = "com.apple.quicktime.model"
  /// QuickTime's key for the program or system that wrote the movie.
  static let software = "com.apple.quicktime.software"

  /// The alternative names of QuickTime's keys: those of Android and ffmpeg, and codes.
  private static let aliases: [String: (keys: [String], codes: [FourCC])] = [
    MetadataItems.creationDate: (["date"], [.userDataDay]),
    MetadataItems.location: (["location"], [.userDataPlace]),
    make: (["com.android.manufacturer", "make"], ["©mak"]),
    model: (["com.android.model", "model"], ["©mod"]),
    software: ([], ["©swr", "©too"]),
  ]

  /// The maximum length of a text identified by a code.
  private static let longestText = 4096

  /// Reads a movie's metadata.
  ///
  /// - Parameter moov: The movie's `moov` atom.
  /// - Throws: ``MediaError`` if the metadata in `moov` is damaged. Damaged user data is ignored.
  init(_ moov: Atom) throws {
    let users = try moov.all("udta").flatMap { (try? $0.takenApart().children) ?? [] }
    let inMovie = try moov.all("meta")
    let inUsers = users.filter { $0.kind == "meta" }
    // Other programs read only the first typed metadata in each of the two locations.
    let own = try inMovie.compactMap { try MetadataItems($0.plainMetadata) }.first
    let user = inUsers.lazy.compactMap { try? MetadataItems($0.plainMetadata) }.first
    items = (own?.items ?? []) + (user?.items ?? [])
    let plain = users.filter { $0.kind.isCode }.flatMap { entry in
      ((try? UserText(entry.bytes).all) ?? []).map { (entry.kind, $0) }
    }
    let listed = (inMovie + inUsers).filter { (try? MetadataItems($0.plainMetadata)) == nil }.flatMap(\.codes)
      .flatMap { entry in entry.codedTexts.map { (entry.kind, $0) } }
    codes = (plain + listed).map { kind, text in
      // Some texts end with a zero byte.
      (kind, String(decoding: text.prefix(Self.longestText).prefix { $0 != 0 }, as: UTF8.self))
    }
  }

  /// Returns the text of a key's first UTF-8 value.
  func text(_ name: String) -> String? {
    items.first { $0.name == name && $0.type == 1 }.map { String(decoding: $0.value, as: UTF8.self) }
  }

  /// Returns the values of a key, under its own name and its alternative names, the most reliable first.
  ///
  /// - Parameter name: The key's name in QuickTime.
  func texts(_ name: String) -> [String] {
    let alias = Self.aliases[name]
    return ([name] + (alias?.keys ?? [])).compactMap(text)
      + (alias?.codes ?? []).flatMap { code in codes.filter { $0.code == code }.map(\.text) }
  }

  /// The capture date, or nil if only the movie's header states a date.
  var created: CaptureDate? {
    texts(MetadataItems.creationDate).lazy.compactMap { CaptureDate($0, source: .quickTime) }.first
  }

  /// The capture location.
  var location: GeoLocation? {
    texts(MetadataItems.location).lazy.compactMap(ISO6709.location).first
  }
}
