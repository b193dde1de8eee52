import Basics
import EditModel
import Workflows

/// The command `effect`.
struct EffectCommand: EditChange, Hashable {
  /// The effect that is set.
  let effect: Motion.Effect

  /// Its name, options and help.
  static let declaration = CommandDeclaration(
    "effect", summary: "Make loops, bounces and long exposures of Live Photos.",
    about: """
      One effect at a time: a second one replaces the first. A trim says what an effect is made of.

      For loops and bounces the camera is held still, as far as it moves little enough, and the movie's
      picture is cut to what all frames cover, which keeps at least four fifths of its sides. The sound is
      left out, and the photo stays.
      """,
    kind: .editing, synonyms: ["effects", "boomerang", "animate"], related: ["trim", "sound", "live"],
    subcommands: [loop, bounce, longExposure, none])

  private static let loop = CommandDeclaration(
    editing: "effect loop", summary: "Let the movie of Live Photos go over into its own beginning.",
    about: """
      The part is sought whose end looks most like what precedes its beginning: at least half of the movie,
      with the moment of the photo. Its last frames, of 0.4 seconds at most, are cross-faded with those.
      It takes 8 to \(Motion.Effect.mostFrames) frames.
      """,
    forms: [.init()], options: [],
    synonyms: ["repeat", "cycle", "endless"], related: ["trim", "export"],
    examples: [
      .init("effect loop IMG_0001.JPG", "Makes the movie one that can be played again and again."),
      .init("effect loop --dry-run .", "Says what would be rendered in this folder."),
    ]
  ) { _ in EffectCommand(effect: .loop) }

  private static let bounce = CommandDeclaration(
    editing: "effect bounce", summary: "Play the movie of Live Photos there and back.",
    about: """
      Frames are shown as long as before, and on the way back without the last one and the first, so that it
      can be played again and again. It takes 3 to \(Motion.Effect.mostFrames) frames.
      """,
    forms: [.init()], options: [],
    synonyms: ["boomerang", "reverse", "ping-pong", "pingpong", "back"], related: ["trim", "export"],
    examples: [
      .init("effect bounce IMG_0001.JPG", "Plays the movie forwards, then backwards."),
      .init("effect bounce -o out IMG_0001.JPG", "Puts that into the folder out and records nothing."),
    ]
  ) { _ in EffectCommand(effect: .bounce) }

  private static let longExposure = CommandDeclaration(
    editing: "effect long-exposure",
    summary: "Smear what moves in the photos of Live Photos, as a long exposure does.",
    about: """
      What stands still is the photo's, as sharp as before; what moves becomes the mean of the movie's frames
      in linear light, laid upon one another as the camera moved. Beyond what the movie shows the photo stays
      as it was. An HDR gain map is removed. The movie stays as it is.
      It takes 2 to \(Motion.Effect.mostFrames) frames.
      """,
    forms: [.init()], options: [],
    synonyms: ["long", "exposure", "blur", "smear", "silk"], related: ["trim", "key-photo"],
    examples: [
      .init("effect long-exposure IMG_0001.JPG", "Smears in the photo what moves in the movie."),
      .init("effect long-exposure --dry-run .", "Says what would be rendered in this folder."),
    ]
  ) { _ in EffectCommand(effect: .longExposure) }

  private static let none = CommandDeclaration(
    editing: "effect none", summary: "Take the effect of Live Photos back.", forms: [.init()], options: [],
    synonyms: ["off", "reset", "remove", "live"], related: ["revert", "trim"],
    examples: [
      .init("effect none IMG_0001.JPG", "Plays the movie as it was taken; other edits stay."),
      .init("effect none --dry-run .", "Says what would be rendered in this folder."),
    ]
  ) { _ in EffectCommand(effect: .none) }

  func function() -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    { [effect] edit, source throws(EditError) in
      try source.giving(effect, to: edit)
    }
  }
}
