import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The command `key-photo`.
enum KeyPhotoCommand: EditChange, Hashable {
  /// A movie frame becomes the key photo.
  case at(MovieMoment)
  /// The best movie frame becomes the key photo.
  case best
  /// The original photo becomes the key photo again.
  case taken

  private static let at = OptionDeclaration(
    name: "at", type: .number(MovieMoment.times), placeholder: "S",
    synonyms: ["time", "seconds", "position", "moment"],
    help: "use the frame shown at this time in seconds, for example --at 0.6")
  private static let frame = OptionDeclaration(
    name: "frame", type: .number(MovieMoment.numbers), placeholder: "N", synonyms: ["number", "index"],
    help: "use the frame with this number, counted from 1")
  private static let bestFrame = OptionDeclaration(
    name: "best", synonyms: ["auto", "sharpest", "choose"],
    help: "use the best frame by sharpness, exposure and closeness to the current key photo")
  private static let reset = OptionDeclaration(
    name: "reset", synonyms: ["remove", "undo", "clear", "original"],
    help: "restore the original photo")

  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    editing: "key-photo", summary: "Use a movie frame as the key photo.",
    about: """
      The new photo has the original photo's format and metadata, with the time of the frame. Metadata
      that applies only to the original photo is removed: focus and exposure data in the maker note, gain
      map, depth map, faces. The photo gets the movie's size and is not scaled up; the size is reported.
      The photo is always re-encoded; with --lossless, the movie is not.

      Times refer to the unedited movie, as in liveedit inspect. --best compares all frames that the trim
      keeps. It measures exposure as the share of pixels that are neither black nor white. Closed eyes are
      not detected.
      """,
    forms: [
      .init(options: [at]), .init(options: [frame]), .init(options: [bestFrame]), .init(options: [reset]),
    ],
    options: [at, frame, bestFrame, reset], synonyms: ["keyframe", "cover", "poster", "thumbnail"],
    related: ["trim", "inspect", "export"],
    examples: [
      .init("key-photo --at 0.6 IMG_0001.JPG", "Uses the frame at 0.6 s as the photo."),
      .init("key-photo --frame 12 IMG_0001.JPG", "Uses the twelfth frame as the photo."),
      .init("key-photo --best IMG_0001.JPG", "Uses the best frame as the photo."),
      .init("key-photo --reset IMG_0001.JPG", "Restores the original photo; other edits stay."),
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
        message: "key-photo needs --at, --frame, --best or --reset, for example --at 0.6")
    }
  }

  /// Whether the choice of the key photo depends on the content of the frames.
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
  /// The accepted times in a movie, in seconds.
  static let times = 0.0...1_000_000
  /// The accepted frame numbers.
  static let numbers = 1.0...100_000_000

  /// Returns the frame whose number the user typed.
  ///
  /// - Throws: ``UsageError`` if the number is not an integer.
  static func frame(numbered number: Double, by option: OptionDeclaration) throws(UsageError) -> MovieMoment {
    guard let whole = Int(exactly: number) else {
      throw UsageError(
        message: "--\(option.name) needs a frame number, such as 12, not \(TextNumber.short(number))")
    }
    return .frame(whole)
  }
}
