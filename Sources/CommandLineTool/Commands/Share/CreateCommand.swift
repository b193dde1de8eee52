import Basics
import FileSystem
import RenderClient
import Workflows

/// The command that makes Live Photos.
struct CreateCommand: Command {
  private static let photo = OptionDeclaration(
    name: "photo", type: .file, placeholder: "FILE", synonyms: ["image", "picture", "still", "cover", "jpg"],
    help: "a JPEG, HEIC, PNG, TIFF or WebP picture")
  private static let movie = OptionDeclaration(
    name: "movie", type: .file, placeholder: "FILE", synonyms: ["video", "mov", "clip"],
    help: "a movie of any common kind")
  private static let from = OptionDeclaration(
    name: "from", type: .file, placeholder: "FILE", synonyms: ["motion-photo", "input", "i"],
    help: "a photo with a movie in it, by Google or Samsung")
  private static let stillAt = OptionDeclaration(
    name: "still-at", type: .number(0...1e6, unit: "s"), placeholder: "SECONDS",
    synonyms: ["at", "time", "still-time"],
    help: "the photo's place in the movie; otherwise it is found")
  private static let trim = OptionDeclaration(
    name: "trim", type: .text, placeholder: "A..B", synonyms: ["cut", "range"],
    help: "keep this part of the movie, in seconds")

  /// The command `create`.
  static let declaration = CommandDeclaration(
    name: "create", summary: "Make a Live Photo of a photo and a movie, a movie alone, or a Motion Photo.",
    about: """
      The files that are named are never changed: the new ones go into the folder of -o, where nothing is
      overwritten. A new file appears whole or not at all. Without a photo a frame of the movie becomes it.
      """,
    kind: .making,
    forms: [
      .init(options: [photo, movie, .destination], operands: ""),
      .init(options: [movie, .destination], operands: ""),
      .init(options: [from, .destination], operands: ""),
    ],
    options: [photo, movie, from, stillAt, trim, .destination, BatchOptions.dryRun], operands: [.nothing],
    synonyms: ["make", "new", "import"], endings: .ofAnswers, related: ["pair", "repair", "export"],
    examples: [
      .init(
        "create --photo cover.png --movie clip.webm -o out", "Makes a Live Photo of a picture and a movie."),
      .init(
        "create --movie clip.mp4 --trim 0.5..3 -o out", "Makes one of a part of a movie, and finds its photo."
      ),
      .init("create --from motion.jpg -o out", "Makes one of an Android Motion Photo."),
    ]
  ) { arguments throws(UsageError) in try CreateCommand(arguments) }

  private let photo: String?
  private let movie: String?
  private let stillTime: Double?
  private let range: ClosedRange<Double>?
  private let folder: String
  private let isDryRun: Bool

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    guard arguments.files.isEmpty else {
      throw UsageError(message: "create takes its files by name: --photo FILE, --movie FILE or --from FILE")
    }
    switch (arguments[Self.photo], arguments[Self.movie], arguments[Self.from]) {
    case (let photo, let movie?, nil): (self.photo, self.movie) = (photo, movie)
    case (nil, nil, let path?): (photo, movie) = (path, nil)
    default: throw UsageError(message: "create needs --photo and --movie, --movie alone, or --from alone")
    }
    folder = try arguments.destination
    isDryRun = arguments.has(BatchOptions.dryRun)
    stillTime = try arguments[Self.stillAt].map { text throws(UsageError) in
      guard let seconds = Self.seconds(text) else {
        throw UsageError(message: "--still-at takes seconds, as in 1.5, not “\(text)”")
      }
      return seconds
    }
    range = try arguments[Self.trim].map { text throws(UsageError) in
      let parts = text.split(separator: "..", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let start = Self.seconds(parts[0]), let end = Self.seconds(parts[1]),
        start < end
      else {
        throw UsageError(
          message: "--trim takes two times in seconds, the earlier first, as in 0.5..3, not “\(text)”")
      }
      return start...end
    }
    if let stillTime, let range, !(range.lowerBound..<range.upperBound).contains(stillTime) {
      throw UsageError(message: "--still-at is not within --trim; give a time between the two")
    }
  }

  private static func seconds(_ text: String) -> Double? {
    Double(text).flatMap { 0..<1e6 ~= $0 ? $0 : nil }
  }

  /// Makes it.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let made = try LivePhoto.create(
      photo: photo, movie: movie, stillTime: stillTime, range: range, into: folder, isTrial: isDryRun,
      converter: try HelperRenderer(),
      isCancelled: { TerminationSignals.pending != nil })
    let written = [made.livePhoto.photoPath, made.livePhoto.moviePath].compactMap { $0 }
    let place: Message = "the photo is at \(decimal: TextNumber.short(made.stillTime)) s of the movie"
    tally.print(
      Answer(
        isDryRun ? .planned : .created, file: photo ?? movie,
        originals: Answer.Originals(photo: photo, movie: movie),
        [
          "written": .strings(written),
          "identifier": .string(made.identifier),
          "stillTime": .rounded(made.stillTime, digits: 6),
          "notCarriedOver": .removals(made.removals), "notes": .messages(made.notes),
        ]),
      ["\(written.joined(separator: " + "))", Report.indented(place)] + Report.lines(made.removals)
        + made.notes.map(Report.note))
    return .done
  }
}
