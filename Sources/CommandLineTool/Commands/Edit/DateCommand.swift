import Basics
import EditModel
import Workflows

/// The command `date`.
struct DateCommand: EditChange, Hashable {
  /// Seconds by which dates move; 0 leaves them.
  var shift = 0
  /// The date that is set.
  var date: CaptureDate?
  /// The name of the new time zone.
  var zone: String?
  /// True if the new zone changes the moment and not what the clock showed.
  var keepsClock = false

  private static let shift = OptionDeclaration(
    name: "shift", type: .text, placeholder: "TIME",
    synonyms: ["by", "move", "add", "offset", "delta", "time-delta"],
    help: "move all dates, as in +2h30m, -1d or +45s: days, hours, minutes, seconds")
  private static let set = OptionDeclaration(
    name: "set", type: .text, placeholder: "DATE", synonyms: ["to", "date", "at", "time"],
    help: "make all dates one, as in 2024-05-01T10:00+02:00; without +02:00 the offset stays")
  private static let zone = OptionDeclaration(
    name: "zone", type: .text, placeholder: "ZONE", synonyms: ["timezone", "time-zone", "tz"],
    help: "tell the dates in a time zone, as in Europe/Rome; the moment stays")
  private static let keepClock = OptionDeclaration(
    name: "keep-clock", synonyms: ["keep-time", "match-time", "keep"],
    help: "with --zone, keep what the clock showed; the moment changes")

  /// Its name, options and help.
  static let declaration = CommandDeclaration(
    editing: "date", summary: "Move or set the date at which photos and movies were taken.",
    about: """
      Photo and movie change alike, in every place that says a date: Exif with its offset and fraction, the
      time of GPS, XMP, IPTC, QuickTime's keys and headers. No pixel is touched: pictures, frames and sound
      are copied bit for bit. Fields that the files do not have stay away, but for Exif's and QuickTime's
      date of the capture, which are made where a date is set.

      A shift moves moments, so over a change to summer time too. Where a time zone was given with --zone,
      its rules say what the clock shows after it; where the files say no more than an offset from UTC, that
      stays. Zones are those of the system, of the package tzdata. --set and --shift can be followed by
      --zone in one command.
      """,
    forms: [
      .init(options: [shift]), .init(options: [set]), .init(options: [zone]),
    ],
    options: [shift, set, zone, keepClock, EditRequest.sidecars],
    synonyms: ["time", "timewarp", "redate", "timeshift", "touch", "datetime"],
    related: ["list", "inspect", "revert"],
    examples: [
      .init("date --shift +2h30m IMG_0001.JPG", "Moves all dates of photo and movie."),
      .init("date --set 2024-05-01T10:00+02:00 IMG_0001.JPG", "Sets the date, and the offset from UTC."),
      .init(
        "date --zone Europe/Rome --keep-clock .",
        "Says that the clock of this folder's camera showed Rome's time."),
    ]
  ) { arguments throws(UsageError) in
    var options = DateCommand()
    if let text = arguments[shift] {
      guard let seconds = seconds(text) else {
        throw UsageError(
          message: "--shift takes days, hours, minutes and seconds, as in +2h30m or -1d, not “\(text)”")
      }
      guard seconds != 0 else { throw UsageError(message: "--shift \(text) moves nothing") }
      options.shift = seconds
    }
    if let text = arguments[set] {
      guard let date = Self.date(text) else {
        throw UsageError(
          message:
            "--set takes a date and a time, as in 2024-05-01T10:00 or 2024-05-01T10:00+02:00, not “\(text)”")
      }
      options.date = date
    }
    options.zone = arguments[zone]
    options.keepsClock = arguments.has(keepClock)
    if options.keepsClock, options.zone == nil {
      throw UsageError(message: "--keep-clock goes with --zone, as in --zone Europe/Rome --keep-clock")
    }
    if options.shift != 0, options.date != nil {
      throw UsageError(
        message: "--shift moves the date that is there and --set replaces it; give one of them")
    }
    if options.keepsClock, options.date?.offset != nil {
      throw UsageError(message: "--set says an offset from UTC already; leave that or --keep-clock out")
    }
    guard options.shift != 0 || options.date != nil || options.zone != nil else {
      throw UsageError(message: "date needs one of --shift, as in --shift +2h30m, --set and --zone")
    }
    return options
  }

  var isRelative: Bool { shift != 0 }
  var changesFacts: Bool { true }

  func function() throws(EditError) -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    var requests: [DateRequest] = []
    if shift != 0 { requests.append(.shift(seconds: shift)) }
    if let date { requests.append(.set(wallClock: date.wallClock, offset: date.offset)) }
    if let zone {
      // A date without an offset is what a clock in the zone showed.
      let isClock = keepsClock || (date != nil && date?.offset == nil)
      requests.append(.zone(try TimeZones.rules(of: zone), keepsClock: isClock))
    }
    return { [requests] edit, source throws(EditError) in try source.changingDates(requests, in: edit) }
  }

  /// The seconds of a text as in `+2h30m`, `-1d` or `90s`.
  static func seconds(_ text: String) -> Int? {
    var rest = text[...]
    let isBack = rest.first == "-" || rest.first == "−"
    if isBack || rest.first == "+" { rest = rest.dropFirst() }
    var units: [(letter: Character, seconds: Int)] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]
    var sum = 0
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      // From the largest to the smallest, each once.
      guard digits.count <= 8, let count = Int(digits), let letter = rest.first,
        let place = units.firstIndex(where: { $0.letter == letter })
      else { return nil }
      sum += count * units[place].seconds
      units.removeFirst(place + 1)
      rest = rest.dropFirst()
    }
    return isBack ? -sum : sum
  }

  /// A date as in `2024-05-01T10:00`, with seconds, their fraction and an offset or without.
  static func date(_ text: String) -> CaptureDate? {
    let letters = Array(text)
    guard letters.allSatisfy(\.isASCII), letters.count >= 16 else { return nil }
    let hasSeconds = letters.count >= 19 && letters[16] == ":"
    let text = String(letters[..<16]) + (hasSeconds ? "" : ":00") + String(letters[16...])
    guard let date = CaptureDate(text, source: .exif) else { return nil }
    // What follows must be a fraction and an offset, and nothing else.
    var rest = text.dropFirst(19)
    if rest.first == "." { rest = rest.dropFirst().drop { $0.isNumber } }
    guard rest.isEmpty || date.offset != nil, rest.count <= 6 else { return nil }
    return date
  }
}
