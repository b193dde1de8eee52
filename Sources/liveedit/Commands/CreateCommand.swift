import Basics
import FileSystem
import LiveEdit

/// The command that makes Live Photos.
struct CreateCommand: Command {
  static let specification = CommandSpecification(
    name: "create", summary: "Make a Live Photo of a photo and a movie, a movie alone, or a Motion Photo.",
    usage: "create --photo P --movie M | --movie M | --from MOTIONPHOTO  -o DIR [options]",
    options: [
      OptionSpecification(name: "photo", value: "FILE", help: "a JPEG, HEIC, PNG, TIFF or WebP picture"),
      OptionSpecification(name: "movie", value: "FILE", help: "a movie of any common kind"),
      OptionSpecification(
        name: "from", value: "FILE", help: "a photo with a movie in it, by Google or Samsung"),
      OptionSpecification(
        name: "still-at", value: "SECONDS", help: "the photo's place in the movie; otherwise it is found"),
      OptionSpecification(name: "trim", value: "A..B", help: "keep this part of the movie, in seconds"),
      CommandTable.destination,
    ], command: Self.self, kind: .making)

  private let sources: CreationSources
  private let stillTime: Double?
  private let range: ClosedRange<Double>?
  private let folder: String
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let options = arguments.options
    guard arguments.files.isEmpty else {
      throw UsageError(message: "create takes its files by --photo, --movie or --from")
    }
    switch (options["photo"], options["movie"], options["from"]) {
    case (let photo?, let movie?, nil): sources = .files(photo: photo, movie: movie)
    case (nil, let movie?, nil): sources = .movie(movie)
    case (nil, nil, let path?): sources = .motionPhoto(path)
    default: throw UsageError(message: "create needs --photo and --movie, --movie alone, or --from alone")
    }
    folder = try arguments.destination
    isJSON = arguments.isJSON
    stillTime = try options["still-at"].map { text throws(UsageError) in
      guard let seconds = Self.seconds(text) else {
        throw UsageError(message: "--still-at takes seconds: 1.5")
      }
      return seconds
    }
    range = try options["trim"].map { text throws(UsageError) in
      let parts = text.split(separator: "..", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let start = Self.seconds(parts[0]), let end = Self.seconds(parts[1]),
        start < end
      else { throw UsageError(message: "--trim takes two times in seconds, the earlier first: 0.5..3") }
      return start...end
    }
    if let stillTime, let range, !(range.lowerBound..<range.upperBound).contains(stillTime) {
      throw UsageError(message: "--still-at is not within --trim")
    }
  }

  private static func seconds(_ text: String) -> Double? {
    Double(text).flatMap { 0..<1e6 ~= $0 ? $0 : nil }
  }

  /// Makes it.
  func run() throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let made = try LivePhoto.create(
      from: sources, stillTime: stillTime, range: range, into: folder, converter: try HelperRenderer(),
      isCancelled: { TerminationSignals.pending != nil })
    let written = [made.livePhoto.photoPath, made.livePhoto.moviePath].compactMap { $0 }
    if isJSON {
      Report.print(
        .object([
          "status": .string("created"), "written": Report.strings(written),
          "identifier": .string(made.identifier),
          "stillTime": .decimal(Int((made.stillTime * 1_000_000).rounded()), digits: 6),
          "notCarriedOver": Report.json(made.removals), "notes": Report.strings(made.notes),
        ]))
    } else {
      var lines = [written.joined(separator: " + ")]
      lines.append("  the photo is at \(TextNumber.short(made.stillTime)) s of the movie")
      lines += Report.lines(made.removals) + made.notes.map { "  note: " + $0 }
      StandardStream.output.write(lines: lines)
    }
    return .done
  }
}
