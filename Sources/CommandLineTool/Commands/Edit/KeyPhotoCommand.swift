import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The command `key-photo`.
enum KeyPhotoCommand: EditChange, Hashable {
  /// The photo is made of a frame.
  case at(MovieMoment)
  /// The photo is made of the frame that makes the best one.
  case best
  /// The photo is the one that was taken.
  case taken

  private static let at = OptionDeclaration(
    name: "at", type: .number(MovieMoment.times), placeholder: "S",
    synonyms: ["time", "seconds", "position", "moment"],
    help: "the frame that is shown at a time in seconds, as in --at 0.6")
  private static let frame = OptionDeclaration(
    name: "frame", type: .number(MovieMoment.numbers), placeholder: "N", synonyms: ["number", "index"],
    help: "a frame by its number, counted from 1")
  private static let bestFrame = OptionDeclaration(
    name: "best", synonyms: ["auto", "sharpest", "choose"],
    help: "the frame that is best by sharpness, exposure and nearness to the present key photo")
  private static let reset = OptionDeclaration(
    name: "reset", synonyms: ["remove", "undo", "clear", "original"],
    help: "bring back the photo that was taken")

  /// Its name, options and help.
  static let declaration = CommandDeclaration(
    editing: "key-photo", summary: "Make the photo of Live Photos of a frame of the movie.",
    about: """
      The photo gets the format of the one that was taken and its metadata, with the time of the frame. What
      was true of that photo alone is taken out and named with --verbose: focus and exposure in the maker
      note, gain map, depth, faces. It is as large as what the movie shows, which is said: nothing is scaled
      up. It is encoded anew in any case; with --lossless the movie is not.

      Times are those of the unedited movie, as liveedit inspect shows it. --best looks at all frames that are
      kept: at sharpness, at the share of pixels that are neither black nor white, and at nearness in time to
      the present key photo. It does not look at eyes.
      """,
    forms: [
      .init(options: [at]), .init(options: [frame]), .init(options: [bestFrame]), .init(options: [reset]),
    ],
    options: [at, frame, bestFrame, reset], synonyms: ["keyframe", "cover", "poster", "thumbnail"],
    related: ["trim", "inspect", "export"],
    examples: [
      .init("key-photo --at 0.6 IMG_0001.JPG", "Makes the photo of the frame at 0.6 seconds."),
      .init("key-photo --frame 12 IMG_0001.JPG", "Makes it of the twelfth frame."),
      .init("key-photo --best IMG_0001.JPG", "Makes it of the frame that looks best."),
      .init("key-photo --reset IMG_0001.JPG", "Brings the photo back that was taken; other edits stay."),
    ]
  ) { arguments throws(UsageError) in
    let (seconds, number) = (try arguments.number(at), try arguments.number(frame))
    switch (seconds, number, arguments.has(bestFrame), arguments.has(reset)) {
    case (let seconds?, nil, false, false): return KeyPhotoCommand.at(.seconds(seconds))
    case (nil, let number?, false, false): return KeyPhotoCommand.at(try .frame(numbered: number, by: frame))
    case (nil, nil, true, false): return KeyPhotoCommand.best
    case (nil, nil, false, true): return KeyPhotoCommand.taken
    default:
      throw UsageError(
        message: "key-photo needs one of --at, as in --at 0.6, --frame, --best and --reset")
    }
  }

  /// True where frames are looked at.
  var needsPictures: Bool { self == .best }

  func function() throws(EditError) -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    switch self {
    case .at(let moment):
      return { edit, source throws(EditError) in try source.takingKeyPhoto(at: moment, in: edit) }
    case .taken: return { edit, source throws(EditError) in try source.takingKeyPhoto(at: nil, in: edit) }
    case .best:
      let helper = try HelperRenderer()
      return { edit, source throws(EditError) in
        try source.checkPhoto()
        try source.checkMovie()
        guard let movie = source.files[.movie] ?? source.files[.photo] else { return edit }
        let part = edit.motion.trim.map { $0.seconds.lowerBound...$0.seconds.upperBound }
        let found = try helper.convert(
          .bestFrame(movie: movie, part: part, near: edit.motion.keyPhotoSeconds),
          isCancelled: { TerminationSignals.pending != nil })
        guard let seconds = found.stillTime else { return edit }
        return try source.takingKeyPhoto(at: .seconds(seconds), in: edit)
      }
    }
  }
}

extension MovieMoment {
  /// The times that a movie can have, in seconds.
  static let times = 0.0...1_000_000
  /// The numbers that a frame can have.
  static let numbers = 1.0...100_000_000

  /// A frame by a number that was typed.
  ///
  /// - Throws: ``UsageError`` when it is no whole number.
  static func frame(numbered number: Double, by option: OptionDeclaration) throws(UsageError) -> MovieMoment {
    guard let whole = Int(exactly: number) else {
      throw UsageError(
        message: "--\(option.name) takes the number of a frame, as in 12, not \(TextNumber.short(number))")
    }
    return .frame(whole)
  }
}
