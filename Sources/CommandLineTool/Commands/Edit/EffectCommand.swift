import Basics
import EditModel
import Workflows

/// The command `effect`.
struct EffectCommand: EditChange, Hashable {
  /// The effect to set.
  let effect: Motion.Effect

  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    "effect", summary: "Make loops, bounces and long exposures.",
    about: """
      A Live Photo has one effect at a time; a new effect replaces it. Only frames that the trim keeps are
      used.

      Loops and bounces stabilise the movie if the camera moves little enough, and crop it to the area
      that all frames cover, at least four fifths of the width and height. They remove the audio; the
      photo is unchanged.
      """,
    kind: .editing, synonyms: ["effects", "boomerang", "animate"], related: ["trim", "sound", "live"],
    subcommands: [loop, bounce, longExposure, none])

  private static let loop = CommandDeclaration(
    editing: "effect loop", summary: "Make the movie loop seamlessly.",
    about: """
      Finds the range whose end best matches the frames before its beginning. The range is at least half
      of the movie and includes the moment of the photo. The last frames of the range, at most 0.4 s, are
      cross-faded with the frames before its beginning. The movie needs 8 to \(Motion.Effect.mostFrames) frames.
      """,
    forms: [.init()], options: [],
    synonyms: ["repeat", "cycle", "endless"], related: ["trim", "export"],
    examples: [
      .init("effect loop IMG_0001.JPG", "Makes the movie repeat without a visible jump."),
      .init("effect loop --dry-run .", "Shows what would be rendered in this folder."),
    ]
  ) { _ in EffectCommand(effect: .loop) }

  private static let bounce = CommandDeclaration(
    editing: "effect bounce", summary: "Play the movie forwards, then backwards.",
    about: """
      Frame durations stay the same. The backwards part omits the last and the first frame, so that the
      movie can repeat. The movie needs 3 to \(Motion.Effect.mostFrames) frames.
      """,
    forms: [.init()], options: [],
    synonyms: ["boomerang", "reverse", "ping-pong", "pingpong", "back"], related: ["trim", "export"],
    examples: [
      .init("effect bounce IMG_0001.JPG", "Plays the movie forwards, then backwards, as one movie."),
      .init(
        "effect bounce -o out IMG_0001.JPG",
        "Writes the result to the folder out without recording a version."),
    ]
  ) { _ in EffectCommand(effect: .bounce) }

  private static let longExposure = CommandDeclaration(
    editing: "effect long-exposure",
    summary: "Blur motion in the photo, like a long exposure.",
    about: """
      Still areas stay as sharp as in the photo. In moving areas, the movie's frames are aligned to cancel
      camera motion and averaged in linear light. Areas outside the movie's picture are unchanged, and so
      is the movie. An HDR gain map is removed. The movie needs 2 to \(Motion.Effect.mostFrames) frames.
      """,
    forms: [.init()], options: [],
    synonyms: ["long", "exposure", "blur", "smear", "silk"], related: ["trim", "key-photo"],
    examples: [
      .init("effect long-exposure IMG_0001.JPG", "Blurs in the photo whatever moves in the movie."),
      .init("effect long-exposure --dry-run .", "Shows what would be rendered in this folder."),
    ]
  ) { _ in EffectCommand(effect: .longExposure) }

  private static let none = CommandDeclaration(
    editing: "effect none", summary: "Remove the effect.", forms: [.init()], options: [],
    synonyms: ["off", "reset", "remove", "live"], related: ["revert", "trim"],
    examples: [
      .init("effect none IMG_0001.JPG", "Restores normal playback; other edits stay."),
      .init("effect none --dry-run .", "Shows what would be rendered in this folder."),
    ]
  ) { _ in EffectCommand(effect: .none) }

  func function() -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    { [effect] edit, source throws(EditError) in
      try source.giving(effect, to: edit)
    }
  }
}
