import Basics
import EditModel
import LiveEdit

/// The arguments of `effect`.
struct EffectOptions: EditChange, Hashable {
  /// The effect that is set.
  let effect: Motion.Effect

  /// The command `effect`.
  static let declaration = CommandDeclaration(
    "effect", summary: "Play the movie of Live Photos as a loop or a bounce, or take it back.",
    about: """
      One effect at a time: a second one replaces the first. The camera is held still, as far as it moves
      little enough, and the picture is cut to what all frames cover, which keeps at least four fifths of
      its sides. A trim says what the effect is made of. The sound is left out, and the photo stays.
      """,
    kind: .editing, synonyms: ["effects", "boomerang", "motion"], related: ["trim", "sound", "live"],
    subcommands: [loop, bounce, none])

  private static let loop = CommandDeclaration(
    editing: "effect loop", summary: "Let the movie of Live Photos go over into its own beginning.",
    about: """
      The part is sought whose end looks most like what precedes its beginning: at least half of the movie,
      with the moment of the photo. Its last frames, of 0.4 seconds at most, are cross-faded with those.
      It takes 8 to \(Motion.Effect.mostFrames) frames.
      """,
    forms: [.init()], options: [],
    synonyms: ["repeat", "cycle", "endless"], related: ["effect bounce", "trim"],
    examples: [
      .init("effect loop IMG_0001.JPG", "Makes the movie one that can be played again and again."),
      .init("effect loop --dry-run .", "Says what would be rendered in this folder."),
    ]
  ) { _ in EffectOptions(effect: .loop) }

  private static let bounce = CommandDeclaration(
    editing: "effect bounce", summary: "Play the movie of Live Photos there and back.",
    about: """
      Frames are shown as long as before, and on the way back without the last one and the first, so that it
      can be played again and again. It takes 3 to \(Motion.Effect.mostFrames) frames.
      """,
    forms: [.init()], options: [],
    synonyms: ["boomerang", "reverse", "ping-pong", "pingpong", "back"], related: ["effect loop", "trim"],
    examples: [
      .init("effect bounce IMG_0001.JPG", "Plays the movie forwards, then backwards."),
      .init("effect bounce -o out IMG_0001.JPG", "Puts that into the folder out and records nothing."),
    ]
  ) { _ in EffectOptions(effect: .bounce) }

  private static let none = CommandDeclaration(
    editing: "effect none", summary: "Take the effect of Live Photos back.", forms: [.init()], options: [],
    synonyms: ["off", "reset", "remove", "live"], related: ["revert", "trim"],
    examples: [
      .init("effect none IMG_0001.JPG", "Plays the movie as it was taken; other edits stay."),
      .init("effect none --dry-run .", "Says what would be rendered in this folder."),
    ]
  ) { _ in EffectOptions(effect: .none) }

  func function() -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    { [effect] edit, source throws(EditError) in
      try source.giving(effect, to: edit)
    }
  }
}
