import Basics
import EditModel
import Workflows

/// The command `place`.
enum PlaceCommand: EditChange, Hashable {
  /// A place, or none.
  case to(PlaceChange)
  /// The place of another file.
  case from(String)
  /// The place on a track.
  case track(String)

  private static let set = OptionDeclaration(
    name: "set", type: .text, placeholder: "LATITUDE,LONGITUDE[,ALTITUDE]",
    synonyms: ["to", "location", "gps", "coordinates", "at"],
    help: "degrees north and east, as in 48.137,11.575, and metres above the sea")
  private static let remove = OptionDeclaration(
    name: "remove", synonyms: ["clear", "delete", "none", "reset", "strip"], help: "take the place out")
  private static let from = OptionDeclaration(
    name: "from", type: .file, placeholder: "OTHER", synonyms: ["copy", "like", "of"],
    help: "take the place of another photo or movie")
  private static let gpx = OptionDeclaration(
    name: "gpx", type: .file, placeholder: "TRACK", synonyms: ["track", "geotag", "geosync"],
    help: "take the place from a GPX track, by the moment of the capture")

  /// Its name, options and help.
  static let declaration = CommandDeclaration(
    editing: "place", summary: "Set or remove the place at which photos and movies were taken.",
    about: """
      Photo and movie change alike, in every place that says one: Exif, XMP, IPTC, QuickTime's keys and user
      data. How exact the old place was goes with it, and so do recorded paths and, beyond a kilometre, the
      names of places; --verbose names them. No pixel is touched: pictures, frames and sound are copied bit
      for bit.

      Of a track the place lies between the points before and behind the moment, where those are at most
      \(GPXTrack.longestGap / 60) minutes apart; otherwise a point within \(GPXTrack.nearness) seconds counts. liveedit date --shift corrects
      a camera's clock before that.
      """,
    forms: [
      .init(options: [set]), .init(options: [remove]), .init(options: [from]), .init(options: [gpx]),
    ],
    options: [set, remove, from, gpx, EditRequest.sidecars],
    synonyms: ["location", "gps", "geotag", "coordinates", "geo"],
    related: ["date", "list", "export"],
    examples: [
      .init("place --set 48.137,11.575,519 IMG_0001.JPG", "Sets the place, and 519 metres above the sea."),
      .init("place --remove IMG_0001.JPG", "Takes the place out of the render of both halves."),
    ]
  ) { arguments throws(UsageError) in
    let given = [arguments[set] != nil, arguments.has(remove), arguments[from] != nil, arguments[gpx] != nil]
    guard given.count(where: { $0 }) == 1 else {
      throw UsageError(
        message: "place needs one of --set, as in --set 48.137,11.575, --remove, --from and --gpx")
    }
    if let text = arguments[set] {
      guard let place = place(text) else {
        throw UsageError(
          message:
            "--set takes degrees north and east, and metres above the sea if they are known, as in 48.137,11.575,519, not “\(text)”"
        )
      }
      return PlaceCommand.to(PlaceChange(place))
    }
    if let path = arguments[from] { return PlaceCommand.from(path) }
    if let path = arguments[gpx] { return PlaceCommand.track(path) }
    return PlaceCommand.to(.removed)
  }

  var changesFacts: Bool { true }

  func function() throws(EditError) -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    let request: PlaceRequest
    switch self {
    case .to(let change): request = .to(change)
    case .from(let path): request = .to(PlaceChange(try placeOfFile(path)))
    case .track(let path): request = .track(try GPXTrack(path: path), file: path)
    }
    return { edit, source throws(EditError) in try source.changingPlace(request, in: edit) }
  }

  /// A place as in `48.137,11.575` or `48.137,11.575,519`.
  static func place(_ text: String) -> GeoLocation? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.drop { $0 == " " }
    }
    let numbers = parts.compactMap { $0.utf8.count <= 40 ? Double($0) : nil }
    guard numbers.count == parts.count, 2...3 ~= numbers.count, numbers.allSatisfy(\.isFinite),
      numbers.count == 2 || numbers[2].magnitude < 1_000_000
    else { return nil }
    return GeoLocation(
      latitude: numbers[0], longitude: numbers[1], altitude: numbers.count == 3 ? numbers[2] : nil)
  }
}
