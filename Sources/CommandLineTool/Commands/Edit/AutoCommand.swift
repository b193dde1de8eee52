import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The command `auto`.
struct AutoCommand: EditChange, Hashable {
  /// The parts of the edit to set automatically.
  var parts: Set<EditPart>

  /// Always true, because the edit depends on the pictures.
  var needsPictures: Bool { true }

  private static let known = AutoProposal.parts.map(\.rawValue.dashed)
  private static let only = OptionDeclaration(
    name: "only", type: .words(known), placeholder: "PARTS", synonyms: ["parts", "just"],
    help: "set only these parts, separated by commas: \(known.joined(separator: ","))")

  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    editing: "auto", summary: "Adjust light, white balance and horizon automatically.",
    about: """
      Analyses the unedited photo (or the movie if there is no photo) and sets the sliders of both halves;
      liveedit adjust and liveedit straighten can change them. Other edits stay.
      """,
    forms: [.init()], options: [only],
    synonyms: ["enhance", "improve", "autofix", "magic", "auto-adjust", "optimize"],
    related: ["adjust", "straighten"],
    examples: [
      .init("auto IMG_0001.JPG", "Improves light and colours, and levels the horizon."),
      .init("auto --only light -r Photos", "Improves only the light of all photos and movies under Photos."),
    ]
  ) { arguments throws(UsageError) in
    AutoCommand(parts: try EditPart.named(arguments[only], among: AutoProposal.parts))
  }

  /// Returns a function that changes an edit, based on the picture in the files that the edit is applied to.
  func function() throws(EditError) -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    let helper = try HelperRenderer()
    return { edit, source throws(EditError) in
      try helper.proposal(for: source).applied(to: edit, parts)
    }
  }
}

extension HelperRenderer {
  /// Analyses the files that an edit is applied to. A signal stops the analysis.
  ///
  /// - Parameters:
  ///   - source: The files to analyse.
  ///   - greyPlace: The position that should become neutral grey; nil to determine the complete edit.
  func proposal(
    for source: EditSource, greyPlace: AutoJob.Place? = nil
  ) throws(EditError) -> AutoProposal {
    try propose(
      AutoJob(photo: source.files[.photo], movie: source.files[.movie], greyPlace: greyPlace),
      isCancelled: { TerminationSignals.pending != nil })
  }
}

extension EditPart {
  /// Parses the parts that `--only` names.
  ///
  /// - Parameters:
  ///   - text: The names of the parts, separated by commas; nil for all parts.
  ///   - known: The parts that the option accepts.
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

  /// Returns the error for an unknown word in the value of `--only`.
  static func unknown(_ word: String, among words: [String]) -> UsageError {
    UsageError(
      message: "--only does not accept “\(word)”; choose from \(words.joined(separator: ", "))"
        + "\(Suggestion.sentence(for: word, among: words))")
  }
}
