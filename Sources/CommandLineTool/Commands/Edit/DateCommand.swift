import Basics
import EditModel
import Workflows

/// The command `date`.
struct DateCommand: EditChange, Hashable {
  /// The number of seconds by which dates are shifted; 0 for no shift.
  var shift = 0
  /// The date to set.
  var date: CaptureDate?
  /// The name of the new time zone.
  var zone: String?
  /// Whether setting the new time zone keeps the local time and changes the instant.
  var keepsClock = false

  private static let shift = OptionDeclaration(
    name: "shift", type: .text, placeholder: "TIME",
    synonyms: ["by", "move", "add", "offset", "delta", "time-delta"],
    help: "shift all dates by days, hours, minutes or seconds, such as +2h30m, -1d or +45s")
  private static let set = OptionDeclaration(
    name: "set", type: .text, placeholder: "DATE", synonyms: ["to", "date", "at", "time"],
    help: "set all dates to this time, such as 2024-05-01T10:00+02:00; without +02:00 the offset stays")
  private static let zone = OptionDeclaration(
    name: "zone", type: .text, placeholder: "ZONE", synonyms: ["timezone", "time-zone", "tz"],
    help: "express all dates in this time zone, such as Europe/Rome; the moment stays the same")
  private static let keepClock = OptionDeclaration(
    name: "keep-clock", synonyms: ["keep-time", "match-time", "keep"],
    help: "with --zone, keep the clock time and change the moment")

  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    editing: "date", summary: "Shift or set the date and time of capture.",
    about: """
      Changes every date of capture in photo and movie: Exif (with offset and fraction), GPS time, XMP,
      IPTC, QuickTime keys and headers. Missing fields are not added, except the Exif and QuickTime dates
      of capture, which are created when a date is set. Pictures, frames and audio are copied bit for bit.

      --shift moves the moment, even across a change to summer time. If --zone has set a time zone, its
      rules determine the clock time after a shift; if the files state only an offset from UTC, the offset
      stays. Time zones come from the system's tzdata package. --zone can be combined with --set or
      --shift.
      """,
    forms: [
      .init(options: [shift]), .init(options: [set]), .init(options: [zone]),
    ],
    options: [shift, set, zone, keepClock, EditRequest.sidecars],
    synonyms: ["time", "timewarp", "redate", "timeshift", "touch", "datetime"],
    related: ["list", "inspect", "revert"],
    examples: [
      .init(
        "date --shift +2h30m IMG_0001.JPG", "Shifts all dates of photo and movie by two and a half hours."),
      .init("date --set 2024-05-01T10:00+02:00 IMG_0001.JPG", "Sets the date and the offset from UTC."),
      .init(
        "date --zone Europe/Rome --keep-clock .",
        "Declares for this folder that the camera's clock showed the time in Rome."),
    ]
  ) { arguments throws(UsageError) in
    var options = DateCommand()
    if let text = arguments[shift] {
      guard let seconds = seconds(text) else {
        throw UsageError(
          message: "--shift needs days, hours, minutes or seconds, such as +2h30m or -1d, not “\(text)”")
      }
      guard seconds != 0 else { throw UsageError(message: "--shift \(text) has no effect") }
      options.shift = seconds
    }
    if let text = arguments[set] {
      guard let date = Self.date(text) else {
        throw UsageError(
          message:
            "--set needs a date and a time, such as 2024-05-01T10:00 or 2024-05-01T10:00+02:00, not “\(text)”"
        )
      }
      options.date = date
    }
    options.zone = arguments[zone]
    options.keepsClock = arguments.has(keepClock)
    if options.keepsClock, options.zone == nil {
      throw UsageError(message: "--keep-clock needs --zone, for example --zone Europe/Rome --keep-clock")
    }
    if options.shift != 0, options.date != nil {
      throw UsageError(
        message: "--shift moves the existing date and --set replaces it; use only one of them")
    }
    if options.keepsClock, options.date?.offset != nil {
      throw UsageError(message: "--set already states an offset from UTC; remove the offset or --keep-clock")
    }
    guard options.shift != 0 || options.date != nil || options.zone != nil else {
      throw UsageError(message: "date needs --shift, --set or --zone, for example --shift +2h30m")
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
      // A date without an offset is a local time in the new time zone.
      let isClock = keepsClock || (date != nil && date?.offset == nil)
      requests.append(.zone(try TimeZones.rules(of: zone), keepsClock: isClock))
    }
    return { [requests] edit, source throws(EditError) in try source.changingDates(requests, in: edit) }
  }

  /// Parses a duration in seconds from text such as `+2h30m`, `-1d` or `90s`.
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
      // Units must be in descending order, and each unit may appear only once.
      guard digits.count <= 8, let count = Int(digits), let letter = rest.first,
        let place = units.firstIndex(where: { $0.letter == letter })
      else { return nil }
      sum += count * units[place].seconds
      units.removeFirst(place + 1)
      rest = rest.dropFirst()
    }
    return isBack ? -sum : sum
  }

  /// Parses a date such as `2024-05-01T10:00`, with optional seconds, fraction and offset.
  static func date(_ text: String) -> CaptureDate? {
    let letters = Array(text)
    guard letters.allSatisfy(\.isASCII), letters.count >= 16 else { return nil }
    let hasSeconds = letters.count >= 19 && letters[16] == ":"
    let text = String(letters[..<16]) + (hasSeconds ? "" : ":00") + String(letters[16...])
    guard let date = CaptureDate(text, source: .exif) else { return nil }
    // The rest must consist only of a fraction and an offset.
    var rest = text.dropFirst(19)
    if rest.first == "." { rest = rest.dropFirst().drop { $0.isNumber } }
    guard rest.isEmpty || date.offset != nil, rest.count <= 6 else { return nil }
    return date
  }
}
