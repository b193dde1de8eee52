import Basics
import EditModel
import Workflows

/// The command `sound`.
enum SoundCommand {
  private static let volume = OptionDeclaration(
    name: "volume", type: .number(0...1), placeholder: "N",
    synonyms: ["gain", "level", "loudness", "audio-volume"],
    help: "multiply the volume by 0 (silent) to 1 (original)")
  private static let mute = OptionDeclaration(
    name: "mute", synonyms: ["off", "no-audio", "an"],
    help: "remove the audio, like --volume 0")
  private static let reset = OptionDeclaration(
    name: "reset", synonyms: ["remove", "undo", "clear", "unmute"],
    help: "restore the original volume, like --volume 1")

  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    editing: "sound", summary: "Make the movie quieter or silent.",
    about: """
      The volume applies to the original audio; a new volume replaces the earlier one. Frames are copied
      bit for bit unless another edit changes them. Uncompressed audio is multiplied sample by sample; AAC
      is re-encoded packet by packet.
      """,
    forms: [.init(options: [volume]), .init(options: [mute]), .init(options: [reset])],
    options: [volume, mute, reset], synonyms: ["volume", "audio", "mute", "quiet", "silence"],
    related: ["trim"],
    examples: [
      .init("sound --volume 0.5 IMG_0001.JPG", "Halves the volume of the movie."),
      .init("sound --mute IMG_0001.JPG", "Removes the audio from the edited movie."),
    ]
  ) { arguments throws(UsageError) in
    let given = [arguments[volume] != nil, arguments.has(mute), arguments.has(reset)]
    guard given.count(where: { $0 }) == 1 else {
      throw UsageError(message: "sound needs --volume, --mute or --reset, for example --volume 0.5")
    }
    return SoundChangeOfEdit(factor: try arguments.number(volume) ?? (arguments.has(mute) ? 0 : 1))
  }
}

/// A change that sets the volume of the movie.
private struct SoundChangeOfEdit: EditChange {
  /// The factor by which the volume is multiplied.
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
