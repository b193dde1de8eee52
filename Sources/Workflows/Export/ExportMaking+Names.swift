import Basics
import EditLibrary
import EditModel
import FileSystem

/// Chooses the names of new files.
extension ExportMaking {
  /// The publisher's member name for an exported image: “photo” if the image is a JPEG, which is checked like other
  /// photos, or “image” for other formats.
  var imageMember: String { options.imageFormat == .jpeg ? "photo" : "image" }

  /// Chooses the names of the new files.
  ///
  /// - Parameters:
  ///   - stem: The name without its extension, or nil to use the names of the halves.
  ///   - taken: Paths that count as taken in addition to existing files. The function adds the numbers that are taken.
  /// - Returns: The files with their names, and the folder that contains them if they form a bundle.
  /// - Throws: ``EditError`` if a name is too long, or if a name is taken and adding a number is not allowed.
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
    // A name that is blocked by an original of this asset may still be free for other assets.
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

  /// Returns the original that would share its name with a new file of the same kind in the same folder. In that case,
  /// neither file could be edited.
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

  /// Returns the files of the form with their names. Numbers from 2 are added to the names.
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
      // Google's camera app adds “.MP” before the extension.
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
