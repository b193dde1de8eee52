import Basics
import EditModel

/// The metadata of an entire movie, read from all locations that programs use. Typed metadata can be in `moov`, as in
/// QuickTime files, or in `udta`, as written by ffmpeg with `-movflags use_metadata_tags`. Text entries identified by
/// codes can be in user data, either directly or in iTunes' layout (QuickTime File Format, “Metadata Atoms and Types”
/// and “User Data Atoms”).
struct MovieKeys {
  /// The typed metadata. Items from `moov` are listed first.
  let items: [MetadataItems.Item]
  /// The text entries identified by codes. Entries from `udta` come first, followed by entries in iTunes' layout.
  let codes: [(code: FourCC, text: String)]

  /// QuickTime's key for the camera's manufacturer.
  static let make = "com.apple.quicktime.make"
  /// QuickTime's key for the camera's model.
  static let model = "com.apple.quicktime.model"
  /// QuickTime's key for the program or system that wrote the movie.
  static let software = "com.apple.quicktime.software"

  /// The alternative names of QuickTime's keys: key names used by Android and ffmpeg, and codes.
  private static let aliases: [String: (keys: [String], codes: [FourCC])] = [
    MetadataItems.creationDate: (["date"], [.userDataDay]),
    MetadataItems.location: (["location"], [.userDataPlace]),
    make: (["com.android.manufacturer", "make"], ["©mak"]),
    model: (["com.android.model", "model"], ["©mod"]),
    software: ([], ["©swr", "©too"]),
  ]

  /// The maximum length in bytes of a text entry identified by a code.
  private static let longestText = 4096

  /// Reads a movie's metadata.
  ///
  /// - Parameter moov: The movie's `moov` atom.
  /// - Throws: ``MediaError`` if the metadata in `moov` is damaged. Damaged user data is ignored.
  init(_ moov: Atom) throws {
    let users = try moov.all("udta").flatMap { (try? $0.takenApart().children) ?? [] }
    let inMovie = try moov.all("meta")
    let inUsers = users.filter { $0.kind == "meta" }
    // Other programs read only the first typed metadata in each of these two locations.
    let own = try inMovie.compactMap { try MetadataItems($0.plainMetadata) }.first
    let user = inUsers.lazy.compactMap { try? MetadataItems($0.plainMetadata) }.first
    items = (own?.items ?? []) + (user?.items ?? [])
    let plain = users.filter { $0.kind.isCode }.flatMap { entry in
      ((try? UserText(entry.bytes).all) ?? []).map { (entry.kind, $0) }
    }
    let listed = (inMovie + inUsers).filter { (try? MetadataItems($0.plainMetadata)) == nil }.flatMap(\.codes)
      .flatMap { entry in entry.codedTexts.map { (entry.kind, $0) } }
    codes = (plain + listed).map { kind, text in
      // Some strings are terminated by a zero byte.
      (kind, String(decoding: text.prefix(Self.longestText).prefix { $0 != 0 }, as: UTF8.self))
    }
  }

  /// Returns the text of a key's first UTF-8 value.
  func text(_ name: String) -> String? {
    items.first { $0.name == name && $0.type == 1 }.map { String(decoding: $0.value, as: UTF8.self) }
  }

  /// Returns the values of a key, stored under its own name or its alternative names. The most reliable value comes
  /// first.
  ///
  /// - Parameter name: The name of the key in QuickTime.
  func texts(_ name: String) -> [String] {
    let alias = Self.aliases[name]
    return ([name] + (alias?.keys ?? [])).compactMap(text)
      + (alias?.codes ?? []).flatMap { code in codes.filter { $0.code == code }.map(\.text) }
  }

  /// The capture date, or nil if no metadata outside the movie's header contains a date.
  var created: CaptureDate? {
    texts(MetadataItems.creationDate).lazy.compactMap { CaptureDate($0, source: .quickTime) }.first
  }

  /// The capture location.
  var location: GeoLocation? {
    texts(MetadataItems.location).lazy.compactMap(ISO6709.location).first
  }
}
