import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The command that finds assets of which several are there.
struct DuplicatesCommand: Command {
  private static let similar = OptionDeclaration(
    name: "similar", synonyms: ["alike", "likeness", "near", "fuzzy"],
    help: "also what looks the same in other files; decodes every photo")

  /// The command `duplicates`.
  static let declaration = CommandDeclaration(
    name: "duplicates", summary: "Find photos, movies and Live Photos of which several are there.",
    about: """
      Live Photos are compared as pairs. Copies are equal by content, or by their coded pictures and sounds
      where only what is said about them differs: dates, places, identifiers, the flag by which they are turned.
      No picture is decoded. Of each group the copy is named first that has the most: both halves, the tie
      between them, the camera's own file before what was made of it, and the most metadata.

      With --similar, groups of their own follow of photos that look the same: encoded again, made smaller,
      turned or mirrored, cropped by a few percent, or with light and colours changed a little; and of movies
      without photos by their first frames. A figure says how much each resembles the best copy: 1 for the
      same picture, 0.98 at least. Files that say different seconds of one minute are two shots of a burst and
      no copies. Shots without such dates whose pictures hardly differ may be named: look before you delete.

      Nothing is deleted or changed. Renders beside their originals are no duplicates.
      """,
    kind: .looking, forms: [.init(operands: "[DIR…]")],
    options: [similar, FileSelection.recursive], operands: [.folders],
    synonyms: ["dedupe", "dupes", "duplicate", "doubles"], endings: .ofAnswers, related: ["repair", "list"],
    examples: [
      .init("duplicates Photos", "Shows what is in the folder Photos more than once."),
      .init("duplicates --similar Photos", "Shows besides what looks the same there, with a figure."),
      .init("duplicates -r --json", "Prints groups of copies below the current folder, for programs."),
    ]
  ) { arguments throws(UsageError) in DuplicatesCommand(arguments) }

  private let folders: [String]
  private let isRecursive: Bool
  private let seeksSimilar: Bool

  private init(_ arguments: ParsedArguments) {
    folders = arguments.files.isEmpty ? [""] : arguments.files
    isRecursive = arguments.has(FileSelection.recursive)
    seeksSimilar = arguments.has(Self.similar)
  }

  /// Prints the groups.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    var all: [String] = []
    for folder in folders {
      let found = isRecursive ? FolderTree.folders(from: folder) { tally.fail($1, file: $0) } : [folder]
      all += found.filter { !all.contains($0) }
    }
    var search = try DuplicateSearch(folders: all) { TerminationSignals.pending != nil }
    for (path, problem) in search.failures {
      tally.fail(EditError(.invalidFile, file: path, problem))
    }
    let bytes = search.groups.lazy.flatMap(\.copies).map(\.asset.size).clampedSum
    for group in search.groups {
      tally.print(
        Self.answer("equal", group.best, group.copies.map { ($0.asset, Self.likeness($0)) }),
        [Self.described(group.best)]
          + group.copies.map {
            Report.indented("\(Self.names($0.asset)): \(Self.relation($0, to: group.best))")
          })
    }
    if !tally.isJSON {
      let count = search.groups.reduce(0) { $0 + $1.copies.count }
      let copies = Message.plural(
        count, "\(count) copy of \(TextNumber.bytes(bytes))", "\(count) copies of \(TextNumber.bytes(bytes))")
      StandardStream.output.say("\(TextNumber.count(search.groups.count, "group")), \(copies)")
    }
    if seeksSimilar, TerminationSignals.pending == nil { try printSimilar(in: &search, &tally) }
    return tally.readStatus
  }

  private func printSimilar(in search: inout DuplicateSearch, _ tally: inout Tally) throws(EditError) {
    let progress = Progress(verb: "compared")
    let failures = search.seekSimilar(
      by: try HelperRenderer(), jobs: try Configuration().jobs, begin: { progress.begin(total: $0) },
      progress: { index, path in
        progress.begin(index, path)
        progress.end(index)
      },
      isCancelled: { TerminationSignals.pending != nil })
    progress.finish()
    // What could be read no more, or not at all, is named once.
    let named = Set(search.failures.map(\.path))
    for failure in failures where failure.file.map(named.contains) != true {
      tally.fail(failure, file: failure.file)
    }
    for group in search.similar {
      tally.print(
        Self.answer(
          "similar", group.best, group.copies.map { ($0.asset, ["likeness": Self.figure($0.likeness)]) }),
        [Self.described(group.best)]
          + group.copies.map {
            Report.indented(
              "\(Self.described($0.asset)), similar (\(decimal: Self.figure($0.likeness).canonicalText))")
          })
    }
    guard !tally.isJSON else { return }
    let count = search.similar.reduce(0) { $0 + $1.copies.count }
    StandardStream.output.say(
      "\(TextNumber.count(search.similar.count, "group")) of similar pictures, \(count) like the best of theirs"
    )
  }

  /// A likeness with three digits.
  private static func figure(_ likeness: Double) -> JSONValue {
    .decimal(Int((min(max(-1, likeness), 1) * 1000).rounded(.down)), digits: 3)
  }

  private static func answer(
    _ kind: String, _ best: DuplicateAsset, _ copies: [(DuplicateAsset, [String: JSONValue])]
  ) -> Answer {
    Answer(
      .shown, file: best.path,
      originals: Answer.Originals(photo: best.photoPath, movie: best.moviePath),
      [
        "kind": .string(kind), "best": .object(object(best)),
        "copies": .array(copies.map { .object(object($0).merging($1) { $1 }) }),
      ])
  }

  /// The names of what is equal in a copy.
  private static func likeness(_ copy: DuplicateSearch.Copy) -> [String: JSONValue] {
    ["sameMovie": copy.movie, "samePhoto": copy.photo].compactMapValues { $0.map { .string($0.rawValue) } }
  }

  private static func object(_ asset: DuplicateAsset) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "isWhole": .boolean(asset.isWhole), "size": .integer(asset.size),
    ]
    members["photo"] = asset.photoPath.map { .string($0) }
    members["movie"] = asset.moviePath.map { .string($0) }
    return members
  }

  /// The files of an asset, and what they are together.
  private static func described(_ asset: DuplicateAsset) -> Message {
    switch (asset.photoPath, asset.moviePath) {
    case _ where asset.isWhole: "\(names(asset)): a whole Live Photo"
    case (nil, _): "\(names(asset)): a movie"
    case (_, nil): "\(names(asset)): a photo"
    default: "\(names(asset)): a photo and a movie, not tied"
    }
  }

  private static func names(_ asset: DuplicateAsset) -> String {
    [asset.photoPath, asset.moviePath].compactMap { $0 }.joined(separator: " + ")
  }

  /// The parts that a copy has in common with the best one.
  private static func relation(_ copy: DuplicateSearch.Copy, to best: DuplicateAsset) -> Message {
    var parts = [
      photoRelation(copy.photo, copy.asset.photoPath, best.photoPath),
      movieRelation(copy.movie, copy.asset.moviePath, best.moviePath),
    ].compactMap { $0 }
    if copy.asset.isRender && !best.isRender { parts.append("rendered") }
    return parts.joined(separator: ", ")
  }

  /// The parts that the photo of a copy has in common with that of the best one; nil where the best one has none.
  private static func photoRelation(
    _ likeness: DuplicateSearch.Likeness?, _ own: String?, _ other: String?
  ) -> Message? {
    switch likeness {
    case .content: "the same photo"
    case .picture: "the same picture with other metadata"
    case nil: other == nil ? nil : own == nil ? "without the photo" : "another photo"
    }
  }

  /// The parts that the movie of a copy has in common with that of the best one; nil where the best one has none.
  private static func movieRelation(
    _ likeness: DuplicateSearch.Likeness?, _ own: String?, _ other: String?
  ) -> Message? {
    switch likeness {
    case .content: "the same movie"
    case .picture: "the same movie with other metadata"
    case nil: other == nil ? nil : own == nil ? "without the movie" : "another movie"
    }
  }
}
