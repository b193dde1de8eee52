import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The command `auto`.
struct AutoCommand: EditChange, Hashable {
  /// The parts of the edit that are set.
  var parts: Set<EditPart>

  /// True: the edit is found in the pictures.
  var needsPictures: Bool { true }

  private static let known = AutoProposal.parts.map(\.rawValue.dashed)
  private static let only = OptionDeclaration(
    name: "only", type: .words(known), placeholder: "PARTS", synonyms: ["parts", "just"],
    help: "set only these, separated by commas: \(known.joined(separator: ","))")

  /// Its name, options and help.
  static let declaration = CommandDeclaration(
    editing: "auto", summary: "Set light, white balance and horizon automatically.",
    about: """
      Analyses the unedited photo (or the movie if there is no photo) and sets the sliders of both halves;
      liveedit adjust and liveedit straighten can change them. Other edits stay.
      """,
    forms: [.init()], options: [only],
    synonyms: ["enhance", "improve", "autofix", "magic", "auto-adjust", "optimize"],
    related: ["adjust", "straighten"],
    examples: [
      .init("auto IMG_0001.JPG", "Improves light and colours, and levels the horizon."),
      .init("auto --only light -r Photos", "Improves only the light of all photos and movies below Photos."),
    ]
  ) { arguments throws(UsageError) in
    AutoCommand(parts: try EditPart.named(arguments[only], among: AutoProposal.parts))
  }

  /// The change of an edit, by the picture that the photo or the movie before it shows.
  func function() throws(EditError) -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    let helper = try HelperRenderer()
    return { edit, source throws(EditError) in
      try helper.proposal(for: source).applied(to: edit, parts)
    }
  }
}

extension HelperRenderer {
  /// Looks at the files that an edit is applied to, until a signal ends the command.
  ///
  /// - Parameters:
  ///   - source: the files.
  ///   - greyPlace: a place that is to become grey; nil asks for everything.
  func proposal(
    for source: EditSource, greyPlace: AutoJob.Place? = nil
  ) throws(EditError) -> AutoProposal {
    try propose(
      AutoJob(photo: source.files[.photo], movie: source.files[.movie], greyPlace: greyPlace),
      isCancelled: { TerminationSignals.pending != nil })
  }
}

extension EditPart {
  /// The parts that `--only` names.
  ///
  /// - Parameters:
  ///   - text: names, divided by commas; nil means all.
  ///   - known: those that may be named.
  static func named(_ text: String?, among known: [EditPart]) throws(UsageError) -> Set<EditPart> {
    guard let text else { return Set(known) }
    var parts: Set<EditPart> = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      guard let part = known.first(where: { $0.isTyped(name) }) else {
        throw unknown(name, among: known.map(\.rawValue.dashed))
      }
      parts.insert(part)
    }
    return parts
  }

  /// The error about a word that `--only` does not know.
  static func unknown(_ word: String, among words: [String]) -> UsageError {
    UsageError(
      message: "--only does not accept “\(word)”; choose from \(words.joined(separator: ", "))"
        + "\(Suggestion.sentence(for: word, among: words))")
  }
}
