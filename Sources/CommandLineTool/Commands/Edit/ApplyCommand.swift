import Basics
import EditModel
import Workflows

/// The command `apply`.
struct ApplyCommand: EditChange, Hashable {
  /// The presets, or the edit of another asset, to apply on top of the existing edits.
  enum Source: Hashable {
    /// The presets in the order in which they are applied, and the intensity of the presets.
    case presets([String], intensity: Double)
    /// The parts to apply from another asset's edit.
    case edit(of: String, CopiedParts)
  }

  /// The presets, or the edit of another asset, to apply on top of the existing edits.
  var source: Source
  /// Whether all adjustments of the pictures' appearance are reset first.
  var isReplacing = false
  /// The layout of the library that contains the other asset's rendered files.
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
    help: "copy the edit of this Live Photo, and reset sliders that are neutral in that edit")
  private static let only = OptionDeclaration(
    name: "only", type: .words(CopiedParts.words), placeholder: "PARTS",
    help: "copy only these parts, separated by commas: \(CopiedParts.words.joined(separator: ", "))")

  /// The command's name, options and help text.
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
        throw UsageError(message: "--intensity needs --preset, for example --preset vivid --intensity 0.5")
      }
      return ApplyCommand(
        source: .edit(of: file, try CopiedParts(arguments[only])), isReplacing: arguments.has(replace),
        layout: arguments.layout)
    default:
      throw UsageError(
        message:
          "apply needs --preset, for example --preset vivid (liveedit preset list shows the names), or --from FILE"
      )
    }
  }

  /// Returns the partial edits in the order in which they are applied, and the timing and audio settings to copy.
  ///
  /// - Throws: ``EditError`` if a preset does not exist or is damaged, or if the other asset has no edit to copy.
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

/// The parts of an edit to copy.
struct CopiedParts: Hashable, Sendable {
  /// The parts that affect the picture.
  var picture: Set<EditPart> = []
  /// The parts that affect timing and audio.
  var motion: Set<MotionPart> = []

  /// The words that users type to name the parts.
  static let words = EditPart.words + MotionPart.words

  /// - Parameter text: The words, separated by commas; nil for all parts that suit other Live Photos.
  /// - Throws: ``UsageError`` if a word is unknown.
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
