import Basics
import EditLibrary
import EditModel
import FileSystem

/// The names of new files.
extension ExportMaking {
  /// The file of an image: a photo that is looked at like others, or a picture of another kind.
  var imageMember: String { options.imageFormat == .jpeg ? "photo" : "image" }

  /// Chooses the names of the new files.
  ///
  /// - Parameters:
  ///   - stem: the name without its extension; nil for the names that the halves have.
  ///   - taken: paths that count as taken besides those that are there; it gets to know which numbers are.
  /// - Returns: the files and the names that they get, and the folder that they go into together.
  /// - Throws: ``EditError`` when a name is taken and no number may be added, or is too long.
  func names(
    stem: String?, taken: inout TakenNames
  ) throws(EditError) -> (items: [FilePublisher.Item], bundle: String?) {
    let most = options.isNumbered ? 100_000 : 1
    func visible(_ items: [FilePublisher.Item], _ bundle: String?) -> [String] {
      bundle.map { [$0] } ?? items.map(\.name)
    }
    let plain = named(stem, number: 1)
    let unnumbered = visible(plain.items, plain.bundle).map(publisher.target)
    let first = min(taken.firstNumber(of: unnumbered), most)
    // An original of this asset stands in the way of no other one.
    var isTakenForAll = true
    for number in first...most {
      if isTakenForAll { taken.pass(to: number, of: unnumbered) }
      let (items, bundle) = named(stem, number: number)
      let names = visible(items, bundle)
      for name in names where name.utf8.count > ReadingLimit.names.value {
        throw EditError(writing: publisher.target(name), SystemError.tooLong)
      }
      if number == most { try publisher.checkFree(names) }
      guard try publisher.areFree(names) else { continue }
      if let original = try rival(of: names) {
        if number == most { throw FilePublisher.taken(original) }
        isTakenForAll = false
        continue
      }
      guard let other = names.map(publisher.target).first(where: taken.contains) else {
        return (items, bundle)
      }
      if number == most {
        throw EditError(
          .inTheWay, file: other, "two exported files would get this name",
          remedy: "add --number, or choose different names with --name")
      }
    }
    throw FilePublisher.taken(publisher.target(stem ?? ""))
  }

  /// The original beside which one of some new files would be a second photo, or movie, of its name: then neither could be edited.
  private func rival(of names: [String]) throws(EditError) -> String? {
    for name in names.map(RenderNames.Parts.init) {
      guard let kind = HalfKind(fileExtension: name.fileExtension) else { continue }
      for path in originals {
        let (folder, original) = FilePath.split(path)
        let parts = RenderNames.Parts(original)
        guard parts.stem == name.stem, HalfKind(fileExtension: parts.fileExtension) == kind else { continue }
        if try publisher.isTarget(folder) { return path }
      }
    }
    return nil
  }

  /// The files of the form and their names, with a number from 2 on.
  private func named(_ stem: String?, number: Int) -> (items: [FilePublisher.Item], bundle: String?) {
    func name(_ half: HalfFiles.Half?, _ suffix: String? = nil) -> String {
      let parts = RenderNames.Parts(half?.name ?? "")
      let suffix = suffix ?? (parts.fileExtension.isEmpty ? "" : "." + parts.fileExtension)
      return (stem ?? parts.stem) + (number == 1 ? "" : "-\(number)") + suffix
    }
    let halves = [("photo", photo, resources.photo), ("movie", movie, resources.movie)].compactMap {
      member, half, origin in
      half.map { FilePublisher.Item(member, name: name($0), origin: origin?.path) }
    }
    switch options.form {
    case .pair, .apple: return (halves, nil)
    case .pvt:
      return (halves + [FilePublisher.Item("metadata", name: "metadata.plist")], name(photo ?? movie, ".pvt"))
    case .still: return ([FilePublisher.Item("photo", name: name(photo), origin: resources.photo?.path)], nil)
    case .motionPhoto where isMotionPhoto:
      return ([FilePublisher.Item("photo", name: name(photo), origin: resources.photo?.path)], nil)
    case .movie where options.container == .mov && !isMotionPhoto:
      return ([FilePublisher.Item("movie", name: name(movie), origin: resources.movie?.path)], nil)
    case .movie, .video: return ([FilePublisher.Item("movie", name: name(movie ?? photo, ".mp4"))], nil)
    case .motionPhoto:
      // “.MP” before the extension is how Google's camera names them.
      let suffix = ".MP." + RenderNames.Parts(photo?.name ?? "").fileExtension
      return ([FilePublisher.Item("photo", name: name(photo, suffix), origin: resources.photo?.path)], nil)
    case .gif, .webp:
      return ([FilePublisher.Item("preview", name: name(movie ?? photo, "." + options.form.rawValue))], nil)
    case .image:
      let suffix = "." + options.imageFormat.fileExtension
      return ([FilePublisher.Item(imageMember, name: name(photo ?? movie, suffix))], nil)
    }
  }
}
