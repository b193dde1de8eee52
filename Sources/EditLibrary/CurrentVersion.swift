import EditModel
import FileSystem

/// The version of an asset that stands beside its originals: a render that liveedit made.
public struct CurrentVersion: Hashable, Sendable {
  /// A file of the version.
  struct Member: Hashable, Sendable {
    var name: String
    var sha256: String
  }

  /// The edit that was rendered.
  public var edit: Edit
  /// How it was rendered.
  public var settings: RenderSettings
  var photo: Member?
  var movie: Member?
  var adjustments: Member

  /// Reads the version beside an asset and makes sure that liveedit made it.
  ///
  /// It is ours when the `.AAE` carries our format, each half carries the identifier that base, edit and
  /// settings give, and each half has the hash that the `.AAE` records. `IMG_O*.AAE` is never looked at.
  ///
  /// - Returns: nil when nothing stands in the names that a version needs.
  /// - Throws: ``EditError`` naming whatever stands there and is not ours.
  public static func read(of asset: AssetFiles) throws(EditError) -> CurrentVersion? {
    let listing = try FolderListing(folder: asset.folder)
    let adjustments = Set(asset.halves.flatMap { listing.adjustments(stem: RenderNames.Parts($0.name).stem) })
    let stems = Set(asset.halves.map { RenderNames.renderStem(of: RenderNames.Parts($0.name).stem) })
    let renders = stems.sorted().flatMap { stem in
      listing.names(stem: stem).filter { HalfKind(fileExtension: RenderNames.Parts($0).fileExtension) != nil }
    }
    guard let file = adjustments.sorted().first else {
      guard let render = renders.first else { return nil }
      throw CommitPlan.inTheWay(asset.path(render))
    }
    if adjustments.count > 1 { throw CommitPlan.inTheWay(asset.path(adjustments.sorted()[1])) }
    return try read(file, renders: renders, of: asset)
  }

  private static func read(
    _ name: String, renders: [String], of asset: AssetFiles
  ) throws(EditError) -> CurrentVersion {
    let path = asset.path(name)
    let bytes = try regularFile(path, atMost: 1 << 24)
    guard let file = AdjustmentFile(bytes: bytes) else {
      throw EditError(
        .inTheWay, file: path, "is in the way and holds no adjustment data",
        remedy: "move it to another folder")
    }
    guard let (edit, settings) = file.adjustment.decoded() else {
      guard file.adjustment.isOwn else {
        throw EditError(
          .inTheWay, file: path, "holds an edit by another program (\(file.adjustment.formatIdentifier))",
          remedy: "move it and its renders to another folder to edit the original")
      }
      throw EditError(
        .inTheWay, file: path, "was written by a newer liveedit (format \(file.adjustment.formatVersion))",
        remedy: "use that one")
    }
    let identifier = try asset.identifier.map { base throws(EditError) in
      try NameBasedUUID.renderIdentifier(base: base, adjustment: file.adjustment)
    }
    let photo = try member(.photo, file.rendered.photo, identifier, of: asset, path)
    let movie = try member(.movie, file.rendered.movie, identifier, of: asset, path)
    let expected = [photo, movie].compactMap { $0?.name }
    if let other = renders.first(where: { !expected.contains($0) }) {
      throw CommitPlan.inTheWay(asset.path(other))
    }
    let own = Member(name: name, sha256: Digest.hexadecimal(try Digest.of(bytes, .sha256)))
    return CurrentVersion(edit: edit, settings: settings, photo: photo, movie: movie, adjustments: own)
  }

  /// Makes sure that a rendered half is as liveedit wrote it.
  private static func member(
    _ kind: HalfKind, _ recorded: String?, _ identifier: String?, of asset: AssetFiles, _ adjustments: String
  ) throws(EditError) -> Member? {
    guard let original = kind == .photo ? asset.photo : asset.movie else {
      if recorded == nil { return nil }
      throw EditError(
        .inTheWay, file: adjustments, "belongs to a Live Photo whose original \(kind.word) is not beside it",
        remedy: "put the \(kind.word) back, or move the adjustment data and the renders to another folder")
    }
    let name = RenderNames.render(of: original)
    let path = asset.path(name)
    guard let recorded else {
      throw EditError(
        .inTheWay, file: adjustments, "records no render of \(original)",
        remedy: "move it and its renders to another folder to edit the original")
    }
    guard try exists(path) else {
      throw EditError(
        .inTheWay, file: adjustments, "records the render \(name), which is not there",
        remedy: "put the render back, or remove the adjustment data to begin from the original")
    }
    guard try Digest.sha256(ofFile: path) == recorded else {
      throw EditError(
        .inTheWay, file: path, "was changed by another program after liveedit rendered it",
        remedy:
          "move it and \(RenderNames.Parts(adjustments).stem.split(separator: "/").last ?? "its").AAE to another folder"
      )
    }
    guard try HalfIdentifier.read(path, kind: kind) == identifier else {
      throw EditError(
        .inTheWay, file: path, "is the render of another original than \(original)",
        remedy: "move it and its adjustment data to another folder")
    }
    return Member(name: name, sha256: recorded)
  }

  private static func exists(_ path: String) throws(EditError) -> Bool {
    do {
      return try FileStatus.exists(path)
    } catch {
      throw EditError(reading: path, error)
    }
  }

  private static func regularFile(_ path: String, atMost limit: Int) throws(EditError) -> [UInt8] {
    do {
      guard try FileStatus(path: path, followingLinks: false).kind == .regular else {
        throw CommitPlan.inTheWay(path)
      }
      let source = try FileByteSource(path: path)
      guard source.count <= limit else { throw CommitPlan.inTheWay(path) }
      return try source.read(at: 0, count: source.count)
    } catch {
      throw EditError(reading: path, error)
    }
  }
}
