import Basics
import EditModel
import Workflows

/// The command `trim`.
enum TrimCommand: EditChange, Hashable {
  /// Keeps a part of the movie.
  case to(MoviePart, keyPhoto: MovieMoment?)
  /// Keeps the whole movie.
  case whole

  private static let from = OptionDeclaration(
    name: "from", type: .number(MovieMoment.times), placeholder: "S",
    synonyms: ["start", "begin", "in", "ss", "after"],
    help: "start in seconds, for example --from 0.4 (default: the movie's start)")
  private static let to = OptionDeclaration(
    name: "to", type: .number(MovieMoment.times), placeholder: "S",
    synonyms: ["end", "stop", "until", "before", "t"],
    help: "end in seconds, for example --to 1.5 (default: the movie's end)")
  private static let frames = OptionDeclaration(
    name: "frames", type: .text, placeholder: "A..B", synonyms: ["frame", "range"], proposal: .nothing,
    help: "first and last frame to keep, counted from 1, such as 10..40")
  private static let keyPhoto = OptionDeclaration(
    name: "key-photo", type: .number(MovieMoment.times), placeholder: "S", synonyms: ["cover", "keyframe"],
    help: "also use the frame at this time in seconds as the key photo")
  private static let reset = OptionDeclaration(
    name: "reset", synonyms: ["remove", "undo", "clear", "untrim"], help: "restore the whole movie")

  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    editing: "trim", summary: "Keep only a part of the movie.",
    about: """
      Times refer to the unedited movie, as in liveedit inspect; a new trim replaces the earlier trim. A
      frame is kept if it begins within the range; audio and timed metadata are cut to match. The range
      must contain the moment of the photo, unless --key-photo chooses another frame.

      Frames are re-encoded so that the file contains nothing outside the range. With --lossless they are
      copied: earlier frames that decoding needs stay in the file, hidden by its edit list, and their
      number is reported. Compressed audio is cut in whole packets; excess audio is hidden in the same
      way.
      """,
    forms: [.init(options: [from, to]), .init(options: [frames]), .init(options: [reset])],
    options: [from, to, frames, keyPhoto, reset], synonyms: ["shorten", "clip", "cut-movie", "duration"],
    related: ["key-photo", "sound", "inspect"],
    examples: [
      .init("trim --from 0.4 --to 1.5 IMG_0001.JPG", "Keeps the movie from 0.4 s to 1.5 s."),
      .init("trim --frames 5..40 IMG_0001.JPG", "Keeps the fifth to the fortieth frame."),
      .init(
        "trim --to 1.5 --lossless IMG_0001.JPG", "Cuts off everything after 1.5 s without re-encoding."),
      .init(
        "trim --to 0.7 --key-photo 0.5 IMG_0001.JPG",
        "Keeps the first 0.7 s, and uses the frame at 0.5 s as the key photo."),
      .init("trim --reset IMG_0001.JPG", "Restores the whole movie; other edits stay."),
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
        message: "trim needs --from, --to, --frames or --reset, for example --from 0.4 --to 1.5")
    }
  }

  private static func frames(_ text: String) throws(UsageError) -> ClosedRange<Int> {
    let ends = text.split(separator: "..", omittingEmptySubsequences: false).map { Int($0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], 1 <= first, first <= last else {
      throw UsageError(
        message: "--frames needs the first and last frame, counted from 1, such as 10..40, not “\(text)”")
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
