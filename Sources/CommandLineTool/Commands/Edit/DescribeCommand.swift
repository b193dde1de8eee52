import Basics
import EditModel
import Workflows

/// The command `describe`.
struct DescribeCommand: EditChange, Hashable {
  /// The change to the description.
  var change = DescriptionChange()

  private static let title = OptionDeclaration(
    name: "title", type: .text, placeholder: "TEXT", synonyms: ["name", "headline"], help: "set the title")
  private static let caption = OptionDeclaration(
    name: "caption", type: .text, placeholder: "TEXT", synonyms: ["description", "comment", "text", "desc"],
    help: "set the caption")
  private static let keyword = OptionDeclaration(
    name: "keyword", type: .text, placeholder: "+WORD,-WORD", isRepeatable: true,
    synonyms: ["keywords", "tag", "tags", "subject"],
    help: "add keywords with + or remove them with -, such as +sea,-beach")
  private static let person = OptionDeclaration(
    name: "person", type: .text, placeholder: "+NAME,-NAME", isRepeatable: true,
    synonyms: ["persons", "people", "face", "who"],
    help: "add (+) or remove (-) the names of people in the picture")
  private static let rating = OptionDeclaration(
    name: "rating", type: .number(0...5), placeholder: "N", synonyms: ["stars", "rate"],
    help: "rate with 0 (none) to 5 stars")
  private static let remove = OptionDeclaration(
    name: "remove", type: .words(parts), placeholder: "PART,…", synonyms: ["clear", "delete", "no", "reset"],
    help: "remove these fields: \(parts.alternatives)")
  private static let parts = ["title", "caption", "rating"]

  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    editing: "describe", summary: "Set titles, captions, keywords, people and ratings.",
    about: """
      Photos store these texts in XMP, and also in Exif and IPTC if those already contain such texts;
      movies use QuickTime keys. Movies have no key for names of people, so only the photo stores them.
      Face regions keep their names. Pictures, frames and audio are copied bit for bit.
      """,
    forms: [.init()], options: [title, caption, keyword, rating, person, remove, EditRequest.sidecars],
    synonyms: ["caption", "title", "tag", "keyword", "rate", "annotate"],
    related: ["date", "place", "mark"],
    examples: [
      .init(
        "describe --title 'At the sea' --rating 5 IMG_0001.JPG",
        "Sets a title and five stars for photo and movie."),
      .init("describe --keyword +sea,-beach IMG_0001.JPG", "Adds one keyword and removes another."),
    ]
  ) { arguments throws(UsageError) in
    var change = DescriptionChange()
    change.title = try text(arguments, title)
    change.caption = try text(arguments, caption)
    change.keywords = try words(arguments, keyword)
    change.persons = try words(arguments, person)
    if let stars = try arguments.number(rating) {
      guard let whole = Int(exactly: stars) else {
        throw UsageError(message: "--rating needs a whole number of stars, not \(TextNumber.short(stars))")
      }
      change.rating = whole
    }
    for part in arguments[remove]?.split(separator: ",").map(String.init) ?? [] {
      let isGiven: Bool
      switch part {
      case "title": (isGiven, change.title) = (change.title != nil, "")
      case "caption": (isGiven, change.caption) = (change.caption != nil, "")
      case "rating": (isGiven, change.rating) = (change.rating != nil, 0)
      default:
        throw UsageError(message: "--remove accepts \(parts.alternatives), not “\(part)”")
      }
      if isGiven { throw UsageError(message: "--\(part) and --remove \(part) cannot be combined") }
    }
    guard !change.isNeutral else {
      throw UsageError(
        message:
          "describe needs --title, --caption, --keyword, --rating, --person or --remove")
    }
    return DescribeCommand(change: change)
  }

  var changesFacts: Bool { true }

  func function() -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    { [change] edit, source throws(EditError) in
      if !change.persons.isNeutral, source.files[.photo] == nil {
        throw EditError(
          .invalidEdit, file: source.files[.movie],
          "is a movie, and movies have no field for names of people",
          remedy: "name a photo, or leave out --person")
      }
      var edit = edit
      edit.facts.description = change.after(edit.facts.description)
      return edit
    }
  }

  private static func text(
    _ arguments: ParsedArguments, _ option: OptionDeclaration
  ) throws(UsageError) -> String? {
    guard let text = arguments[option] else { return nil }
    guard text.utf8.count <= DescriptionChange.longestText else {
      throw UsageError(
        message: "--\(option.name) accepts at most \(DescriptionChange.longestText) bytes of text")
    }
    return text
  }

  private static func words(
    _ arguments: ParsedArguments, _ option: OptionDeclaration
  ) throws(UsageError) -> WordChange {
    var change = WordChange()
    for part in arguments.all(option).flatMap({ $0.split(separator: ",") }) {
      var word = part.drop { $0 == " " }
      let isGone = word.first == "-"
      if isGone || word.first == "+" { word = word.dropFirst() }
      while word.last == " " { word.removeLast() }
      guard !word.isEmpty, word.utf8.count <= DescriptionChange.longestWord else {
        throw UsageError(
          message: "--\(option.name) needs words separated by commas, such as +sea,-beach, not “\(part)”")
      }
      if isGone { change.remove(String(word)) } else { change.add(String(word)) }
      guard change.added.count + change.removed.count <= DescriptionChange.mostWords else {
        throw UsageError(message: "--\(option.name) accepts at most \(DescriptionChange.mostWords) words")
      }
    }
    return change
  }
}
