import Basics
import EditModel
import Workflows

/// The command `place`.
enum PlaceCommand: EditChange, Hashable {
  /// Sets or removes the location.
  case to(PlaceChange)
  /// Copies the location from another file.
  case from(String)
  /// Uses the location that a GPX track contains for the capture time.
  case track(String)

  private static let set = OptionDeclaration(
    name: "set", type: .text, placeholder: "LATITUDE,LONGITUDE[,ALTITUDE]",
    synonyms: ["to", "location", "gps", "coordinates", "at"],
    help: "degrees north and east, such as 48.137,11.575, and metres above sea level")
  private static let remove = OptionDeclaration(
    name: "remove", synonyms: ["clear", "delete", "none", "reset", "strip"], help: "remove the location")
  private static let from = OptionDeclaration(
    name: "from", type: .file, placeholder: "OTHER", synonyms: ["copy", "like", "of"],
    help: "copy the location of another photo or movie")
  private static let gpx = OptionDeclaration(
    name: "gpx", type: .file, placeholder: "TRACK", synonyms: ["track", "geotag", "geosync"],
    help: "use the location in a GPX track at the time of capture")

  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    editing: "place", summary: "Set or remove the location of capture.",
    about: """
      Changes the location everywhere in photo and movie: Exif, XMP, IPTC, QuickTime keys and user data.
      Removes recorded paths and the accuracy of the old location, and also place names if the location
      moves by more than a kilometre. Pictures, frames and audio are copied bit for bit.

      In a GPX track, the location is interpolated between the points before and after the capture if they
      are at most \(GPXTrack.longestGap / 60) minutes apart; otherwise a point within \(GPXTrack.nearness) seconds is used. Correct the camera's
      clock first with liveedit date --shift.
      """,
    forms: [
      .init(options: [set]), .init(options: [remove]), .init(options: [from]), .init(options: [gpx]),
    ],
    options: [set, remove, from, gpx, EditRequest.sidecars],
    synonyms: ["location", "gps", "geotag", "coordinates", "geo"],
    related: ["date", "list", "export"],
    examples: [
      .init(
        "place --set 48.137,11.575,519 IMG_0001.JPG", "Sets the location, with an altitude of 519 metres."),
      .init("place --remove IMG_0001.JPG", "Removes the location from the edited photo and movie."),
    ]
  ) { arguments throws(UsageError) in
    let given = [arguments[set] != nil, arguments.has(remove), arguments[from] != nil, arguments[gpx] != nil]
    guard given.count(where: { $0 }) == 1 else {
      throw UsageError(
        message: "place needs --set, --remove, --from or --gpx, for example --set 48.137,11.575")
    }
    if let text = arguments[set] {
      guard let place = place(text) else {
        throw UsageError(
          message:
            "--set needs degrees north and east, optionally followed by metres above sea level, such as 48.137,11.575,519, not “\(text)”"
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

  /// Parses a location such as `48.137,11.575` or `48.137,11.575,519`.
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
