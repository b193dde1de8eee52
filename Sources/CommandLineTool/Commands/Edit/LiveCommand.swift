import Basics
import EditModel
import Workflows

/// The command `live`.
struct LiveCommand: EditChange, Hashable {
  /// Whether Live is turned off, so that the photo is shown without its movie.
  let isOff: Bool

  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    "live", summary: "Switch the movie of Live Photos off or on.",
    about: """
      With live off, the edited photo has no movie and no pairing identifier. The original movie is kept,
      and live on renders it again with all other edits.
      """,
    kind: .editing, synonyms: ["live-photo", "still", "motion"], related: ["sound", "trim", "export"],
    subcommands: [off, on])

  private static let off = CommandDeclaration(
    editing: "live off", summary: "Render the photo without its movie.", forms: [.init()], options: [],
    synonyms: ["disable", "no", "false", "remove", "still"], related: ["export", "trim"],
    examples: [
      .init("live off IMG_0001.JPG", "Writes only the photo, as IMG_E0001.JPG."),
      .init(
        "live off -r --filter 'kind = live' Photos",
        "Switches off the movies of all Live Photos under Photos."),
    ]
  ) { _ in LiveCommand(isOff: true) }

  private static let on = CommandDeclaration(
    editing: "live on", summary: "Render the photo with its movie again.", forms: [.init()], options: [],
    synonyms: ["enable", "yes", "true", "reset"], related: ["export", "trim"],
    examples: [
      .init("live on IMG_0001.JPG", "Renders the movie again, with all other edits."),
      .init("live on --dry-run .", "Shows what would be rendered in this folder."),
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
