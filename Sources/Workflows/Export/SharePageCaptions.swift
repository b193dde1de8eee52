import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// The words below a picture of a page to send.
struct SharePageCaptions {
  /// The day on which it was taken, `2024-05-26`; nil where it is not told.
  let day: String?
  /// The values of the template.
  let values: [String: PageTemplate.Value]

  /// - Parameters:
  ///   - facts: the asset as its folder's index knows it.
  ///   - isMotionPhoto: whether the movie lies in the photo's file.
  ///   - stripping: what is not told.
  init(_ facts: IndexedAsset, isMotionPhoto: Bool, _ stripping: PrivateMetadata?) {
    let metadata = facts.metadata
    let name = RenderNames.Parts(facts.name).stem
    let created = stripping == .all ? nil : metadata.created?.text
    // To the minute, without its zone.
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

  /// The name of a kind and the sign on its pictures; nil is a photo with a movie in its file.
  private static func kind(_ kind: AssetKind?) -> (name: String, badge: String?) {
    switch kind {
    case nil: ("Motion Photo", "MOTION")
    case .live: ("Live Photo", "LIVE")
    case .movie: ("Movie", "MOVIE")
    case .photo: ("Photo", nil)
    }
  }

  /// A place in degrees north and east, to about ten metres.
  private static func degrees(_ place: GeoLocation) -> String {
    [place.latitude, place.longitude].map { value in
      let count = Int((abs(value) * 10_000).rounded())
      return (value < 0 ? "-" : "") + "\(count / 10_000).\(String(10_000 + count % 10_000).dropFirst())"
    }.joined(separator: ", ")
  }
}
