import Basics
import FileSystem
import RenderClient
import Workflows

/// The command that creates Live Photos.
struct CreateCommand: Command {
  private static let photo = OptionDeclaration(
    name: "photo", type: .file, placeholder: "FILE", synonyms: ["image", "picture", "still", "cover", "jpg"],
    help: "the photo: JPEG, HEIC, PNG, TIFF or WebP")
  private static let movie = OptionDeclaration(
    name: "movie", type: .file, placeholder: "FILE", synonyms: ["video", "mov", "clip"],
    help: "the movie, in any common format")
  private static let from = OptionDeclaration(
    name: "from", type: .file, placeholder: "FILE", synonyms: ["motion-photo", "input", "i"],
    help: "a Google or Samsung Motion Photo")
  private static let stillAt = OptionDeclaration(
    name: "still-at", type: .number(0...1e6, unit: "s"), placeholder: "SECONDS",
    synonyms: ["at", "time", "still-time"],
    help: "the photo's time in the movie (default: found automatically)")
  private static let trim = OptionDeclaration(
    name: "trim", type: .text, placeholder: "A..B", synonyms: ["cut", "range"],
    help: "keep only this part of the movie, in seconds")

  /// The declaration of the command `create`.
  static let declaration = CommandDeclaration(
    name: "create", summary: "Create a Live Photo from a photo and a movie.",
    about: """
      Writes the new photo and movie to DIR. Input files are never changed, and nothing is overwritten.
      New files appear complete or not at all. Without --photo, a frame of the movie becomes the photo.
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
        "create --photo cover.png --movie clip.webm -o out",
        "Creates a Live Photo from a picture and a movie."),
      .init(
        "create --movie clip.mp4 --trim 0.5..3 -o out", "Creates a Live Photo from part of a movie."
      ),
      .init("create --from motion.jpg -o out", "Creates a Live Photo from an Android Motion Photo."),
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
      throw UsageError(
        message: "create needs an option for each file: --photo FILE, --movie FILE or --from FILE")
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
        throw UsageError(message: "--still-at accepts seconds, such as 1.5, not “\(text)”")
      }
      return seconds
    }
    range = try arguments[Self.trim].map { text throws(UsageError) in
      let parts = text.split(separator: "..", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let start = Self.seconds(parts[0]), let end = Self.seconds(parts[1]),
        start < end
      else {
        throw UsageError(
          message:
            "--trim accepts two times in seconds, the earlier time first, such as 0.5..3, not “\(text)”")
      }
      return start...end
    }
    if let stillTime, let range, !(range.lowerBound..<range.upperBound).contains(stillTime) {
      throw UsageError(message: "--still-at lies outside --trim; choose a time between its start and end")
    }
  }

  private static func seconds(_ text: String) -> Double? {
    Double(text).flatMap { 0..<1e6 ~= $0 ? $0 : nil }
  }

  /// Creates the Live Photo.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let made = try LivePhoto.create(
      photo: photo, movie: movie, stillTime: stillTime, range: range, into: folder, isTrial: isDryRun,
      converter: try HelperRenderer(),
      isCancelled: { TerminationSignals.pending != nil })
    let written = [made.livePhoto.photoPath, made.livePhoto.moviePath].compactMap { $0 }
    let place: Message = "the photo belongs at \(decimal: TextNumber.short(made.stillTime)) s in the movie"
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
