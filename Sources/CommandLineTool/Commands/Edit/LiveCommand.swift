import Basics
import EditModel
import Workflows

/// The command `live`.
struct LiveCommand: EditChange, Hashable {
  /// True if the photo is to stand alone.
  let isOff: Bool

  /// Its name, options and help.
  static let declaration = CommandDeclaration(
    "live", summary: "Render Live Photos as photos alone, or with their movies again.",
    about: """
      With Live off the render is the photo alone: it carries no identifier, and no movie lies beside it.
      The original movie stays where it is, and live on brings its render back with all other edits.
      """,
    kind: .editing, synonyms: ["live-photo", "still", "motion"], related: ["sound", "trim", "export"],
    subcommands: [off, on])

  private static let off = CommandDeclaration(
    editing: "live off", summary: "Render Live Photos as photos alone.", forms: [.init()], options: [],
    synonyms: ["disable", "no", "false", "remove", "still"], related: ["export", "trim"],
    examples: [
      .init("live off IMG_0001.JPG", "Renders the photo alone, as IMG_E0001.JPG."),
      .init("live off -r --filter 'kind = live' Photos", "Does so with all Live Photos below Photos."),
    ]
  ) { _ in LiveCommand(isOff: true) }

  private static let on = CommandDeclaration(
    editing: "live on", summary: "Render Live Photos with their movies again.", forms: [.init()], options: [],
    synonyms: ["enable", "yes", "true", "reset"], related: ["export", "trim"],
    examples: [
      .init("live on IMG_0001.JPG", "Brings the movie back, with all other edits."),
      .init("live on --dry-run .", "Says what would be rendered in this folder."),
    ]
  ) { _ in LiveCommand(isOff: false) }

  func function() -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    { [isOff] edit, source throws(EditError) in
      if isOff { try source.checkMovie() }
      var edit = edit
      edit.motion.isLiveOff = isOff
      return edit
    }
  }
}
