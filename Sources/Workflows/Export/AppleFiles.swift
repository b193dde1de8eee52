import Basics
import EditLibrary
import EditModel
import FileSystem

/// Files that are exported with a version so that Apple's Photos treats the version as an edit of its original.
struct AppleFiles {
  /// The adjustment data of a version.
  enum Adjustments {
    /// A file that is copied byte for byte.
    case file(String)
    /// An edit that liveedit made. Its adjustment file is written with the hashes of the renders.
    case own(AdjustmentData)
    /// A render without recorded adjustments that apply to the original.
    case unknown
  }

  /// The asset's originals.
  var originals: HalfFiles
  /// The adjustment data, or nil if there is no edit.
  var adjustments: Adjustments?
  /// The time at which the version was recorded, in seconds since 1970, or nil if there is no edit.
  var time: Int?
  /// The path of the camera's own recipe, `IMG_O0001.AAE`, or nil if no recipe exists.
  var recipe: String?

  /// The files beside the photo and movie that are copied byte for byte.
  var sidecars: [String] {
    let data: String? = if case .file(let path)? = adjustments { path } else { nil }
    return [data, recipe].compactMap { $0 }
  }

  /// Finds the files.
  ///
  /// - Parameters:
  ///   - asset: The originals.
  ///   - version: The version to export; 0 for the originals.
  ///   - record: The asset's record.
  ///   - library: The library that contains the versions.
  init(
    of asset: OriginalFiles, version number: Int, _ record: AssetRecord, in library: Library
  ) throws(EditError) {
    func half(_ name: String?) -> HalfFiles.Half? {
      name.map { HalfFiles.Half(path: asset.path($0), name: $0, source: asset.path($0)) }
    }
    originals = HalfFiles(photo: half(asset.photo), movie: half(asset.movie))
    if let version = record.version(number) {
      adjustments = Self.adjustments(of: version, record, in: library)
      time = version.time
    }
    recipe = try Self.recipe(of: asset)
  }

  private static func adjustments(
    of version: Version, _ record: AssetRecord, in library: Library
  ) -> Adjustments? {
    let file = version.file(.adjustments).map { library.path(of: $0, version: version.number, in: record) }
    switch version.origin {
    case .rendered where record.holder(of: version.base) == 0,
      .adopted where record.holder(of: version.base) == 0:
      if version.hasFiles, let file { return .file(file) }
      return version.adjustment.map(Adjustments.own) ?? .unknown
    case .foreign where version.adjustment?.isOwn == false: return file.map(Adjustments.file) ?? .unknown
    // The recorded adjustments were applied to a version other than the original, or do not match the stored files.
    default: return version.hasRender ? .unknown : file.map(Adjustments.file)
    }
  }

  private static func recipe(of asset: OriginalFiles) throws(EditError) -> String? {
    guard let stem = RenderNames.recipeStem(of: asset.stem) else { return nil }
    for path in ["AAE", "aae"].map({ asset.path(stem + "." + $0) }) {
      if try whileReading(path, { try FileStatus.ifAny(path)?.kind == .regular }) { return path }
    }
    return nil
  }
}

extension ExportMaking {
  /// The numbers that cameras use in file names.
  private static let numbers = 1...9999

  /// Returns camera file names that make Photos treat an original and its render as one edit, see ``RenderNames``.
  /// Files with other names get an unused camera name with the highest free number, because other files are least
  /// likely to need that number.
  ///
  /// - Parameter taken: Paths that count as taken in addition to existing files. The function adds the camera numbers
  ///   that are taken.
  /// - Returns: The files with their names, and the stem of the original's name.
  /// - Throws: ``EditError`` if a name is taken and adding a number is not allowed, or if no free name is left.
  func appleNames(
    _ apple: AppleFiles, taken: inout TakenNames
  ) throws(EditError) -> (items: [FilePublisher.Item], stem: String) {
    let stem = RenderNames.Parts((apple.originals.photo ?? apple.originals.movie)?.name ?? "").stem
    let folder = publisher.target("")
    let there = try taken.stems(in: folder) { () throws(EditError) in try publisher.namesThere() }
    /// Returns whether no file blocks a stem. Extensions and letter case are ignored, because the disks that Photos
    /// uses do not distinguish case.
    func isFree(_ stem: String, _ taken: TakenNames) -> Bool {
      let stems = [stem, RenderNames.renderStem(of: stem), RenderNames.recipeStem(of: stem) ?? stem]
      return !stems.contains { there.contains($0.lowercased()) } && !taken.contains(reserved(stem))
    }
    if RenderNames.isCameraStem(stem) {
      if isFree(stem, taken) { return (items(apple, stem), stem) }
      guard options.isNumbered else {
        let items = items(apple, stem)
        try publisher.checkFree(items.map(\.name))
        throw EditError(
          .inTheWay, file: publisher.target(items.first?.name ?? stem),
          "would have the same name as another photo or movie: \(stem)",
          remedy: "add --number, or choose another folder with -o")
      }
    }
    let highest = taken.highestCameraNumber(in: folder) ?? Self.numbers.upperBound
    for number in (Self.numbers.lowerBound...highest).reversed() {
      let digits = String(number)
      let other = "IMG_" + String(repeating: "0", count: 4 - digits.count) + digits
      taken.pass(toCameraNumber: number, in: folder)
      if isFree(other, taken) { return (items(apple, other), other) }
    }
    throw EditError(
      .inTheWay, file: publisher.target(stem),
      "cannot be named, because all names from IMG_0001 to IMG_9999 are taken",
      remedy: "choose another folder with -o")
  }

  /// Returns a path that represents all names with a stem, so that other exports do not use them.
  func reserved(_ stem: String) -> String { publisher.target("." + stem.lowercased()) }

  private func items(_ apple: AppleFiles, _ stem: String) -> [FilePublisher.Item] {
    func name(_ half: HalfFiles.Half, _ stem: String) -> String {
      let parts = RenderNames.Parts(half.name)
      return parts.fileExtension.isEmpty ? stem : stem + "." + parts.fileExtension
    }
    var items: [FilePublisher.Item] = []
    for (member, half) in [
      ("original-photo", apple.originals.photo), ("original-movie", apple.originals.movie),
    ] {
      if let half { items.append(FilePublisher.Item(member, name: name(half, stem), origin: half.path)) }
    }
    let render = RenderNames.renderStem(of: stem)
    for (member, half) in [("photo", resources.photo), ("movie", resources.movie)] {
      if let half { items.append(FilePublisher.Item(member, name: name(half, render), origin: half.source)) }
    }
    if apple.adjustments != nil {
      items.append(FilePublisher.Item("adjustments", name: RenderNames.adjustments(of: stem)))
    }
    if apple.recipe != nil, let recipe = RenderNames.recipeStem(of: stem) {
      items.append(FilePublisher.Item("recipe", name: RenderNames.adjustments(of: recipe)))
    }
    return items
  }

  /// Writes the files.
  func makeApple(_ apple: AppleFiles) throws(EditError) {
    for (member, half) in [
      ("original-photo", apple.originals.photo), ("original-movie", apple.originals.movie),
      ("photo", resources.photo), ("movie", resources.movie),
    ] {
      if let half { try copyFile(half.path, to: publisher.path(member)) }
    }
    if let recipe = apple.recipe { try copyFile(recipe, to: publisher.path("recipe")) }
    let place = publisher.path("adjustments")
    switch apple.adjustments {
    case .file(let path)?: try copyFile(path, to: place)
    case .own(let adjustment)?:
      let hashes = AdjustmentFile.Rendered(
        photo: try resources.photo.map { half throws(EditError) in try Digest.sha256(ofFile: half.path) },
        movie: try resources.movie.map { half throws(EditError) in try Digest.sha256(ofFile: half.path) })
      try write(AdjustmentFile(adjustment: adjustment, rendered: hashes, time: apple.time), to: place)
    case .unknown?: try write(.unknownRender(time: apple.time), to: place)
    case nil: break
    }
  }

  private func write(_ file: AdjustmentFile, to path: String) throws(EditError) {
    try whileWriting(path) { try File.create(path, bytes: file.bytes) }
  }
}
