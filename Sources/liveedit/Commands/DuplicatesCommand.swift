import Basics
import EditModel
import FileSystem
import LiveEdit

/// The command that finds assets of which several are there.
struct DuplicatesCommand: Command {
  /// The command `duplicates`.
  static let declaration = CommandDeclaration(
    name: "duplicates", summary: "Find photos, movies and Live Photos of which several are there.",
    about: """
      Live Photos are compared as pairs. Copies are equal by content, or by their coded pictures and sounds
      where only what is said about them differs: dates, places, identifiers, the flag by which they are turned.
      No picture is decoded. Of each group the copy is named first that has the most: both halves, the tie
      between them, the camera's own file before what was made of it, and the most metadata.

      Nothing is deleted or changed. Renders beside their originals are no duplicates.
      """,
    kind: .looking, forms: [.init(operands: "[DIR…]")],
    options: [FileSelection.recursive], operands: [.folders],
    synonyms: ["dedupe", "dupes", "duplicate", "doubles"], endings: .ofAnswers, related: ["repair", "list"],
    examples: [
      .init("duplicates Photos", "Shows what is in the folder Photos more than once."),
      .init("duplicates -r --json", "Prints groups of copies below the current folder, for programs."),
    ]
  ) { arguments throws(UsageError) in DuplicatesCommand(arguments) }

  private let folders: [String]
  private let isRecursive: Bool

  private init(_ arguments: ParsedArguments) {
    folders = arguments.files.isEmpty ? [""] : arguments.files
    isRecursive = arguments.has(FileSelection.recursive)
  }

  /// Prints the groups.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    var all: [String] = []
    for folder in folders {
      let found = isRecursive ? FolderTree.folders(from: folder) { tally.fail($1, file: $0) } : [folder]
      all += found.filter { !all.contains($0) }
    }
    let search = try DuplicateSearch(folders: all) { TerminationSignals.pending != nil }
    for (path, problem) in search.failures {
      tally.fail(EditError(.invalidFile, file: path, problem))
    }
    var bytes = 0
    for group in search.groups {
      bytes += group.copies.reduce(0) { $0 + $1.asset.size }
      tally.print(Self.answer(group), Self.lines(group))
    }
    if !tally.isJSON {
      let count = search.groups.reduce(0) { $0 + $1.copies.count }
      StandardStream.output.write(
        line: "\(TextNumber.count(search.groups.count, "group")), "
          + "\(count) \(count == 1 ? "copy" : "copies") of \(TextNumber.bytes(bytes))")
    }
    return tally.readStatus
  }

  private static func answer(_ group: DuplicateSearch.Group) -> Answer {
    let copies = group.copies.map { copy -> CanonicalJSON in
      var members = object(copy.asset)
      members["sameMovie"] = copy.movie.map { .string($0.rawValue) }
      members["samePhoto"] = copy.photo.map { .string($0.rawValue) }
      return .object(members)
    }
    return Answer(
      .shown, file: group.best.path,
      originals: Answer.Originals(photo: group.best.photoPath, movie: group.best.moviePath),
      ["best": .object(object(group.best)), "copies": .array(copies)])
  }

  private static func object(_ asset: DuplicateAsset) -> [String: CanonicalJSON] {
    var members: [String: CanonicalJSON] = [
      "isWhole": .boolean(asset.isWhole), "size": .integer(asset.size),
    ]
    members["photo"] = asset.photoPath.map { .string($0) }
    members["movie"] = asset.moviePath.map { .string($0) }
    return members
  }

  private static func lines(_ group: DuplicateSearch.Group) -> [String] {
    let best = group.best
    let state =
      best.isWhole
      ? "a whole Live Photo"
      : best.photoPath == nil
        ? "a movie" : best.moviePath == nil ? "a photo" : "a photo and a movie, not tied"
    return [names(best) + ": " + state]
      + group.copies.map { "  \(names($0.asset)): \(relation($0, to: best))" }
  }

  private static func names(_ asset: DuplicateAsset) -> String {
    [asset.photoPath, asset.moviePath].compactMap { $0 }.joined(separator: " + ")
  }

  /// What a copy has in common with the best one.
  private static func relation(_ copy: DuplicateSearch.Copy, to best: DuplicateAsset) -> String {
    let parts = [
      relation(copy.photo, "photo", coded: "picture", copy.asset.photoPath, best.photoPath),
      relation(copy.movie, "movie", coded: "movie", copy.asset.moviePath, best.moviePath),
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
      + (copy.asset.isRender && !best.isRender ? ", rendered" : "")
  }

  /// What one half of a copy has in common with that of the best one; nil where the best one has none.
  private static func relation(
    _ likeness: DuplicateSearch.Likeness?, _ half: String, coded: String, _ own: String?, _ other: String?
  ) -> String? {
    switch likeness {
    case .content: "the same \(half)"
    case .picture: "the same \(coded) with other metadata"
    case nil: other == nil ? nil : own == nil ? "without the \(half)" : "another \(half)"
    }
  }
}
