import Basics
import EditModel
import Workflows

/// The command `sound`.
enum SoundCommand {
  private static let volume = OptionDeclaration(
    name: "volume", type: .number(0...1), placeholder: "N",
    synonyms: ["gain", "level", "loudness", "audio-volume"],
    help: "what the sound is multiplied with: 1 leaves it as it is, 0 leaves it out")
  private static let mute = OptionDeclaration(
    name: "mute", synonyms: ["off", "no-audio", "an"],
    help: "leave the sound out, as --volume 0 does")
  private static let reset = OptionDeclaration(
    name: "reset", synonyms: ["remove", "undo", "clear", "unmute"],
    help: "take it back, as --volume 1 does")

  /// Its name, options and help.
  static let declaration = CommandDeclaration(
    editing: "sound", summary: "Make the movie of Live Photos quieter, or silent.",
    about: """
      The volume counts from the unedited sound: it is set and does not add. Frames stay as they are, bit for
      bit, unless another edit changes them. Uncompressed sound is multiplied number by number; AAC is
      decoded and encoded again, packet by packet.
      """,
    forms: [.init(options: [volume]), .init(options: [mute]), .init(options: [reset])],
    options: [volume, mute, reset], synonyms: ["volume", "audio", "mute", "quiet", "silence"],
    related: ["trim"],
    examples: [
      .init("sound --volume 0.5 IMG_0001.JPG", "Makes the movie half as loud."),
      .init("sound --mute IMG_0001.JPG", "Leaves the sound out of the render."),
    ]
  ) { arguments throws(UsageError) in
    let given = [arguments[volume] != nil, arguments.has(mute), arguments.has(reset)]
    guard given.count(where: { $0 }) == 1 else {
      throw UsageError(message: "sound needs one of --volume, as in --volume 0.5, --mute and --reset")
    }
    return SoundChangeOfEdit(factor: try arguments.number(volume) ?? (arguments.has(mute) ? 0 : 1))
  }
}

/// Sets the volume of the movie.
private struct SoundChangeOfEdit: EditChange {
  /// The factor that the sound is multiplied with.
  let factor: Double

  func function() -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    { [factor] edit, source throws(EditError) in
      if factor != 1 { try source.checkSound() }
      var edit = edit
      try edit.motion.setSoundFactor(factor)
      return edit
    }
  }
}
