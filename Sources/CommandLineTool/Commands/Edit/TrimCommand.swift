import Basics
import EditModel
import Workflows

/// The command `trim`.
enum TrimCommand: EditChange, Hashable {
  /// A part of the movie is kept.
  case to(MoviePart, keyPhoto: MovieMoment?)
  /// All of it is kept.
  case whole

  private static let from = OptionDeclaration(
    name: "from", type: .number(MovieMoment.times), placeholder: "S",
    synonyms: ["start", "begin", "in", "ss", "after"],
    help: "the start in seconds, as in --from 0.4; the movie's own unless given")
  private static let to = OptionDeclaration(
    name: "to", type: .number(MovieMoment.times), placeholder: "S",
    synonyms: ["end", "stop", "until", "before", "t"],
    help: "the end in seconds, as in --to 1.5; the movie's own unless given")
  private static let frames = OptionDeclaration(
    name: "frames", type: .text, placeholder: "A..B", synonyms: ["frame", "range"], proposal: .nothing,
    help: "the first and the last frame that are kept, counted from 1, as in 10..40")
  private static let keyPhoto = OptionDeclaration(
    name: "key-photo", type: .number(MovieMoment.times), placeholder: "S", synonyms: ["cover", "keyframe"],
    help: "also make the photo of the frame at this time, as liveedit key-photo does")
  private static let reset = OptionDeclaration(
    name: "reset", synonyms: ["remove", "undo", "clear", "untrim"], help: "keep all of the movie again")

  /// Its name, options and help.
  static let declaration = CommandDeclaration(
    editing: "trim", summary: "Keep a part of the movie of Live Photos.",
    about: """
      Times are those of the unedited movie, as liveedit inspect shows it: they are set and do not add to
      a trim before. A frame is kept if it begins in the part; sound and timed metadata are cut along. The
      photo stays, and the moment at which it was taken must be kept, unless --key-photo names another one.

      The frames are encoded anew, so that nothing of what was cut off stays in the file. With --lossless
      they are copied as they are coded: those before the cut that decoding needs stay in the file, hidden
      by its edit list, and are counted. Compressed sound is cut in whole packets, hidden in the same way.
      """,
    forms: [.init(options: [from, to]), .init(options: [frames]), .init(options: [reset])],
    options: [from, to, frames, keyPhoto, reset], synonyms: ["shorten", "clip", "cut-movie", "duration"],
    related: ["key-photo", "sound", "inspect"],
    examples: [
      .init("trim --from 0.4 --to 1.5 IMG_0001.JPG", "Keeps the movie from 0.4 to 1.5 seconds."),
      .init("trim --frames 5..40 IMG_0001.JPG", "Keeps the frames from the fifth to the fortieth."),
      .init(
        "trim --to 1.5 --lossless IMG_0001.JPG", "Cuts off what follows, and encodes no frame anew."),
      .init(
        "trim --to 0.7 --key-photo 0.5 IMG_0001.JPG",
        "Keeps a part without the moment of the photo, which is made of the frame at 0.5 seconds."),
      .init("trim --reset IMG_0001.JPG", "Brings the whole movie back; other edits stay."),
    ]
  ) { arguments throws(UsageError) in try TrimCommand(arguments) }

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    let (start, end) = (try arguments.number(Self.from), try arguments.number(Self.to))
    let keyPhoto = try arguments.number(Self.keyPhoto).map { MovieMoment.seconds($0) }
    switch (start ?? end, arguments[Self.frames], arguments.has(Self.reset)) {
    case (_?, nil, false):
      if let start, let end, start >= end {
        throw UsageError(
          message: "--from \(TextNumber.short(start)) is not before --to \(TextNumber.short(end))")
      }
      self = .to(.seconds(from: start, to: end), keyPhoto: keyPhoto)
    case (nil, let text?, false): self = .to(.frames(try Self.frames(text)), keyPhoto: keyPhoto)
    case (nil, nil, true) where keyPhoto == nil: self = .whole
    default:
      throw UsageError(
        message: "trim needs one of --from and --to, as in --from 0.4 --to 1.5, --frames and --reset")
    }
  }

  private static func frames(_ text: String) throws(UsageError) -> ClosedRange<Int> {
    let ends = text.split(separator: "..", omittingEmptySubsequences: false).map { Int($0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], 1 <= first, first <= last else {
      throw UsageError(
        message: "--frames takes the first and the last frame, counted from 1, as in 10..40, not “\(text)”")
    }
    return first...last
  }

  func function() -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    { edit, source throws(EditError) in
      switch self {
      case .to(let part, let keyPhoto): return try source.trimmed(edit, to: part, keyPhoto: keyPhoto)
      case .whole:
        var edit = edit
        try edit.motion.setTrim(nil)
        return edit
      }
    }
  }
}
