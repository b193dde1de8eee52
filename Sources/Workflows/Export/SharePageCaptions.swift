import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// The captions of a picture on a share page.
struct SharePageCaptions {
  /// The day of capture, `2024-05-26`, or nil if the caption omits it.
  let day: String?
  /// The values for the template.
  let values: [String: PageTemplate.Value]

  /// - Parameters:
  ///   - facts: The asset's entry in its folder's index.
  ///   - isMotionPhoto: Whether the movie is stored in the photo's file.
  ///   - stripping: The private metadata to omit.
  init(_ facts: IndexedAsset, isMotionPhoto: Bool, _ stripping: PrivateMetadata?) {
    let metadata = facts.metadata
    let name = RenderNames.Parts(facts.name).stem
    let created = stripping == .all ? nil : metadata.created?.text
    // The date is shortened to the minute, without its time zone.
    let minutes = created.map { String($0.prefix(16).replacing("T", with: " ")) }
    let (kind, badge) = Self.kind(isMotionPhoto ? nil : metadata.kind)
    let camera = stripping == .all || metadata.model == nil ? nil : metadata.source
    let words = [kind + " " + name, minutes, metadata.isEdited ? "edited" : nil].compactMap { $0 }
    day = created.map { String($0.prefix(10)) }
    let place = stripping == nil ? metadata.location : nil
    let texts: [String: String?] = [
      "name": name, "words": words.joined(separator: ", "), "badge": badge, "date": minutes,
      "dateTime": minutes?.replacing(" ", with: "T"), "camera": camera, "place": place.map(Self.degrees),
    ]
    values = texts.compactMapValues { $0.map { .text($0) } }
  }

  /// Returns the name of an asset's kind and the badge on its pictures. Nil represents a Motion Photo.
  private static func kind(_ kind: AssetKind?) -> (name: String, badge: String?) {
    switch kind {
    case nil: ("Motion Photo", "MOTION")
    case .live: ("Live Photo", "LIVE")
    case .movie: ("Movie", "MOVIE")
    case .photo: ("Photo", nil)
    }
  }

  /// Formats a location in degrees north and east, accurate to about ten metres.
  private static func degrees(_ place: GeoLocation) -> String {
    [place.latitude, place.longitude].map { value in
      let count = Int((abs(value) * 10_000).rounded())
      return (value < 0 ? "-" : "") + "\(count / 10_000).\(String(10_000 + count % 10_000).dropFirst())"
    }.joined(separator: ", ")
  }
}
