import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The command that finds duplicate assets.
struct DuplicatesCommand: Command {
  private static let similar = OptionDeclaration(
    name: "similar", synonyms: ["alike", "likeness", "near", "fuzzy"],
    help: "also find photos and movies that look alike; decodes every photo")

  /// The declaration of the command `duplicates`.
  static let declaration = CommandDeclaration(
    name: "duplicates", summary: "Find duplicate photos, movies and Live Photos.",
    about: """
      Live Photos are compared as pairs. Duplicates have the same content, or the same encoded pictures
      and audio with different metadata: dates, locations, identifiers, the rotation flag. No picture is
      decoded. Each group lists the most complete copy first, preferring both halves, a paired photo and
      movie, the camera's own file over a copy made from it, and the most metadata.

      --similar adds groups of photos that look alike: re-encoded, reduced, rotated, mirrored, cropped by
      a few percent, or with slight changes in light and colours. Movies without photos are compared by
      their first frames. The similarity to the best copy is at least 0.98, and 1 for the same picture.
      Files whose dates are different seconds of the same minute are shots of a burst, not duplicates.
      Shots without such dates can be listed if their pictures hardly differ: check before you delete.

      Nothing is deleted or changed. Edited files beside their originals are not duplicates.
      """,
    kind: .looking, forms: [.init(operands: "[DIR…]")],
    options: [similar, FileSelection.recursive], operands: [.folders],
    synonyms: ["dedupe", "dupes", "duplicate", "doubles"], endings: .ofAnswers, related: ["repair", "list"],
    examples: [
      .init("duplicates Photos", "Lists the duplicates in the folder Photos."),
      .init(
        "duplicates --similar Photos", "Also lists photos and movies that look alike, with their similarity."),
      .init("duplicates -r --json", "Prints the duplicates under the current folder as JSON."),
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

  /// Prints the groups of duplicates.
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
        count, "\(count) redundant copy, \(Message.size(bytes))",
        "\(count) redundant copies, \(Message.size(bytes))")
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
    // If both searches fail to read a file, the error is reported only once.
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
              "\(Self.described($0.asset)), similarity \(decimal: Self.figure($0.likeness).canonicalText)")
          })
    }
    guard !tally.isJSON else { return }
    let count = search.similar.reduce(0) { $0 + $1.copies.count }
    StandardStream.output.say(
      "\(TextNumber.count(search.similar.count, "group")) of similar pictures; pictures besides the best of each group: \(count)"
    )
  }

  /// Returns a similarity formatted with three digits.
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

  /// Returns how the photo and the movie of a duplicate match those of the best copy.
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

  /// Describes the files of an asset and the kind of asset that they form.
  private static func described(_ asset: DuplicateAsset) -> Message {
    switch (asset.photoPath, asset.moviePath) {
    case _ where asset.isWhole: "\(names(asset)): a complete Live Photo"
    case (nil, _): "\(names(asset)): a movie"
    case (_, nil): "\(names(asset)): a photo"
    default: "\(names(asset)): a photo and a movie, not paired"
    }
  }

  private static func names(_ asset: DuplicateAsset) -> String {
    [asset.photoPath, asset.moviePath].compactMap { $0 }.joined(separator: " + ")
  }

  /// Describes which parts of a duplicate match the best copy.
  private static func relation(_ copy: DuplicateSearch.Copy, to best: DuplicateAsset) -> Message {
    var parts = [
      photoRelation(copy.photo, copy.asset.photoPath, best.photoPath),
      movieRelation(copy.movie, copy.asset.moviePath, best.moviePath),
    ].compactMap { $0 }
    if copy.asset.isRender && !best.isRender { parts.append("rendered") }
    return parts.joined(separator: ", ")
  }

  /// Describes how the photo of a duplicate matches the best copy's photo. Returns nil if the best copy has no photo.
  private static func photoRelation(
    _ likeness: DuplicateSearch.Likeness?, _ own: String?, _ other: String?
  ) -> Message? {
    switch likeness {
    case .content: "the same photo"
    case .picture: "the same picture with different metadata"
    case nil: other == nil ? nil : own == nil ? "without the photo" : "another photo"
    }
  }

  /// Describes how the movie of a duplicate matches the best copy's movie. Returns nil if the best copy has no movie.
  private static func movieRelation(
    _ likeness: DuplicateSearch.Likeness?, _ own: String?, _ other: String?
  ) -> Message? {
    switch likeness {
    case .content: "the same movie"
    case .picture: "the same movie with different metadata"
    case nil: other == nil ? nil : own == nil ? "without the movie" : "another movie"
    }
  }
}
