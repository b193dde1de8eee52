import Basics
import EditModel
import Workflows

/// The command `apply`.
struct ApplyCommand: EditChange, Hashable {
  /// Presets or the edit of another asset, laid over the edits.
  enum Source: Hashable {
    /// Presets in their order, each with this intensity.
    case presets([String], intensity: Double)
    /// Parts of the edit of another asset.
    case edit(of: String, CopiedParts)
  }

  /// Presets or the edit of another asset, laid over the edits.
  var source: Source
  /// True if everything about how pictures look is taken back before.
  var isReplacing = false
  /// The place of the renders of the other asset.
  var layout: LibraryLayout

  private static let preset = OptionDeclaration(
    name: "preset", type: .name([]), placeholder: "PRESET", isRepeatable: true,
    synonyms: ["look", "style", "name", "p"], proposal: .presets,
    help: "a preset from liveedit preset list, or a .json or .cube file; several apply in order")
  private static let intensity = OptionDeclaration(
    name: "intensity", type: .number(0...1), placeholder: "N", standard: "1",
    synonyms: ["amount", "strength", "opacity"],
    help: "strength of the presets, 0 to 1 (default 1)")
  private static let replace = OptionDeclaration(
    name: "replace", synonyms: ["reset", "instead", "clear"],
    help:
      "first reset light, colour, black and white, detail, effects, curve and look"
  )
  private static let from = OptionDeclaration(
    name: "from", type: .file, placeholder: "FILE",
    synonyms: ["copy", "copy-from", "like", "source", "paste"],
    help: "copy the edit of this Live Photo; sliders that are neutral in it are reset")
  private static let only = OptionDeclaration(
    name: "only", type: .words(CopiedParts.words), placeholder: "PARTS",
    help: "copy only these, separated by commas: \(CopiedParts.words.joined(separator: ", "))")

  /// Its name, options and help.
  static let declaration = CommandDeclaration(
    editing: "apply",
    summary: "Apply presets, or copy the edit of another Live Photo.",
    about: """
      A preset sets some of light, colour, curve, look and the movie's effect; the rest of the edit stays.
      --from copies trim, key photo and live off only if --only names them: they belong to one movie.
      """,
    forms: [.init(options: [preset]), .init(options: [from])],
    options: [preset, intensity, replace, from, only],
    synonyms: ["filter", "look", "style", "paste", "copy", "lut", "use"], related: ["preset", "adjust"],
    examples: [
      .init(
        "apply --preset vivid --intensity 0.5 IMG_0001.JPG", "Applies the preset vivid at half strength."),
      .init(
        "apply --replace --preset mono IMG_0001.JPG",
        "Resets colour and light, then applies mono."),
      .init(
        "apply --from IMG_0001.JPG --only light,color IMG_0002.JPG",
        "Copies the light and colour settings of IMG_0001 to IMG_0002."),
    ]
  ) { arguments throws(UsageError) in
    let intensity = try arguments.number(Self.intensity)
    switch (arguments.all(preset), arguments[from]) {
    case (let presets, nil) where !presets.isEmpty:
      if arguments[only] != nil {
        throw UsageError(message: "--only needs --from FILE, the Live Photo to copy from")
      }
      return ApplyCommand(
        source: .presets(presets, intensity: intensity ?? 1), isReplacing: arguments.has(replace),
        layout: arguments.layout)
    case ([], let file?):
      if intensity != nil {
        throw UsageError(message: "--intensity needs --preset, as in --preset vivid --intensity 0.5")
      }
      return ApplyCommand(
        source: .edit(of: file, try CopiedParts(arguments[only])), isReplacing: arguments.has(replace),
        layout: arguments.layout)
    default:
      throw UsageError(
        message:
          "apply needs --preset, as in --preset vivid (liveedit preset list shows the names), or --from FILE"
      )
    }
  }

  /// The partial edits that are laid over each edit, in this order, and the time and sound to take over.
  ///
  /// - Throws: ``EditError`` when a preset does not exist or is broken, or the other asset has no edit to copy.
  private func resolved() throws(EditError) -> (layers: [PartialEdit], motion: Motion, parts: Set<MotionPart>)
  {
    switch source {
    case .edit(let file, let parts):
      let history = try AssetHistory(path: file, layout: layout, report: { Report.notice($0) })
      let edit = try history.editToCopy()
      return ([PartialEdit(parts.picture, of: edit)], edit.motion, parts.motion)
    case .presets(let names, let intensity):
      let library = PresetLibrary()
      let layers = try names.map { name throws(EditError) in
        try PresetCommand.find(name, in: library).edit.scaled(by: intensity)
      }
      var motion = Motion.neutral
      guard let effect = layers.compactMap(\.effect).last else { return (layers, motion, []) }
      motion.effect = effect
      return (layers, motion, [.effect])
    }
  }

  func function() throws(EditError) -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    let (layers, motion, parts) = try resolved()
    return { [isReplacing] edit, source throws(EditError) in
      let before = edit.motion
      var edit = layers.reduce(isReplacing ? edit.without(EditPart.appearance) : edit) { $1.applied(to: $0) }
      edit.motion = before
      return try source.taking(parts, of: motion, in: edit)
    }
  }
}

/// The parts of an edit that are copied.
struct CopiedParts: Hashable, Sendable {
  /// Those of the picture.
  var picture: Set<EditPart> = []
  /// Those of time and sound.
  var motion: Set<MotionPart> = []

  /// The words by which they are named.
  static let words = EditPart.words + MotionPart.words

  /// - Parameter text: their words, divided by commas; nil for all that fit other Live Photos.
  /// - Throws: ``UsageError`` for an unknown word.
  init(_ text: String?) throws(UsageError) {
    guard let text else {
      (picture, motion) = (Set(EditPart.allCases), MotionPart.portable)
      return
    }
    for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      if let part = EditPart.allCases.first(where: { $0.isTyped(word) }) {
        picture.insert(part)
      } else if let part = MotionPart.allCases.first(where: { $0.isTyped(word) }) {
        motion.insert(part)
      } else {
        throw EditPart.unknown(word, among: Self.words)
      }
    }
  }
}
